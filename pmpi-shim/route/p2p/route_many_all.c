/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Waitall and MPI_Testall.  Once all of ours are ready, they are finished;
 * MPI finishes its own in one call.
 */
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/p2p/route_many.h"

/* Finishes ours, and null ones; true if the call or one of them failed. */
static bool many_finish(struct route_many *m, MPI_Status statuses[], int rc)
{
	bool failed = rc != MPI_SUCCESS;
	MPI_Status *status;
	int one;

	for (int i = 0; i < m->n; i++) {
		status = route_many_status_at(statuses, i);
		one = MPI_SUCCESS;
		if (route_is_ours(m->requests[i]))
			one = route_many_finish_one(m, i, status);
		else if (m->requests[i] == MPI_REQUEST_NULL)
			route_status_empty(status);
		else
			continue;
		route_many_status_error(status, one);
		failed |= one != MPI_SUCCESS;
	}
	return failed;
}

/* Puts the statuses of MPI's requests into their places. */
static void many_natives(struct route_many *m, MPI_Status statuses[], int rc)
{
	for (int i = 0; i < m->n_native; i++) {
		if (statuses == MPI_STATUSES_IGNORE)
			continue;
		statuses[m->places[i]] = m->statuses[i];
		if (rc != MPI_ERR_IN_STATUS)
			statuses[m->places[i]].MPI_ERROR = rc;
	}
}

/* Finishes the call: all requests are done. */
static int many_all(struct route_many *m, MPI_Status statuses[], int rc)
{
	const bool failed = many_finish(m, statuses, rc);

	many_natives(m, statuses, rc);
	route_many_put_back(m);
	return route_many_end(m, failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
}

static bool all_describe(struct blocked *b, void *many)
{
	return route_many_describe(b, many, false);
}

static int Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
	struct route_many m;
	int rc;

	if (!route_many_has_ours(n, requests))
		return REAL(Waitall)(n, requests, statuses);
	if (!statuses || !route_many_are_live(n, requests))
		return ROUTE_MANY_REFUSE(&m, n, requests,
					 REAL(Waitall)(n, m.natives, statuses));
	rc = route_many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return route_many_end(&m, rc);
	/* Once for all: between two waits the helper would be called for. */
	engines_wait_until(&route_engines, route_many_all_ready, &m);
	if (m.n_native)
		rc = REAL(Waitall)(m.n_native, m.natives, m.statuses);
	return many_all(&m, statuses, rc);
}

static int native_testall(int n, MPI_Request requests[], int *flag,
			  MPI_Status statuses[])
{
	const int rc = REAL(Testall)(n, requests, flag, statuses);

	return route_said_no(rc, flag)
		       ? REAL(Testall)(n, requests, flag, statuses)
		       : rc;
}

static int natives_test(struct route_many *m, int *flag)
{
	return native_testall(m->n_native, m->natives, flag, m->statuses);
}

int route_many_test_all(struct route_many *m, int *flag, MPI_Status statuses[],
			int (*natives)(struct route_many *m, int *flag))
{
	int rc = MPI_SUCCESS;

	if (!route_many_all_ready(m))
		route_catch_up(route_many_all_ready, route_many_some_soon, m);
	*flag = route_many_all_ready(m);
	if (*flag && m->n_native)
		rc = natives(m, flag);
	if (route_many_is_refused(rc))
		return route_many_refused_end(m, rc);
	return *flag ? many_all(m, statuses, rc) : route_many_end(m, rc);
}

static int Testall(int n, MPI_Request requests[], int *flag,
		   MPI_Status statuses[])
{
	struct route_many m;
	int rc;

	if (!route_many_has_ours(n, requests))
		return native_testall(n, requests, flag, statuses);
	if (!flag || !statuses || !route_many_are_live(n, requests))
		return ROUTE_MANY_REFUSE(
			&m, n, requests,
			REAL(Testall)(n, m.natives, flag, statuses));
	rc = route_many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return route_many_end(&m, rc);
	return route_many_test_all(&m, flag, statuses, natives_test);
}

void route_many_all_install(struct shim_pmpi *table)
{
	route_blocked_know(route_many_all_ready, all_describe);
	table->MPI_Waitall = Waitall;
	table->MPI_Testall = Testall;
}
