/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_POWER_H
#define BCS_SIM_POWER_H

/*
 * The energy of nodes: their power, by how many threads are busy on them, over
 * time.
 *
 * A process keeps one thread busy until its end, whether it computes or waits.
 * More are busy while a compute block with threads runs.  The power of a node
 * with that many busy threads is what the formula of its CPU says, what the
 * node takes idle included.  A node is off when all its processes have ended.
 * Processes share what one thread of each takes alike; further threads are of
 * their process.
 */
#include "sim/sim_place.h"

struct sim_power;

/* Both arguments must outlive the power.  Returns NULL if there is no memory.
 */
struct sim_power *sim_power_new(const struct sim_system *system,
				const struct sim_placement *placement);
void sim_power_free(struct sim_power *power);

/*
 * A process computes on so many threads from `when` on.  These and the ends of
 * a node's processes are told in the order of time.
 */
void sim_power_compute(struct sim_power *power, uint32_t process,
		       uint32_t threads, double when, double seconds);

/*
 * A process ends.  Returns its joules, NAN: unknown; also when it is told
 * again.
 */
double sim_power_end(struct sim_power *power, uint32_t process, double when);

/* Watts of all used nodes, each with the most threads it ever ran. */
double sim_power_most(const struct sim_power *power);

#endif
