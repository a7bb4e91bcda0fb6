/* SPDX-License-Identifier: BSD-3-Clause */

/* Fills the trace of this process from calls and requests. */
#include <stdio.h>
#include <unistd.h>

#include "abi.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/comm_rows.h"
#include "pmpi-shim/record/calls/events.h"
#include "pmpi-shim/record/calls/pending.h"
#include "pmpi-shim/shim.h"

#define THREADS 8 /* threads with a ring, with MPI_THREAD_MULTIPLE */

static struct trace *_Atomic trace;

static bool is_wanted(void)
{
	return process.settings.trace && process.dir[0] != '\0' &&
	       settings_rank_in(process.settings.ranks, process.rank);
}

static const char *call_name(unsigned call)
{
	return shim_names[call];
}

static struct trace_options options_of(const struct settings *settings,
				       const char *name)
{
	const struct settings_amounts
		*amounts = settings->trace_ring ? &settings->trace_kept
						: &settings->trace_limit;

	return (struct trace_options){
		.dir = process.dir,
		.name = name,
		.rank = process.rank,
		.pid = (uint64_t)process.pid,
		.host = process.host,
		.memory = settings->trace_memory,
		.threads = process.thread_asked == MPI_THREAD_SINGLE ? 1
								     : THREADS,
		.is_ring = settings->trace_ring,
		.max_events = amounts->events,
		.max_bytes = amounts->bytes,
		.max_ns = amounts->ns,
		.names = { call_name, mmds_phase_name, comm_rows_about },
		.failed = process_warn_failed,
	};
}

/* The name of the record's file, with another extension. */
static void file_name(char *name, size_t size)
{
	if (process.rank >= 0)
		snprintf(name, size, "rank-%06d.trace", process.rank);
	else
		snprintf(name, size, "proc-%s-%ld.trace", process.host,
			 (long)process.pid);
}

void events_start(void)
{
	struct trace_options options;
	struct trace *made = NULL;
	char name[sizeof(process.host) + 32];
	int rc;

	if (!is_wanted())
		return;
	file_name(name, sizeof(name));
	options = options_of(&process.settings, name);
	rc = trace_start(&made, &options);
	if (rc != 0)
		process_warn_failed(rc);
	trace = made;
}

void events_flush(void)
{
	if (getpid() == process.pid)
		trace_flush(trace);
}

void events_stop(void)
{
	struct trace *was = trace;

	trace = NULL;
	if (mmds_thread && mmds_thread->ring)
		trace_core_end(&mmds_thread->ring->core);
	if (mmds_thread)
		mmds_thread->ring = NULL;
	trace_stop(was);
}

bool events_are_on(void)
{
	return trace != NULL;
}

static void ring_make(struct mmds_thread *thread, struct trace *to)
{
	thread->ring = trace_ring_make(to, thread->id);
	if (thread->ring)
		thread->ring->stamp = thread->stamp;
}

/* A new thread may have taken over the ring of one that ended. */
void events_thread(struct mmds_thread *thread, bool is_new)
{
	struct trace *to = trace;

	if (!to || (thread->ring && !is_new))
		return;
	if (!thread->ring)
		ring_make(thread, to);
	if (thread->ring && thread->ring->size)
		trace_core_begin(&thread->ring->core);
}

/* The row of a call without peer and bytes. */
static void put_plain(struct trace_row *row, enum trace_kind kind,
		      uint64_t start, uint64_t end)
{
	*row = (struct trace_row){ .start = start,
				   .end = end,
				   .comm = TRACE_NO_COMM,
				   .peer = TRACE_NOBODY,
				   .kind = kind };
}

void events_outside(unsigned call, uint64_t start, uint64_t end)
{
	struct trace_ring *ring = mmds_thread ? mmds_thread->ring : NULL;
	struct trace_row *row = ring ? trace_ring_call(ring) : NULL;

	if (!row)
		return;
	put_plain(row, TRACE_CALL, start, end);
	row->call = (uint16_t)call;
	trace_ring_publish(ring);
}

void events_moment(enum trace_kind kind)
{
	struct trace_ring *ring = mmds_thread ? mmds_thread->ring : NULL;
	struct trace_row *row = ring ? trace_ring_call(ring) : NULL;
	const uint64_t now = clock_ticks();

	if (!row)
		return;
	put_plain(row, kind, now, now);
	row->phase = mmds_thread->phase;
	trace_ring_publish(ring);
}

