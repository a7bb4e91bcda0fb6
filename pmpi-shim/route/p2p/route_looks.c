/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Request_get_status_any, _all and _some, of MPI 4.1.  They look at
 * requests as MPI_Testany and its kin do, and leave them as they are.  MPI is
 * asked for its own: an inactive request of MPI's does not show otherwise.
 */
#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/p2p/route_many.h"

/* Some versions of mpi.h say that the array is constant, and others do not. */
static int looks_begin(struct route_many *m, int n,
		       const MPI_Request requests[])
{
	const int rc = route_many_begin(m, n, (MPI_Request *)requests);

	m->looks = true;
	return rc;
}

static bool has_natives(int n, const MPI_Request requests[])
{
	for (int i = 0; requests && i < n; i++)
		if (requests[i] != MPI_REQUEST_NULL)
			return true;
	return false;
}

static int natives_all(int n, const MPI_Request requests[], int *flag,
		       MPI_Status statuses[])
{
	MPI_Request *const all = (MPI_Request *)requests;
	const int rc = REAL(Request_get_status_all)(n, all, flag, statuses);

	return route_said_no(rc, flag)
		       ? REAL(Request_get_status_all)(n, all, flag, statuses)
		       : rc;
}

static int natives_look(struct route_many *m, int *flag)
{
	return natives_all(m->n_native, m->natives, flag, m->statuses);
}

static bool look_all(enum shim_call call, int *rc, int n,
		     const MPI_Request requests[], int *flag,
		     MPI_Status statuses[])
{
	struct route_many m;

	(void)call;
	if (!route_many_has_ours(n, requests))
		*rc = natives_all(n, requests, flag, statuses);
	else if (!flag || !statuses || !route_many_are_live(n, requests))
		*rc = ROUTE_MANY_REFUSE(&m, n, requests,
					REAL(Request_get_status_all)(
						n, m.natives, flag, statuses));
	else if ((*rc = looks_begin(&m, n, requests)) != MPI_SUCCESS)
		*rc = route_many_end(&m, *rc);
	else
		*rc = route_many_test_all(&m, flag, statuses, natives_look);
	return true;
}

static int natives_any(int n, const MPI_Request requests[], int *index,
		       int *flag, MPI_Status *status)
{
	MPI_Request *const all = (MPI_Request *)requests;
	const int rc = REAL(Request_get_status_any)(n, all, index, flag,
						    status);

	return route_said_no(rc, flag) ? REAL(Request_get_status_any)(
						 n, all, index, flag, status)
				       : rc;
}

static bool look_any(enum shim_call call, int *rc, int n,
		     const MPI_Request requests[], int *index, int *flag,
		     MPI_Status *status)
{
	struct route_many m;

	(void)call;
	if (!route_many_has_ours(n, requests))
		*rc = natives_any(n, requests, index, flag, status);
	else if (!index || !flag || !status ||
		 !route_many_are_live(n, requests))
		*rc = ROUTE_MANY_REFUSE(
			&m, n, requests,
			REAL(Request_get_status_any)(n, m.natives, index, flag,
						     status));
	else if ((*rc = looks_begin(&m, n, requests)) != MPI_SUCCESS)
		*rc = route_many_end(&m, *rc);
	else
		*rc = route_many_any_run(&m, false, index, flag, status);
	return true;
}

static int natives_some(int n, const MPI_Request requests[], int *count,
			int indices[], MPI_Status statuses[])
{
	if (has_natives(n, requests))
		route_settle();
	return REAL(Request_get_status_some)(n, (MPI_Request *)requests, count,
					     indices, statuses);
}

static bool look_some(enum shim_call call, int *rc, int n,
		      const MPI_Request requests[], int *count, int indices[],
		      MPI_Status statuses[])
{
	struct route_many m;

	(void)call;
	if (!route_many_has_ours(n, requests))
		*rc = natives_some(n, requests, count, indices, statuses);
	else if (!count || !indices || !statuses ||
		 !route_many_are_live(n, requests))
		*rc = ROUTE_MANY_REFUSE(
			&m, n, requests,
			REAL(Request_get_status_some)(n, m.natives, count,
						      indices, statuses));
	else if ((*rc = looks_begin(&m, n, requests)) != MPI_SUCCESS)
		*rc = route_many_end(&m, *rc);
	else
		*rc = route_many_some_run(&m, false, count, indices, statuses);
	return true;
}

ROUTE_TRY(Request_get_status_all, look_all)
ROUTE_TRY(Request_get_status_any, look_any)
ROUTE_TRY(Request_get_status_some, look_some)

void route_looks_install(struct shim_pmpi *table)
{
	ROUTE_INSTALL(Request_get_status_all, table);
	ROUTE_INSTALL(Request_get_status_any, table);
	ROUTE_INSTALL(Request_get_status_some, table);
}
