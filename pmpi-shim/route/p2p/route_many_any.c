/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Waitany, MPI_Testany, MPI_Waitsome and MPI_Testsome.  They look for
 * finished requests among ours first, then among MPI's.
 */
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/p2p/route_many.h"

static bool has_natives(int n, const MPI_Request requests[])
{
	for (int i = 0; requests && i < n; i++)
		if (requests[i] != MPI_REQUEST_NULL)
			return true;
	return false;
}

/* True if one of ours is ready. */
static bool some_ready(void *arg)
{
	const struct route_many *m = arg;

	for (int i = 0; i < m->n; i++)
		if (route_is_ours(m->requests[i]) &&
		    route_request_get(m->requests[i])->active &&
		    route_request_is_ready(m->requests[i]))
			return true;
	return false;
}

static bool any_describe(struct blocked *b, void *many)
{
	return route_many_describe(b, many, true);
}

static void find_ours(struct route_many *m)
{
	struct route_request *r;

	for (int i = 0; i < m->n && m->n_found < m->limit; i++) {
		if (!route_is_ours(m->requests[i]))
			continue;
		r = route_request_get(m->requests[i]);
		m->any_active |= r->active;
		if (r->active && route_request_is_ready(m->requests[i]))
			m->indices[m->n_found++] = i;
	}
}

static int natives_any(struct route_many *m, int *index, int *found)
{
	return m->looks
		       ? REAL(Request_get_status_any)(m->n_native, m->natives,
						      index, found, m->statuses)
		       : REAL(Testany)(m->n_native, m->natives, index, found,
				       m->statuses);
}

static int natives_some(struct route_many *m, int *found)
{
	return m->looks ? REAL(Request_get_status_some)(m->n_native, m->natives,
							found, m->places_found,
							m->statuses)
			: REAL(Testsome)(m->n_native, m->natives, found,
					 m->places_found, m->statuses);
}

/* MPI finishes those of its own that are done, and fills in their statuses. */
static void find_natives(struct route_many *m)
{
	int found = 0;
	int index = MPI_UNDEFINED;

	m->n_native_found = 0;
	if (m->n_native == 0 || m->n_found == m->limit)
		return;
	if (m->limit == 1) {
		m->rc = natives_any(m, &index, &found);
		if (!found)
			m->any_active = true;
		if (index != MPI_UNDEFINED)
			m->places_found[0] = index;
		m->n_native_found = found && index != MPI_UNDEFINED;
		return;
	}
	m->rc = natives_some(m, &found);
	if (found != MPI_UNDEFINED) {
		m->any_active = true;
		m->n_native_found = found;
	}
}

/* True if a request is done, or none ever will be. */
static bool find(void *arg)
{
	struct route_many *m = arg;

	m->n_found = 0;
	m->any_active = false;
	m->rc = MPI_SUCCESS;
	find_ours(m);
	find_natives(m);
	return m->n_found + m->n_native_found > 0 || !m->any_active ||
	       m->rc != MPI_SUCCESS;
}

/* MPI sets the error of a status only if one of several failed. */
static void found_native(struct route_many *m, int k, MPI_Status *status)
{
	int error = MPI_SUCCESS;

	if (status == MPI_STATUS_IGNORE)
		return;
	if (m->limit == 1)
		error = status->MPI_ERROR;
	else if (m->rc == MPI_ERR_IN_STATUS)
		error = m->statuses[k].MPI_ERROR;
	*status = m->statuses[k];
	status->MPI_ERROR = error;
}

/* Finishes the requests that were found; returns the last error. */
static int found_finish(struct route_many *m, MPI_Status *statuses)
{
	MPI_Status *status;
	int error = m->rc;
	int rc;
	int i;

	for (i = 0; i < m->n_found; i++) {
		status = route_many_status_at(statuses, i);
		rc = route_many_finish_one(m, m->indices[i], status);
		if (m->limit > 1)
			route_many_status_error(status, rc);
		error = rc != MPI_SUCCESS ? rc : error;
	}
	for (int k = 0; k < m->n_native_found; k++, i++) {
		m->indices[i] = m->places[m->places_found[k]];
		found_native(m, k, route_many_status_at(statuses, i));
	}
	m->n_found = i;
	route_many_put_back(m);
	return error;
}

/* Looks once more after a test in vain. */
static void find_again(struct route_many *m, bool (*ready)(void *arg))
{
	route_catch_up(ready, route_many_some_soon, m);
	if (m->n_native)
		route_settle();
	find(m);
}

