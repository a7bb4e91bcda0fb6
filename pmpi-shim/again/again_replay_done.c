/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Repeats which requests were done.  A test that said no says no at once.  A
 * test that said yes waits for the requests that were done.
 */
#include "pmpi-shim/again/again_replay.h"
#include "pmpi-shim/route/base/route_forms.h"

#define REAL(name) (*again_replayed.MPI_##name)

static int Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct schedule_outcome o;

	if (!again_told(SHIM_MPI_Test, &o))
		return REAL(Test)(request, flag, status);
	*flag = o.value != 0;
	return *flag ? REAL(Wait)(request, status) : MPI_SUCCESS;
}

static int Testall(int n, MPI_Request requests[], int *flag,
		   MPI_Status statuses[])
{
	struct schedule_outcome o;

	if (!again_told(SHIM_MPI_Testall, &o))
		return REAL(Testall)(n, requests, flag, statuses);
	*flag = o.value != 0;
	return *flag ? REAL(Waitall)(n, requests, statuses) : MPI_SUCCESS;
}

/* Looks until the request is done. */
static int look(MPI_Request request, MPI_Status *status)
{
	int flag = 0;
	int rc;

	do
		rc = REAL(Request_get_status)(request, &flag, status);
	while (rc == MPI_SUCCESS && !flag);
	return rc;
}

static int Request_get_status(MPI_Request request, int *flag,
			      MPI_Status *status)
{
	struct schedule_outcome o;

	if (!again_told(SHIM_MPI_Request_get_status, &o))
		return REAL(Request_get_status)(request, flag, status);
	*flag = o.value != 0;
	return *flag ? look(request, status) : MPI_SUCCESS;
}

/* `index` was done, if the program has such a request now. */
static bool has_request(const struct schedule_outcome *o, enum shim_call call,
			int n, uint64_t index)
{
	if (index < (uint64_t)n)
		return true;
	again_told_misfits(o, call);
	return false;
}

static int Waitany(int n, MPI_Request requests[], int *index,
		   MPI_Status *status)
{
	struct schedule_outcome o;

	if (!again_told(SHIM_MPI_Waitany, &o) || o.value == 0 ||
	    !has_request(&o, SHIM_MPI_Waitany, n, o.value - 1))
		return REAL(Waitany)(n, requests, index, status);
	*index = (int)(o.value - 1);
	return REAL(Wait)(&requests[*index], status);
}

static int Testany(int n, MPI_Request requests[], int *index, int *flag,
		   MPI_Status *status)
{
	struct schedule_outcome o;

	if (!again_told(SHIM_MPI_Testany, &o) || o.value == 1 ||
	    (o.value > 1 && !has_request(&o, SHIM_MPI_Testany, n, o.value - 2)))
		return REAL(Testany)(n, requests, index, flag, status);
	*flag = o.value > 1;
	*index = *flag ? (int)(o.value - 2) : MPI_UNDEFINED;
	return *flag ? REAL(Wait)(&requests[*index], status) : MPI_SUCCESS;
}

static void status_error(MPI_Status statuses[], int i, int error)
{
	if (statuses != MPI_STATUSES_IGNORE)
		statuses[i].MPI_ERROR = error;
}

static int request_wait(MPI_Request *request, MPI_Status *status)
{
	return REAL(Wait)(request, status);
}

static int request_look(MPI_Request *request, MPI_Status *status)
{
	return look(*request, status);
}

typedef int finish_fn(MPI_Request *request, MPI_Status *status);

/* Finishes those of the list; errors are in statuses, as MPI puts them there.
 */
