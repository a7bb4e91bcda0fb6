/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_PENDING_H
#define SHIM_PENDING_H

/*
 * Requests that a call may complete.  MPI overwrites the handles of those that
 * it completes.  Another thread's transfer may have the handle then, and its
 * place with us.  So all that is needed is looked up before the call.
 */
#include <stdbool.h>

#include "pmpi-shim/record/calls/requests.h"

/* The outcome of a request. */
struct shim_outcome {
	bool moved; /* it was a transfer with that process */
	int peer;
	uint64_t bytes; /* received, or of a file */
};

struct shim_pending {
	struct shim_place *place; /* NULL: nothing is known of it */
	uint64_t stamp;
	struct shim_request was;

	/* Once it completed: */
	struct shim_outcome came;
	uint64_t n;                /* so many were alike; */
	struct shim_pending *next; /* that was none of those */
};

/* Which of them did. */
struct shim_completed {
	int rc; /* MPI_ERR_IN_STATUS: those without an error of their own */
	int n;
	const int *indices; /* where each is; NULL: they are the first */
	const MPI_Status *statuses;
};

void shim_pending_begin(struct shim_pending pending[],
			const MPI_Request requests[], size_t n);
/* Forgets a freed request.  Its handle may be another thread's by now. */
void shim_pending_forget(const struct shim_pending *pending);
/*
 * After a call that failed: forgets those that MPI freed all the same, whose
 * handles it set to null.
 */
void shim_pending_failed(struct shim_pending pending[],
			 const MPI_Request requests[], size_t n);
/* After shim_stop(): credits what they moved, and the call's time. */
void shim_pending_end(struct mmds_frame *f, struct shim_pending pending[],
		      const struct shim_completed *completed);

#endif