int route_many_any_run(struct route_many *m, bool waits, int *index, int *flag,
		       MPI_Status *status)
{
	int rc;

	m->limit = 1;
	m->indices = m->found_one;
	if (waits)
		engines_wait_until(&route_engines, find, m);
	else if (!find(m))
		find_again(m, some_ready);
	*flag = m->n_found + m->n_native_found > 0 || !m->any_active;
	*index = MPI_UNDEFINED;
	if (!m->any_active && m->n_found + m->n_native_found == 0)
		route_status_empty(status);
	rc = found_finish(m, status);
	if (m->n_found)
		*index = m->indices[0];
	return route_many_end(m, rc);
}

static int Waitany(int n, MPI_Request requests[], int *index,
		   MPI_Status *status)
{
	struct route_many m;
	int flag;
	int rc;

	if (!route_many_has_ours(n, requests))
		return REAL(Waitany)(n, requests, index, status);
	if (!index || !status || !route_many_are_live(n, requests))
		return ROUTE_MANY_REFUSE(
			&m, n, requests,
			REAL(Waitany)(n, m.natives, index, status));
	rc = route_many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return route_many_end(&m, rc);
	return route_many_any_run(&m, true, index, &flag, status);
}

static int native_testany(int n, MPI_Request requests[], int *index, int *flag,
			  MPI_Status *status)
{
	const int rc = REAL(Testany)(n, requests, index, flag, status);

	return route_said_no(rc, flag)
		       ? REAL(Testany)(n, requests, index, flag, status)
		       : rc;
}

static int Testany(int n, MPI_Request requests[], int *index, int *flag,
		   MPI_Status *status)
{
	struct route_many m;
	int rc;

	if (!route_many_has_ours(n, requests))
		return native_testany(n, requests, index, flag, status);
	if (!index || !flag || !status || !route_many_are_live(n, requests))
		return ROUTE_MANY_REFUSE(
			&m, n, requests,
			REAL(Testany)(n, m.natives, index, flag, status));
	rc = route_many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return route_many_end(&m, rc);
	return route_many_any_run(&m, false, index, flag, status);
}

/* So that all requests that are done are found, not only the first. */
static void some_settle(struct route_many *m)
{
	if (!route_many_all_ready(m))
		engines_settle(&route_engines, route_many_all_ready,
			       route_many_some_soon, m);
	if (m->n_native)
		route_settle();
}

int route_many_some_run(struct route_many *m, bool waits, int *count,
			int indices[], MPI_Status statuses[])
{
	int rc;

	/* At least two, so that one is told from some. */
	m->limit = m->n > 1 ? m->n : 2;
	m->indices = indices;
	if (waits)
		engines_wait_until(&route_engines, find, m);
	else if (some_settle(m), !find(m))
		find_again(m, route_many_all_ready);
	if (route_many_is_refused(m->rc))
		return route_many_refused_end(m, m->rc);
	*count = m->any_active ? 0 : MPI_UNDEFINED;
	rc = found_finish(m, statuses);
	if (m->n_found)
		*count = m->n_found;
	return route_many_end(m, rc == MPI_SUCCESS ? rc : MPI_ERR_IN_STATUS);
}

static int Waitsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	struct route_many m;
	int rc;

	if (!route_many_has_ours(n, requests))
		return REAL(Waitsome)(n, requests, count, indices, statuses);
	if (!count || !indices || !statuses ||
	    !route_many_are_live(n, requests))
		return ROUTE_MANY_REFUSE(
			&m, n, requests,
			REAL(Waitsome)(n, m.natives, count, indices, statuses));
	rc = route_many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return route_many_end(&m, rc);
	return route_many_some_run(&m, true, count, indices, statuses);
}

static int Testsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	struct route_many m;
	int rc;

	if (!route_many_has_ours(n, requests)) {
		if (has_natives(n, requests))
			route_settle();
		return REAL(Testsome)(n, requests, count, indices, statuses);
	}
	if (!count || !indices || !statuses ||
	    !route_many_are_live(n, requests))
		return ROUTE_MANY_REFUSE(
			&m, n, requests,
			REAL(Testsome)(n, m.natives, count, indices, statuses));
	rc = route_many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return route_many_end(&m, rc);
	return route_many_some_run(&m, false, count, indices, statuses);
}

void route_many_any_install(struct shim_pmpi *table)
{
	route_blocked_know(find, any_describe);
	table->MPI_Waitany = Waitany;
	table->MPI_Testany = Testany;
	table->MPI_Waitsome = Waitsome;
	table->MPI_Testsome = Testsome;
}