/* The request that the call began, if it began one. */
static uint64_t begun(struct trace_ring *ring, const struct mmds_thread *thread)
{
	if (ring->stamp == thread->stamp)
		return 0;
	return ring->stamp = thread->stamp;
}

static int32_t peer_of(int peer)
{
	if (peer >= 0)
		return peer;
	return peer == MPI_ANY_SOURCE ? TRACE_ANYBODY : TRACE_NOBODY;
}

static int32_t tag_of(int tag)
{
	return tag == MPI_ANY_TAG ? TRACE_NOBODY : tag;
}

static struct trace_row *item(struct mmds_frame *f, enum trace_kind kind,
			      uint32_t comm, uint64_t request)
{
	struct trace_ring *ring = f->thread->ring;
	struct trace_row *row = trace_ring_item(ring);

	if (!row)
		return NULL;
	put_plain(row, kind, 0, 0);
	row->comm = comm;
	row->request = request;
	return row;
}

/* The look is part of the computation. */
void events_enter(struct mmds_frame *f)
{
	struct trace_core *core = &f->thread->ring->core;

	if (mmds_before(f->thread->last, f) < core->least)
		return;
	core->before = trace_core_look(core);
	f->start = clock_ticks();
}

static void put_core(struct mmds_frame *f)
{
	struct trace_core *core = &f->thread->ring->core;
	const uint64_t before = core->before;
	const uint64_t within = f->end - f->start >= core->least
					? trace_core_look(core)
					: 0;
	struct trace_row *row;

	core->before = 0;
	if (!(before | within))
		return;
	row = item(f, TRACE_CORE, TRACE_NO_COMM, 0);
	if (!row)
		return;
	row->sent = before;
	row->received = within;
}

/* The items of a call that is lost are lost, too. */
static struct trace_row *call_row(struct trace_ring *ring)
{
	struct trace_row *row = trace_ring_call(ring);

	if (!row) {
		trace_ring_lose(ring, ring->held);
		ring->held = 0;
	}
	return row;
}

void events_call(struct mmds_frame *f)
{
	struct trace_ring *ring = f->thread->ring;
	const uint64_t request = begun(ring, f->thread);
	struct trace_row *row;

	put_core(f);
	row = call_row(ring);
	if (!row)
		return;
	row->start = f->start;
	row->end = f->end;
	row->request = request;
	row->sent = f->sent;
	row->received = f->received;
	row->path = f->slot->path;
	row->comm = f->comm;
	row->peer = peer_of(f->peer);
	row->tag = tag_of(f->tag);
	row->call = f->call;
	row->phase = f->thread->phase;
	row->kind = TRACE_CALL;
	trace_ring_publish(ring);
}

void events_sent(struct mmds_frame *f, uint32_t comm, int dest, int tag,
		 uint64_t bytes, uint64_t request)
{
	struct trace_row *row = NULL;

	if (dest >= 0)
		row = item(f, TRACE_SENT, comm, request);
	if (!row)
		return;
	row->peer = dest;
	row->tag = tag;
	row->sent = bytes;
}

void events_came(struct mmds_frame *f, uint32_t comm, const MPI_Status *status,
		 uint64_t request)
{
	struct trace_row *row = NULL;

	if (status->MPI_SOURCE >= 0)
		row = item(f, TRACE_RECEIVED, comm, request);
	if (!row)
		return;
	row->peer = status->MPI_SOURCE;
	row->tag = status->MPI_TAG;
	row->received = abi_status_bytes(status);
}

void events_started(struct mmds_frame *f, const struct shim_place *place)
{
	const struct shim_request *r = &place->request;
	struct trace_row *row;

	if (r->kind == SHIM_REQUEST_SEND) {
		events_sent(f, r->row, r->peer, r->tag, r->sent, place->stamp);
		return;
	}
	row = item(f,
		   r->kind == SHIM_REQUEST_RECV ? TRACE_POSTED : TRACE_STARTED,
		   r->row, place->stamp);
	if (row && r->kind == SHIM_REQUEST_RECV) {
		row->peer = peer_of(r->peer);
		row->tag = tag_of(r->tag);
	}
}

void events_ended(struct mmds_frame *f, const struct shim_pending *pending,
		  const MPI_Status *status)
{
	const struct shim_request *was = &pending->was;

	/* The beginning of such a request was not recorded. */
	if (was->kind == SHIM_REQUEST_COLLECTIVE && !was->persistent)
		return;
	if (status && was->kind == SHIM_REQUEST_RECV && pending->came.moved)
		events_came(f, was->row, status, pending->stamp);
	else
		item(f, TRACE_DONE, was->row, pending->stamp);
}
