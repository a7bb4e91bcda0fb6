/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The calls that begin, complete and forget requests.  MPI overwrites the
 * handles of completed requests, so ours are looked up before the call.  MPI
 * tells in statuses what came, so we pass some even where the program wants
 * none.
 */
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/record/calls/pending.h"
#include "pmpi-shim/record/calls/transfer.h"
#include "pmpi-shim/record/findings/objects.h"
#include "pmpi-shim/shim.h"

#define FEW 32 /* requests that need no memory of their own */

/* The state of a call on an array of requests. */
struct batch {
	struct shim_pending *pending; /* one a request */
	MPI_Status *statuses;         /* the program's, or ours */
	void *memory;                 /* NULL: the few suffice */
	struct shim_pending few_pending[FEW];
	MPI_Status few_statuses[FEW];
};

static void batch_begin(struct batch *batch, struct mmds_frame *f, int count,
			const MPI_Request requests[], MPI_Status statuses[])
{
	const size_t n = requests && count > 0 ? (size_t)count : 0;

	f->requests = requests;
	f->n_requests = n;
	batch->memory = NULL;
	batch->pending = batch->few_pending;
	batch->statuses = batch->few_statuses;
	if (n > FEW) {
		batch->memory = malloc(n * (sizeof(*batch->pending) +
					    sizeof(*batch->statuses)));
		batch->pending = batch->memory;
		batch->statuses = (void *)(batch->pending + n);
	}
	if (statuses != MPI_STATUSES_IGNORE || !batch->pending)
		batch->statuses = statuses;
	if (batch->pending)
		shim_pending_begin(batch->pending, requests, n);
}

static void batch_end(struct batch *batch)
{
	free(batch->memory);
}

/*
 * The number that a call returned there.  A program in error may have given no
 * place for it.
 */
static int told(const int *place)
{
	return place ? *place : 0;
}

static void batch_complete(struct batch *batch, struct mmds_frame *f, int rc,
			   int n, const int indices[])
{
	if (batch->pending && (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS))
		shim_pending_end(f, batch->pending,
				 &(struct shim_completed){ rc, n, indices,
							   batch->statuses });
	if (!batch->pending)
		shim_requests_unseen(f->requests, (int)f->n_requests);
	else if (rc != MPI_SUCCESS)
		shim_pending_failed(batch->pending, f->requests, f->n_requests);
}

static void complete_one(struct mmds_frame *f, struct shim_pending *pending,
			 const MPI_Status *status)
{
	shim_pending_end(
		f, pending,
		&(struct shim_completed){ MPI_SUCCESS, 1, NULL, status });
}

SHIM_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	struct mmds_frame *f;
	struct shim_pending pending = { 0 };
	MPI_Status own;
	int rc;

	f = shim_enter(SHIM_MPI_Wait);
	if (!f) {
		shim_requests_unseen(request, 1);
		return PMPI_Wait(request, status);
	}
	f->requests = request;
	f->n_requests = request != NULL;
	if (request)
		shim_pending_begin(&pending, request, 1);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	rc = PMPI_Wait(request, status);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		complete_one(f, &pending, status);
	else
		shim_pending_failed(&pending, request, 1);
	shim_leave(f, true);
	return rc;
}

SHIM_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct mmds_frame *f;
	struct shim_pending pending = { 0 };
	MPI_Status own;
	int rc;

	f = shim_enter(SHIM_MPI_Test);
	if (!f) {
		shim_requests_unseen(request, 1);
		return PMPI_Test(request, flag, status);
	}
	if (request)
		shim_pending_begin(&pending, request, 1);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	rc = PMPI_Test(request, flag, status);
	shim_stop(f);
	if (rc != MPI_SUCCESS)
		shim_pending_failed(&pending, request, 1);
	else if (*flag)
		complete_one(f, &pending, status);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Waitall(int count, MPI_Request requests[],
			    MPI_Status statuses[])
{
	struct mmds_frame *f;
	struct batch batch;
	int rc;

	f = shim_enter(SHIM_MPI_Waitall);
	if (!f) {
		shim_requests_unseen(requests, count);
		return PMPI_Waitall(count, requests, statuses);
	}
	batch_begin(&batch, f, count, requests, statuses);
	rc = PMPI_Waitall(count, requests, batch.statuses);
	shim_stop(f);
	batch_complete(&batch, f, rc, count, NULL);
	batch_end(&batch);
	shim_leave(f, true);
	return rc;
}

