/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_OWN_CALL_H
#define BCS_MPIB_OWN_CALL_H

#include "mpib.h"

/*
 * A collective on buffers of its own: `from` and `to` have room for `bytes` of
 * each process.
 */
struct own_call {
	const struct mpib_coll *coll;
	char *from;
	char *to;
	int *counts; /* `bytes`, once for each process */
	int *places; /* multiples of `bytes` */
	int bytes;
	int root;
	MPI_Comm comm;
	/* NULL, or what begins it instead, and how many ns to compute then. */
	void (*start)(const struct own_call *call, MPI_Request *request);
	int64_t compute;
};

/* Collective.  Runs it once, so that no repetition is the first to. */
int own_call_begin(struct own_call *call, MPI_Comm comm,
		   const struct mpib_coll *coll, int bytes, int root);
void own_call_end(struct own_call *call);

/* Takes a struct own_call. */
void own_call_run(void *argument);

#endif
