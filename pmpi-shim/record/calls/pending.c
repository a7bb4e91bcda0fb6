/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Credits completed requests: what came and from whom, and the time of the call
 * that waited.
 */
#include "pmpi-shim/record/calls/pending.h"
#include "abi.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/calls/events.h"
#include "pmpi-shim/record/calls/transfer.h"
#include "pmpi-shim/record/findings/findings.h"

void shim_pending_begin(struct shim_pending pending[],
			const MPI_Request requests[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pending[i].place = shim_place_find(requests[i]);
		if (!pending[i].place)
			continue;
		pending[i].stamp = __atomic_load_n(&pending[i].place->stamp,
						   __ATOMIC_RELAXED);
		pending[i].was = pending[i].place->request;
	}
}

/* A request that brought something was not cancelled: MPI is not asked. */
static bool is_cancelled(const MPI_Status *status, uint64_t bytes)
{
	int flag = 0;

	if (bytes == 0)
		PMPI_Test_cancelled(status, &flag);
	return flag;
}

/* Sends move, too, but that was credited when they began. */
static struct shim_outcome look(const struct shim_request *was,
				const MPI_Status *status)
{
	struct shim_outcome came = { .peer = status->MPI_SOURCE };

	switch (was->kind) {
	case SHIM_REQUEST_SEND:
		came.peer = was->peer;
		came.moved = came.peer >= 0;
		break;
	case SHIM_REQUEST_RECV:
		came.bytes = abi_status_bytes(status);
		came.moved = came.peer >= 0 &&
			     !is_cancelled(status, came.bytes);
		break;
	case SHIM_REQUEST_READ:
	case SHIM_REQUEST_WRITE:
		came.bytes = abi_status_file_bytes(status);
		break;
	default:
		break;
	}
	return came;
}

/*
 * Transfers in a row mostly are alike: from one place in the program, with one
 * process, of one size.
 */
static bool is_alike(const struct shim_request *was,
		     const struct shim_outcome *came,
		     const struct shim_pending *last)
{
	return was->key == last->was.key && was->kind == last->was.kind &&
	       was->comm == last->was.comm && was->row == last->was.row &&
	       came->moved && last->came.moved &&
	       came->peer == last->came.peer && came->bytes == last->came.bytes;
}

/* Another thread that was given the handle meanwhile has set its own stamp. */
static void release(const struct shim_pending *p)
{
	uint64_t stamp = p->stamp;

	if (process.thread_level == MPI_THREAD_MULTIPLE)
		__atomic_compare_exchange_n(&p->place->stamp, &stamp, 0, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	else
		__atomic_store_n(&p->place->stamp, 0, __ATOMIC_RELAXED);
}

void shim_pending_forget(const struct shim_pending *pending)
{
	if (pending->place)
		release(pending);
}

void shim_pending_failed(struct shim_pending pending[],
			 const MPI_Request requests[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!pending[i].place)
			continue;
		if (requests[i] == MPI_REQUEST_NULL)
			release(&pending[i]);
		else
			pending[i].place->request.unknown = true;
	}
}

static void forget(const struct shim_pending *p)
{
	if (p->was.persistent)
		p->place->request.active = false;
	else
		release(p);
}

/* Until it is started its key is that of nothing else. */
static void wait_idle(struct shim_request *request)
{
	if (!request->persistent || request->started || request->idle)
		return;
	request->idle = true;
	request->key = findings_key_now();
}

/* The i-th that completed; NULL if it failed, or nothing is known of it. */
static struct shim_pending *completed_at(struct shim_pending pending[],
					 const struct shim_completed *c, int i)
{
	struct shim_pending *p = &pending[c->indices ? c->indices[i] : i];

	if (c->rc == MPI_ERR_IN_STATUS &&
	    c->statuses[i].MPI_ERROR != MPI_SUCCESS)
		return NULL;
	if (p->place && !p->was.active)
		wait_idle(&p->place->request);
	return p->place && p->was.active ? p : NULL;
}

/*
 * A list of those that completed, of those that are alike the first only.  How
 * many were transfers.
 */
static uint64_t complete(struct mmds_frame *f, struct shim_pending **list,
			 struct shim_pending pending[],
			 const struct shim_completed *c)
{
	struct shim_pending *last = NULL;
	struct shim_outcome came;
	struct shim_pending *p;
	uint64_t moved = 0;

	for (int i = 0; i < c->n; i++) {
		p = completed_at(pending, c, i);
		if (!p)
			continue;
		came = look(&p->was, &c->statuses[i]);
		p->came = came;
		if (events_are_wanted(f))
			events_ended(f, p, &c->statuses[i]);
		forget(p);
		moved += came.moved;
		if (last && is_alike(&p->was, &came, last)) {
			last->n++;
			continue;
		}
		p->n = 1;
		last = *list = p;
		list = &p->next;
	}
	*list = NULL;
	return moved;
}

static void credit_file(struct mmds_frame *f, const struct shim_pending *p)
{
	const bool writes = p->was.kind == SHIM_REQUEST_WRITE;

	if ((writes || p->was.kind == SHIM_REQUEST_READ) &&
	    mmds_self.selected[mmds_key_call(p->was.key)])
		mmds_record_late(f->thread, p->was.key,
				 writes ? p->came.bytes : 0,
				 writes ? 0 : p->came.bytes, 1);
}

static void credit_time(struct mmds_frame *f, const struct shim_pending *p,
			uint64_t ticks)
{
	if (mmds_self.selected[f->call])
		shim_late_time(f, p->was.comm, p->was.row, p->came.peer,
			       p->n * ticks);
}

/*
 * Credits bytes to the call that began the request, and leaves them out if that
 * call is left out.  Credits the time to the call that completed it, likewise.
 */
static void credit(struct mmds_frame *f, const struct shim_pending *p,
		   uint64_t ticks)
{
	if (p->was.kind == SHIM_REQUEST_SEND ||
	    !mmds_self.selected[mmds_key_call(p->was.key)]) {
		credit_time(f, p, ticks);
		return;
	}
	mmds_record_late(f->thread, p->was.key, 0, p->came.bytes, p->n);
	shim_late_received(f, p->was.comm, p->was.row, p->came.peer,
			   p->came.bytes,
			   mmds_self.selected[f->call] ? ticks : 0, p->n);
}

void shim_pending_end(struct mmds_frame *f, struct shim_pending pending[],
		      const struct shim_completed *c)
{
	struct shim_pending *p;
	const uint64_t moved = complete(f, &p, pending, c);
	/* MPI does not tell for which it waited: each gets an equal share. */
	const uint64_t ticks = moved ? mmds_ticks(f) / moved : 0;

	for (; p; p = p->next)
		if (p->came.moved)
			credit(f, p, ticks);
		else
			credit_file(f, p);
}