SHIM_EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag,
			    MPI_Status statuses[])
{
	struct mmds_frame *f;
	struct batch batch;
	int rc;

	f = shim_enter(SHIM_MPI_Testall);
	if (!f) {
		shim_requests_unseen(requests, count);
		return PMPI_Testall(count, requests, flag, statuses);
	}
	batch_begin(&batch, f, count, requests, statuses);
	rc = PMPI_Testall(count, requests, flag, batch.statuses);
	shim_stop(f);
	batch_complete(&batch, f, rc, told(flag) ? count : 0, NULL);
	batch_end(&batch);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index,
			    MPI_Status *status)
{
	struct mmds_frame *f;
	struct batch batch;
	int rc;

	f = shim_enter(SHIM_MPI_Waitany);
	if (!f) {
		shim_requests_unseen(requests, count);
		return PMPI_Waitany(count, requests, index, status);
	}
	batch_begin(&batch, f, count, requests, status);
	rc = PMPI_Waitany(count, requests, index, batch.statuses);
	shim_stop(f);
	batch_complete(&batch, f, rc, index && *index >= 0, index);
	batch_end(&batch);
	shim_leave(f, true);
	return rc;
}

SHIM_EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index,
			    int *flag, MPI_Status *status)
{
	struct mmds_frame *f;
	struct batch batch;
	int rc;

	f = shim_enter(SHIM_MPI_Testany);
	if (!f) {
		shim_requests_unseen(requests, count);
		return PMPI_Testany(count, requests, index, flag, status);
	}
	batch_begin(&batch, f, count, requests, status);
	rc = PMPI_Testany(count, requests, index, flag, batch.statuses);
	shim_stop(f);
	batch_complete(&batch, f, rc, told(flag) && index && *index >= 0,
		       index);
	batch_end(&batch);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount,
			     int indices[], MPI_Status statuses[])
{
	struct mmds_frame *f;
	struct batch batch;
	int rc;

	f = shim_enter(SHIM_MPI_Waitsome);
	if (!f) {
		shim_requests_unseen(requests, incount);
		return PMPI_Waitsome(incount, requests, outcount, indices,
				     statuses);
	}
	batch_begin(&batch, f, incount, requests, statuses);
	rc = PMPI_Waitsome(incount, requests, outcount, indices,
			   batch.statuses);
	shim_stop(f);
	batch_complete(&batch, f, rc, told(outcount), indices);
	batch_end(&batch);
	shim_leave(f, true);
	return rc;
}

SHIM_EXPORT int MPI_Testsome(int incount, MPI_Request requests[], int *outcount,
			     int indices[], MPI_Status statuses[])
{
	struct mmds_frame *f;
	struct batch batch;
	int rc;

	f = shim_enter(SHIM_MPI_Testsome);
	if (!f) {
		shim_requests_unseen(requests, incount);
		return PMPI_Testsome(incount, requests, outcount, indices,
				     statuses);
	}
	batch_begin(&batch, f, incount, requests, statuses);
	rc = PMPI_Testsome(incount, requests, outcount, indices,
			   batch.statuses);
	shim_stop(f);
	batch_complete(&batch, f, rc, told(outcount), indices);
	batch_end(&batch);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Start(MPI_Request *request)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Start);
	if (!f) {
		shim_requests_started(request, 1);
		return PMPI_Start(request);
	}
	rc = PMPI_Start(request);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_request_start(f, *request);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Startall(int count, MPI_Request requests[])
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Startall);
	if (!f) {
		shim_requests_started(requests, count);
		return PMPI_Startall(count, requests);
	}
	rc = PMPI_Startall(count, requests);
	shim_stop(f);
	for (int i = 0; rc == MPI_SUCCESS && i < count; i++)
		shim_request_start(f, requests[i]);
	shim_leave(f, false);
	return rc;
}

/* Nobody can tell any more when its message has come. */
static void look_freed(const struct shim_pending *pending)
{
	const struct shim_request *was = &pending->was;

	if (pending->place)
		shim_request_look_idle(was);
	if (pending->place && was->active && was->kind == SHIM_REQUEST_RECV)
		findings_count(&(struct finding_about){
			.key = was->key,
			.comm = was->row,
			.peer = was->peer,
			.tag = was->tag,
			.what = FINDING_FREED,
		});
}

SHIM_EXPORT int MPI_Request_free(MPI_Request *request)
{
	struct mmds_frame *f;
	struct shim_pending pending = { 0 };
	const uint64_t gone = SHIM_OBJECT(request);
	int rc;

	f = shim_enter(SHIM_MPI_Request_free);
	if (!f) {
		shim_requests_unseen(request, 1);
		rc = PMPI_Request_free(request);
		if (rc == MPI_SUCCESS)
			shim_object_gone(FINDING_PERSISTENT, gone, NULL);
		return rc;
	}
	if (request)
		shim_pending_begin(&pending, request, 1);
	rc = PMPI_Request_free(request);
	shim_stop(f);
	if (rc == MPI_SUCCESS) {
		if (pending.place && events_are_wanted(f))
			events_ended(f, &pending, NULL);
		look_freed(&pending);
		shim_pending_forget(&pending);
		shim_object_gone(FINDING_PERSISTENT, gone, NULL);
	}
	shim_leave(f, false);
	return rc;
}