static int list_finish(finish_fn *finish, int n, MPI_Request requests[],
		       const int indices[], MPI_Status statuses[])
{
	bool failed = false;
	int rc;

	for (int i = 0; i < n; i++) {
		rc = finish(&requests[indices[i]],
			    statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE
							    : &statuses[i]);
		for (int k = 0; rc != MPI_SUCCESS && !failed && k < i; k++)
			status_error(statuses, k, MPI_SUCCESS);
		failed |= rc != MPI_SUCCESS;
		if (failed)
			status_error(statuses, i, rc);
	}
	return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

/* The recorded list; false if the program has no such requests now. */
static bool list_take(const struct schedule_outcome *o, enum shim_call call,
		      int n, int indices[])
{
	uint64_t index;

	if (!has_request(o, call, n, o->value - 1))
		return false;
	for (uint64_t i = 0; i < o->value; i++) {
		index = again_told_listed();
		if (!has_request(o, call, n, index))
			return false;
		indices[i] = (int)index;
	}
	return true;
}

/* False: the call is to be MPI's. */
static bool some(enum shim_call call, int *rc, int n, MPI_Request requests[],
		 int *count, int indices[], MPI_Status statuses[])
{
	finish_fn *const finish = call == SHIM_MPI_Request_get_status_some
					  ? request_look
					  : request_wait;
	struct schedule_outcome o;

	if (!again_told(call, &o))
		return false;
	if (o.is_list && o.value > 0) {
		if (!list_take(&o, call, n, indices))
			return false;
		*count = (int)o.value;
		*rc = list_finish(finish, *count, requests, indices, statuses);
		return true;
	}
	*count = 0;
	*rc = MPI_SUCCESS;
	return o.value == 1;
}

static int Waitsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	int rc;

	return some(SHIM_MPI_Waitsome, &rc, n, requests, count, indices,
		    statuses)
		       ? rc
		       : REAL(Waitsome)(n, requests, count, indices, statuses);
}

static int Testsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	int rc;

	return some(SHIM_MPI_Testsome, &rc, n, requests, count, indices,
		    statuses)
		       ? rc
		       : REAL(Testsome)(n, requests, count, indices, statuses);
}

static bool look_some(enum shim_call call, int *rc, int n,
		      const MPI_Request requests[], int *count, int indices[],
		      MPI_Status statuses[])
{
	/* They stay as they are. */
	return some(call, rc, n, (MPI_Request *)requests, count, indices,
		    statuses);
}

static bool look_any(enum shim_call call, int *rc, int n,
		     const MPI_Request requests[], int *index, int *flag,
		     MPI_Status *status)
{
	struct schedule_outcome o;

	if (!again_told(call, &o) || o.value == 1 ||
	    (o.value > 1 && !has_request(&o, call, n, o.value - 2)))
		return false;
	*flag = o.value > 1;
	*index = *flag ? (int)(o.value - 2) : MPI_UNDEFINED;
	*rc = *flag ? look(requests[*index], status) : MPI_SUCCESS;
	return true;
}

static bool look_all(enum shim_call call, int *rc, int n,
		     const MPI_Request requests[], int *flag,
		     MPI_Status statuses[])
{
	struct schedule_outcome o;

	if (!again_told(call, &o))
		return false;
	*flag = 0;
	*rc = MPI_SUCCESS;
	while (o.value != 0 && *rc == MPI_SUCCESS && !*flag)
		*rc = REAL(Request_get_status_all)(n, (MPI_Request *)requests,
						   flag, statuses);
	return true;
}

ROUTE_TRY(Request_get_status_all, look_all)
ROUTE_TRY(Request_get_status_any, look_any)
ROUTE_TRY(Request_get_status_some, look_some)

void again_replay_done_install(struct shim_pmpi *table)
{
	table->MPI_Waitany = Waitany;
	table->MPI_Waitsome = Waitsome;
	table->MPI_Test = Test;
	table->MPI_Testall = Testall;
	table->MPI_Testany = Testany;
	table->MPI_Testsome = Testsome;
	table->MPI_Request_get_status = Request_get_status;
	ROUTE_INSTALL(Request_get_status_all, table);
	ROUTE_INSTALL(Request_get_status_any, table);
	ROUTE_INSTALL(Request_get_status_some, table);
}
