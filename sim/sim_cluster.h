/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_CLUSTER_H
#define BCS_SIM_CLUSTER_H

/*
 * The engine's machine: a system with processes on it.
 *
 * Two processes of a node use the network inside the node.  Others use the
 * innermost network that contains both.  A collective uses the innermost
 * network that contains all its processes.  P of the formulas is the number of
 * nodes, as in the paper; or that of processes, if there is one node or the
 * hardware says so.
 */
#include "sim/sim_machine.h"
#include "sim/sim_power.h"

struct sim_cluster;

/* All arguments must outlive the cluster.  Returns NULL if there is no
 * memory. */
struct sim_cluster *sim_cluster_new(const struct sim_system *system,
				    const struct sim_placement *placement);
void sim_cluster_free(struct sim_cluster *cluster);

struct sim_machine sim_cluster_machine(struct sim_cluster *cluster);

/*
 * Tells which labels (a bit each) make up a group of the engine.  Returns 0 or
 * -ENOMEM.
 */
int sim_cluster_group(struct sim_cluster *cluster, uint32_t group,
		      uint64_t labels);

/* Does the same for a group of processes that are listed. */
int sim_cluster_group_of(struct sim_cluster *cluster, uint32_t group,
			 const uint32_t *processes, uint32_t n);

/* A parameter that a formula needed and its hardware lacks, as a message; or
 * NULL. */
const char *sim_cluster_lacking(const struct sim_cluster *cluster);

/* What nodes take; the cluster's own. */
struct sim_power *sim_cluster_power(struct sim_cluster *cluster);

/* Failures per second of all used nodes; NAN: unknown. */
double sim_cluster_failures(const struct sim_cluster *cluster);

#endif
