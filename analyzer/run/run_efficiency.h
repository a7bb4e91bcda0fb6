/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_EFFICIENCY_H
#define BCS_RUN_EFFICIENCY_H

#include "analyzer/run/run.h"

/*
 * The efficiencies of the POP method, multiplicative: each is the product of
 * those indented below it.  Fractions of 1.
 */
struct run_efficiency {
	uint64_t n_ranks;
	uint64_t n_hosts;
	uint64_t elapsed; /* of the rank that was there for longest */
	uint64_t ideal;   /* the same on a network that takes no time */
	uint64_t total;   /* computation of all ranks */
	uint64_t in_mpi;  /* time of all ranks in MPI */
	uint64_t most;    /* computation of the rank that has most, */
	uint64_t rank;    /* which is this */
	double parallel;
	double balance;
	double balance_in;  /* between the ranks of a node */
	double balance_out; /* between nodes */
	double communication;
	double serialisation;
	double transfer;
	bool ideal_known; /* else the last two are not, nor is `ideal` */
};

/* Computes those of a phase or RUN_WHOLE; false if there is no time in it. */
bool run_efficiency(const struct run *run, size_t phase,
		    struct run_efficiency *efficiency);

#endif
