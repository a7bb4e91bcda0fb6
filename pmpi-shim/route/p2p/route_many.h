/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_MANY_H
#define SHIM_ROUTE_MANY_H

/*
 * An array of requests of a call such as MPI_Waitall, ours and MPI's mixed. MPI
 * gets its own ones as an array of their own.
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"

#define ROUTE_MANY_FEW 64 /* up to here no memory is allocated */

/* An array of requests, and those of MPI in it. */
struct route_many {
	int n;
	MPI_Request *requests;
	int n_native;
	MPI_Request *natives;
	int *places;       /* of the natives in the array, */
	int *places_found; /* and of those found among the natives */
	MPI_Status *statuses;
	void *memory;
	MPI_Request few_natives[ROUTE_MANY_FEW];
	int few_places[2 * ROUTE_MANY_FEW];
	MPI_Status few_statuses[ROUTE_MANY_FEW];

	int n_ready; /* the first n_ready requests are ready */
	bool looks;  /* the requests stay as they are (route_looks.c) */

	/* The result array of a call that looks for some finished requests. */
	int *indices;
	int limit;
	int n_found;
	int n_native_found;
	int rc;
	bool any_active;
	int found_one[1];
};

static inline bool route_many_has_ours(int n, const MPI_Request requests[])
{
	for (int i = 0; requests && i < n; i++)
		if (route_is_ours(requests[i]))
			return true;
	return false;
}

/* Whether all handles of ours are those of live requests. */
static inline bool route_many_are_live(int n, const MPI_Request requests[])
{
	for (int i = 0; i < n; i++)
		if (route_is_ours(requests[i]) &&
		    !route_request_is_live(requests[i]))
			return false;
	return true;
}

static inline MPI_Status *route_many_status_at(MPI_Status statuses[], int i)
{
	return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE
					       : &statuses[i];
}

static inline void route_many_status_error(MPI_Status *status, int error)
{
	if (status != MPI_STATUS_IGNORE)
		status->MPI_ERROR = error;
}

/* Takes MPI's requests out.  Returns MPI_SUCCESS or an error class.  In both
 * cases route_many_end has to follow. */
int route_many_begin(struct route_many *m, int n, MPI_Request requests[]);
/* Finishes a ready request of ours, or looks at it; returns its error class. */
static inline int route_many_finish_one(struct route_many *m, int i,
					MPI_Status *status)
{
	return m->looks ? route_request_look(m->requests[i], status)
			: route_request_finish(&m->requests[i], status, NULL);
}

/* Puts MPI's requests back into the program's array. */
void route_many_put_back(struct route_many *m);
/* Frees the memory of route_many_begin.  Calls the error handler if `rc` is an
 * error. */
int route_many_end(struct route_many *m, int rc);
/* True if MPI refused the call for its own requests: it has told so. */
static inline bool route_many_is_refused(int rc)
{
	return rc != MPI_SUCCESS && rc != MPI_ERR_IN_STATUS;
}

/*
 * Builds the array with which MPI refuses a call: null requests in the places
 * of ours, and invalid handles as they are. NULL if there is no memory.
 */
MPI_Request *route_many_refused(struct route_many *m, int n,
				const MPI_Request requests[]);
int route_many_refused_end(struct route_many *m, int rc);

/* The result of CALL, MPI's own function with that array, which refuses it. */
#define ROUTE_MANY_REFUSE(M, N, REQUESTS, CALL)        \
	(route_many_refused((M), (N), (REQUESTS))      \
		 ? route_many_refused_end((M), (CALL)) \
		 : route_error(MPI_COMM_WORLD, MPI_ERR_NO_MEM))

/* Whether all of ours are ready; each is looked at until it is. */
bool route_many_all_ready(void *many);
/* Whether one of ours is done soon. */
bool route_many_some_soon(void *many);

/*
 * MPI_Testall, once route_many_begin took the requests; `natives` asks MPI for
 * its own.
 */
int route_many_test_all(struct route_many *m, int *flag, MPI_Status statuses[],
			int (*natives)(struct route_many *m, int *flag));
/* Likewise MPI_Testany and MPI_Testsome, or MPI_Waitany and MPI_Waitsome. */
int route_many_any_run(struct route_many *m, bool waits, int *index, int *flag,
		       MPI_Status *status);
int route_many_some_run(struct route_many *m, bool waits, int *count,
			int indices[], MPI_Status statuses[]);

/*
 * Describes what the call waits for, all or any of them.  If all are needed, a
 * request without a description may be left out.  MPI's own requests are waited
 * for after ours.
 */
bool route_many_describe(struct blocked *b, struct route_many *m, bool any);

#endif
