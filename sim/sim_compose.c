/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives as trees of messages: binomial trees, recursive doubling, and
 * pairs for an all-to-all.
 */
#include "sim/sim_compose.h"

#include <math.h>

double sim_compose_rounds(enum sim_collective which, double processes)
{
	if (processes <= 1)
		return 0;
	return which == SIM_ALLTOALL ? processes - 1 : ceil(log2(processes));
}

double sim_compose_bytes(enum sim_collective which, double processes,
			 double bytes)
{
	if (processes <= 1)
		return 0;
	switch (which) {
	case SIM_BARRIER:
		return 0;
	case SIM_SCATTER:
	case SIM_GATHER: /* `bytes` are those of all processes */
		return bytes * (processes - 1) / processes;
	case SIM_ALLGATHER:
		return bytes * (processes - 1);
	default:
		return bytes * sim_compose_rounds(which, processes);
	}
}

double sim_compose(const struct sim_composed *of, enum sim_collective which,
		   double processes, double bytes)
{
	const double rounds = sim_compose_rounds(which, processes);

	if (rounds <= 0)
		return 0;
	return rounds *
	       of->message(of->self,
			   sim_compose_bytes(which, processes, bytes) / rounds);
}
