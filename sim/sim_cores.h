/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_CORES_H
#define BCS_SIM_CORES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The cores of nodes that have fewer of them than processes.  A process that
 * computes gets the core that is free first, for a quantum at most; then it
 * queues again behind those that wait.  A process that waits for a message
 * needs no core.
 */
struct sim_cores {
	uint32_t n;      /* of each node; 0: a core for each process */
	double quantum;  /* seconds */
	uint32_t *nodes; /* the node of each process */
	double *free_at; /* when each core is free, node by node */
};

/*
 * Computes for up to `left` seconds from `now` on, and takes what was done from
 * it.  Returns the time of the end.
 */
double sim_cores_compute(struct sim_cores *cores, uint32_t process, double now,
			 double *left);

#endif
