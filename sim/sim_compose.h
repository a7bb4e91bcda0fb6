/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_COMPOSE_H
#define BCS_SIM_COMPOSE_H

#include "sim/sim_op.h"

/* The time of a message, in seconds. */
struct sim_composed {
	double (*message)(void *self, double bytes);
	void *self;
};

/*
 * The time of a collective that is made of messages, for hardware of which no
 * time of its own is known.  `bytes` are those of struct sim_op.
 */
double sim_compose(const struct sim_composed *of, enum sim_collective which,
		   double processes, double bytes);

/* How many messages follow each other in it, and the bytes of these. */
double sim_compose_rounds(enum sim_collective which, double processes);
double sim_compose_bytes(enum sim_collective which, double processes,
			 double bytes);

#endif
