/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Shared by MPI_Waitall, MPI_Testany and the other calls for arrays: takes
 * MPI's requests out of the array, and puts them back into their places.
 */
#include "pmpi-shim/route/p2p/route_many.h"

static bool many_room(struct route_many *m)
{
	const size_t n = (size_t)m->n;

	m->natives = m->few_natives;
	m->places = m->few_places;
	m->places_found = m->few_places + ROUTE_MANY_FEW;
	m->statuses = m->few_statuses;
	m->memory = NULL;
	if (n <= ROUTE_MANY_FEW)
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

int route_many_begin(struct route_many *m, int n, MPI_Request requests[])
{
	m->n = n;
	m->requests = requests;
	m->n_native = 0;
	m->n_ready = 0;
	m->looks = false;
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

MPI_Request *route_many_refused(struct route_many *m, int n,
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

int route_many_refused_end(struct route_many *m, int rc)
{
	free(m->memory);
	return rc;
}

void route_many_put_back(struct route_many *m)
{
	for (int i = 0; !m->looks && i < m->n_native; i++)
		m->requests[m->places[i]] = m->natives[i];
}

int route_many_end(struct route_many *m, int rc)
{
	free(m->memory);
	return route_error(MPI_COMM_WORLD, rc);
}

bool route_many_all_ready(void *arg)
{
	struct route_many *m = arg;

	for (; m->n_ready < m->n; m->n_ready++)
		if (route_is_ours(m->requests[m->n_ready]) &&
		    !route_request_is_ready(m->requests[m->n_ready]))
			return false;
	return true;
}

bool route_many_some_soon(void *arg)
{
	const struct route_many *m = arg;

	for (int i = 0; i < m->n; i++)
		if (route_is_ours(m->requests[i]) &&
		    route_request_is_soon(m->requests[i]))
			return true;
	return false;
}

/* A finished request is not waited for; if any one is enough, nor are others.
 */
static bool one_describe(struct blocked *b, struct route_many *m, int i,
			 bool any)
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

bool route_many_describe(struct blocked *b, struct route_many *m, bool any)
{
	if (!route_blocked_group(b, any, NULL) || (any && m->n_native))
		return false;
	for (int i = 0; i < m->n; i++)
		if (!one_describe(b, m, i, any))
			return false;
	return b->record.n_wants > 0;
}
