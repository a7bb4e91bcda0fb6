/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <mpi.h>
#include <stdint.h>

/* Random but the same wherever the arguments are. */
uint32_t traffic_mix(uint32_t a, uint32_t b);

/*
 * Collectives between a round's messages, on communicators of which each has
 * all processes: some begin before them and end after them.
 */
void traffic_collectives_begin(const MPI_Comm *comms, int n_comms,
			       uint32_t seed);
/* How many of them went wrong. */
int traffic_collectives_end(void);
void traffic_collectives_free(void);

#endif
