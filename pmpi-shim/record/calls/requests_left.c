/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the requests that the program forgot. */
#include <stddef.h>

#include "handles.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/findings/findings.h"

static bool (*ready)(MPI_Request request);

void shim_requests_unseen(const MPI_Request requests[], int n)
{
	for (int i = 0; requests && i < n; i++) {
		struct shim_place *place = shim_place_find(requests[i]);

		if (place)
			place->request.unknown = true;
	}
}

static bool is_there(const struct shim_place *place)
{
	return __atomic_load_n(&place->stamp, __ATOMIC_RELAXED) &&
	       !place->request.unknown;
}

static void ask(void *entry, abi_number number)
{
	struct shim_place *place = entry;
	struct shim_request *r = &place->request;

	if (is_there(place) && r->active && r->kind == SHIM_REQUEST_RECV)
		r->waits = abi_request_is_ours(abi_request_of(number)) &&
			   !ready(abi_request_of(number));
}

void shim_requests_ask(bool (*is_ready)(MPI_Request request))
{
	ready = is_ready;
	if (ready)
		handles_each(&shim_places, ask);
}

/* MPI_PROC_NULL: that nothing moves is meant. */
void shim_request_look_idle(const struct shim_request *r)
{
	if (!r->persistent || r->started || !r->idle || r->unknown ||
	    (r->kind != SHIM_REQUEST_COLLECTIVE && r->peer == MPI_PROC_NULL))
		return;
	findings_count(&(struct finding_about){
		.key = r->key,
		.comm = MMDS_NONE,
		.what = FINDING_IDLE,
	});
}

static enum finding what_of(const struct shim_request *r)
{
	if (r->kind == SHIM_REQUEST_MESSAGE)
		return FINDING_PROBED;
	if (r->waits)
		return FINDING_RECEIVE;
	return FINDING_REQUEST;
}

static void count(void *entry, abi_number number)
{
	const struct shim_place *place = entry;
	const struct shim_request *r = &place->request;
	const bool has_peer = r->kind == SHIM_REQUEST_SEND ||
			      r->kind == SHIM_REQUEST_RECV;
	const struct finding_about about = {
		.key = r->key,
		.comm = has_peer ? r->row : MMDS_NONE,
		.peer = has_peer ? r->peer : 0,
		.tag = has_peer ? r->tag : 0,
		.what = what_of(r),
	};
	struct finding_row *row;

	(void)number;
	/*
	 * A request that was not started counts as an object that was not
	 * freed.
	 */
	if (is_there(place))
		shim_request_look_idle(r);
	if (!is_there(place) || !r->active)
		return;
	row = findings_row(&about);
	if (row)
		row->n++;
}

void shim_requests_left(void)
{
	handles_each(&shim_places, count);
}
