/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Waitall, MPI_Testany and the other calls, on requests of ours and MPI's
 * mixed. MPI's are handed to it as an array of their own.
 */
#include <stdlib.h>

#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_progress.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"

#define FEW 64

/* An array of requests, and those of MPI in it. */
struct many {
	int n;
	MPI_Request *requests;
	int n_native;
	MPI_Request *natives;
	int *places;       /* of the natives in the array, */
	int *places_found; /* and of those found among the natives */
	MPI_Status *statuses;
	void *memory;
	MPI_Request few_natives[FEW];
	int few_places[2 * FEW];
	MPI_Status few_statuses[FEW];

	int n_ready; /* the first so many are */

	/* The result array of a call that looks for some finished requests. */
	int *indices;
	int limit;
	int n_found;
	int n_native_found;
	int rc;
	bool any_active;
	int found_one[1];
};

static bool has_ours(int n, const MPI_Request requests[])
{
	for (int i = 0; requests && i < n; i++)
		if (route_is_ours(requests[i]))
			return true;
	return false;
}

static bool has_natives(int n, const MPI_Request requests[])
{
	for (int i = 0; requests && i < n; i++)
		if (requests[i] != MPI_REQUEST_NULL)
			return true;
	return false;
}

static bool many_room(struct many *m)
{
	const size_t n = (size_t)m->n;

	m->natives = m->few_natives;
	m->places = m->few_places;
	m->places_found = m->few_places + FEW;
	m->statuses = m->few_statuses;
	m->memory = NULL;
	if (n <= FEW)
		return true;
	m->memory = malloc(n * (sizeof(MPI_Request) + 2 * sizeof(int) +
				sizeof(MPI_Status)));
	if (!m->memory)
		return false;
	m->statuses = m->memory;
	m->natives = (MPI_Request *)(m->statuses + n);
	m->places = (int *)(m->natives + n);
	m->places_found = m->places + n;
	return true;
}

static int many_begin(struct many *m, int n, MPI_Request requests[])
{
	m->n = n;
	m->requests = requests;
	m->n_native = 0;
	m->n_ready = 0;
	if (!many_room(m))
		return MPI_ERR_NO_MEM;
	for (int i = 0; i < n; i++) {
		if (route_is_ours(requests[i]) ||
		    requests[i] == MPI_REQUEST_NULL)
			continue;
		m->natives[m->n_native] = requests[i];
		m->places[m->n_native++] = i;
	}
	return MPI_SUCCESS;
}

/*
 * Builds the array with which MPI refuses a call: null requests in the places
 * of ours, and invalid handles as they are. NULL if there is no memory.
 */
static MPI_Request *many_refused(struct many *m, int n,
				 const MPI_Request requests[])
{
	m->n = n;
	if (!many_room(m))
		return NULL;
	for (int i = 0; i < n; i++)
		m->natives[i] = route_request_is_live(requests[i])
					? MPI_REQUEST_NULL
					: requests[i];
	return m->natives;
}

/* Whether all that are ours are requests. */
static bool are_live(int n, const MPI_Request requests[])
{
	for (int i = 0; i < n; i++)
		if (route_is_ours(requests[i]) &&
		    !route_request_is_live(requests[i]))
			return false;
	return true;
}

#define REFUSE(M, N, REQUESTS, CALL)        \
	(many_refused((M), (N), (REQUESTS)) \
		 ? refused_end((M), (CALL)) \
		 : route_error(MPI_COMM_WORLD, MPI_ERR_NO_MEM))

static int refused_end(struct many *m, int rc)
{
	free(m->memory);
	return rc;
}

static void many_put_back(struct many *m)
{
	for (int i = 0; i < m->n_native; i++)
		m->requests[m->places[i]] = m->natives[i];
}

static MPI_Status *status_at(MPI_Status statuses[], int i)
{
	return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE
					       : &statuses[i];
}

static void status_error(MPI_Status *status, int error)
{
	if (status != MPI_STATUS_IGNORE)
		status->MPI_ERROR = error;
}

/* Ours, and null ones, once all are done; whether one of them failed. */
static bool many_finish(struct many *m, MPI_Status statuses[], int rc)
{
	bool failed = rc != MPI_SUCCESS;
	MPI_Status *status;
	int one;

	for (int i = 0; i < m->n; i++) {
		status = status_at(statuses, i);
		one = MPI_SUCCESS;
		if (route_is_ours(m->requests[i]))
			one = route_request_finish(&m->requests[i], status,
						   NULL);
		else if (m->requests[i] == MPI_REQUEST_NULL)
			route_status_empty(status);
		else
			continue;
		status_error(status, one);
		failed |= one != MPI_SUCCESS;
	}
	return failed;
}

