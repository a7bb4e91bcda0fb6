/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_CLUSTER_H
#define BCS_SIM_CLUSTER_H

/*
 * A system with processes on it, as the engine's machine.  Two processes of one
 * node talk by the network inside of it, others by the innermost network that
 * both are under; a collective takes what it takes on the innermost network
 * that all are under.  P of the formulas is the number of nodes, as in the
 * paper, or of processes where that is one or the hardware says so.
 */
#include "sim/sim_machine.h"
#include "sim/sim_place.h"

struct sim_cluster;

/* All are kept by reference.  NULL: no memory. */
struct sim_cluster *sim_cluster_new(const struct sim_system *system,
				    const struct sim_placement *placement);
void sim_cluster_free(struct sim_cluster *cluster);

struct sim_machine sim_cluster_machine(struct sim_cluster *cluster);

/*
 * The engine's group of this number has the processes of these labels (a bit
 * each).  0 or -ENOMEM.
 */
int sim_cluster_group(struct sim_cluster *cluster, uint32_t group,
		      uint64_t labels);

/* What a formula was asked for that its hardware does not know; or NULL. */
const char *sim_cluster_lacking(const struct sim_cluster *cluster);

/*
 * Joules of a process that ended after `seconds`: its share of what its node
 * takes; NAN: not known.  One thread is busy, whether it computes or waits, and
 * as many as the block says while that computes.  Processes of the label on the
 * same node are taken to compute at the same time, as for the time they take.
 */
double sim_cluster_energy(const struct sim_cluster *cluster, uint32_t process,
			  double seconds);

/* Failures a second, of all nodes that are used; NAN: not known. */
double sim_cluster_failures(const struct sim_cluster *cluster);

/* Watts of all nodes that are used while all run their most threads. */
double sim_cluster_power_all(const struct sim_cluster *cluster);

#endif