/* MPI's are put in their places. */
static void many_natives(struct many *m, MPI_Status statuses[], int rc)
{
	for (int i = 0; i < m->n_native; i++) {
		if (statuses == MPI_STATUSES_IGNORE)
			continue;
		statuses[m->places[i]] = m->statuses[i];
		if (rc != MPI_ERR_IN_STATUS)
			statuses[m->places[i]].MPI_ERROR = rc;
	}
}

static int many_end(struct many *m, int rc)
{
	free(m->memory);
	return route_error(MPI_COMM_WORLD, rc);
}

/* All are done. */
static int many_all(struct many *m, MPI_Status statuses[], int rc)
{
	const bool failed = many_finish(m, statuses, rc);

	many_natives(m, statuses, rc);
	many_put_back(m);
	return many_end(m, failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
}

/* All of ours, each of which is looked at until it is. */
static bool all_ready(void *arg)
{
	struct many *m = arg;

	for (; m->n_ready < m->n; m->n_ready++)
		if (route_is_ours(m->requests[m->n_ready]) &&
		    !route_request_is_ready(m->requests[m->n_ready]))
			return false;
	return true;
}

/* One of ours is done soon. */
static bool some_soon(void *arg)
{
	const struct many *m = arg;

	for (int i = 0; i < m->n; i++)
		if (route_is_ours(m->requests[i]) &&
		    route_request_is_soon(m->requests[i]))
			return true;
	return false;
}

/* One of ours is ready. */
static bool some_ready(void *arg)
{
	const struct many *m = arg;

	for (int i = 0; i < m->n; i++)
		if (route_is_ours(m->requests[i]) &&
		    route_request_get(m->requests[i])->active &&
		    route_request_is_ready(m->requests[i]))
			return true;
	return false;
}

/* A finished request is not waited for; if any is enough, none is. */
static bool one_describe(struct blocked *b, struct many *m, int i, bool any)
{
	struct route_request *r;

	if (!route_is_ours(m->requests[i]))
		return true;
	r = route_request_get(m->requests[i]);
	if (!r->active)
		return true;
	if (route_request_is_ready(m->requests[i]))
		return !any;
	return route_request_describe(b, r) || !any;
}

/*
 * If all are needed, a request without a description may be left out.  MPI's
 * own requests are waited for after ours.
 */
static bool many_describe(struct blocked *b, struct many *m, bool any)
{
	if (!route_blocked_group(b, any, NULL) || (any && m->n_native))
		return false;
	for (int i = 0; i < m->n; i++)
		if (!one_describe(b, m, i, any))
			return false;
	return b->record.n_wants > 0;
}

static bool all_describe(struct blocked *b, void *many)
{
	return many_describe(b, many, false);
}

static bool any_describe(struct blocked *b, void *many)
{
	return many_describe(b, many, true);
}

static int Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
	struct many m;
	int rc;

	if (!has_ours(n, requests))
		return REAL(Waitall)(n, requests, statuses);
	if (!statuses || !are_live(n, requests))
		return REFUSE(&m, n, requests,
			      REAL(Waitall)(n, m.natives, statuses));
	rc = many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return many_end(&m, rc);
	/* Once for all: between two waits the helper would be called for. */
	engines_wait_until(&route_engines, all_ready, &m);
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

static int Testall(int n, MPI_Request requests[], int *flag,
		   MPI_Status statuses[])
{
	struct many m;
	int rc;

	if (!has_ours(n, requests))
		return native_testall(n, requests, flag, statuses);
	if (!flag || !statuses || !are_live(n, requests))
		return REFUSE(&m, n, requests,
			      REAL(Testall)(n, m.natives, flag, statuses));
	rc = many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return many_end(&m, rc);
	if (!all_ready(&m))
		route_catch_up(all_ready, some_soon, &m);
	*flag = all_ready(&m);
	if (*flag && m.n_native)
		rc = native_testall(m.n_native, m.natives, flag, m.statuses);
	if (!*flag)
		return many_end(&m, rc);
	return many_all(&m, statuses, rc);
}

static void find_ours(struct many *m)
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

/* MPI's that are done are finished by it, with their statuses. */
static void find_natives(struct many *m)
{
	int found = 0;
	int index = MPI_UNDEFINED;

	m->n_native_found = 0;
	if (m->n_native == 0 || m->n_found == m->limit)
		return;
	if (m->limit == 1) {
		m->rc = REAL(Testany)(m->n_native, m->natives, &index, &found,
				      m->statuses);
		if (!found)
			m->any_active = true;
		if (index != MPI_UNDEFINED)
			m->places_found[0] = index;
		m->n_native_found = found && index != MPI_UNDEFINED;
		return;
	}
	m->rc = REAL(Testsome)(m->n_native, m->natives, &found, m->places_found,
			       m->statuses);
	if (found != MPI_UNDEFINED) {
		m->any_active = true;
		m->n_native_found = found;
	}
}

/* Whether there is one that is done, or none that ever will be. */
static bool find(void *arg)
{
	struct many *m = arg;

	m->n_found = 0;
	m->any_active = false;
	m->rc = MPI_SUCCESS;
	find_ours(m);
	find_natives(m);
	return m->n_found + m->n_native_found > 0 || !m->any_active ||
	       m->rc != MPI_SUCCESS;
}

/* MPI sets the error of a status only where one of several is wrong. */
static void found_native(struct many *m, int k, MPI_Status *status)
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

/* Finishes what was found; how many failed. */
static int found_finish(struct many *m, MPI_Status *statuses)
{
	MPI_Status *status;
	int error = m->rc;
	int rc;
	int i;

	for (i = 0; i < m->n_found; i++) {
		status = status_at(statuses, i);
		rc = route_request_finish(&m->requests[m->indices[i]], status,
					  NULL);
		if (m->limit > 1)
			status_error(status, rc);
		error = rc != MPI_SUCCESS ? rc : error;
	}
	for (int k = 0; k < m->n_native_found; k++, i++) {
		m->indices[i] = m->places[m->places_found[k]];
		found_native(m, k, status_at(statuses, i));
	}
	m->n_found = i;
	many_put_back(m);
	return error;
}

/* A test in vain. */
static void find_again(struct many *m, bool (*ready)(void *arg))
{
	route_catch_up(ready, some_soon, m);
	if (m->n_native)
		route_settle();
	find(m);
}

static int any_run(struct many *m, bool waits, int *index, int *flag,
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
	return many_end(m, rc);
}

static int Waitany(int n, MPI_Request requests[], int *index,
		   MPI_Status *status)
{
	struct many m;
	int flag;
	int rc;

	if (!has_ours(n, requests))
		return REAL(Waitany)(n, requests, index, status);
	if (!index || !status || !are_live(n, requests))
		return REFUSE(&m, n, requests,
			      REAL(Waitany)(n, m.natives, index, status));
	rc = many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return many_end(&m, rc);
	return any_run(&m, true, index, &flag, status);
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
	struct many m;
	int rc;

	if (!has_ours(n, requests))
		return native_testany(n, requests, index, flag, status);
	if (!index || !flag || !status || !are_live(n, requests))
		return REFUSE(&m, n, requests,
			      REAL(Testany)(n, m.natives, index, flag, status));
	rc = many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return many_end(&m, rc);
	return any_run(&m, false, index, flag, status);
}

/* All that came is found, not only the first of it. */
static void some_settle(struct many *m)
{
	if (!all_ready(m))
		engines_settle(&route_engines, all_ready, some_soon, m);
	if (m->n_native)
		route_settle();
}

static int some_run(struct many *m, bool waits, int *count, int indices[],
		    MPI_Status statuses[])
{
	int rc;

	/* At least two, so that one is told from some. */
	m->limit = m->n > 1 ? m->n : 2;
	m->indices = indices;
	if (waits)
		engines_wait_until(&route_engines, find, m);
	else if (some_settle(m), !find(m))
		find_again(m, all_ready);
	*count = m->any_active ? 0 : MPI_UNDEFINED;
	rc = found_finish(m, statuses);
	if (m->n_found)
		*count = m->n_found;
	return many_end(m, rc == MPI_SUCCESS ? rc : MPI_ERR_IN_STATUS);
}

static int Waitsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	struct many m;
	int rc;

	if (!has_ours(n, requests))
		return REAL(Waitsome)(n, requests, count, indices, statuses);
	if (!count || !indices || !statuses || !are_live(n, requests))
		return REFUSE(
			&m, n, requests,
			REAL(Waitsome)(n, m.natives, count, indices, statuses));
	rc = many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return many_end(&m, rc);
	return some_run(&m, true, count, indices, statuses);
}

static int Testsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	struct many m;
	int rc;

	if (!has_ours(n, requests)) {
		if (has_natives(n, requests))
			route_settle();
		return REAL(Testsome)(n, requests, count, indices, statuses);
	}
	if (!count || !indices || !statuses || !are_live(n, requests))
		return REFUSE(
			&m, n, requests,
			REAL(Testsome)(n, m.natives, count, indices, statuses));
	rc = many_begin(&m, n, requests);
	if (rc != MPI_SUCCESS)
		return many_end(&m, rc);
	return some_run(&m, false, count, indices, statuses);
}

void route_many_install(struct shim_pmpi *table)
{
	route_blocked_know(all_ready, all_describe);
	route_blocked_know(find, any_describe);
	table->MPI_Waitall = Waitall;
	table->MPI_Testall = Testall;
	table->MPI_Waitany = Waitany;
	table->MPI_Testany = Testany;
	table->MPI_Waitsome = Waitsome;
	table->MPI_Testsome = Testsome;
}
