/* SPDX-License-Identifier: BSD-3-Clause */

/* The calls of a flight recorder as tables of a record. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/run/flight/run_flight.h"
#include "analyzer/run/flight/run_flight_text.h"
#include "mds/mmds/mmds.h"

static void put_call_name(const struct run_flight_making *m, uint32_t call)
{
	const char *name = flight_name(m->flight, call);

	run_flight_put_word(m, name && *name ? name : "?");
}

static void put_peer(const struct run_flight_making *m, bool there, bool any,
		     int value)
{
	if (any)
		fputs(" any", m->table);
	else if (there)
		fprintf(m->table, " %d", value);
	else
		fputs(" %", m->table);
}

static void put_comm(const struct run_flight_making *m, uint32_t comm)
{
	if (comm < MMDS_COMMS)
		fprintf(m->table, " %u", comm);
	else
		fputs(" %", m->table);
}

/* Peer, tag and communicator, as they are in a record. */
static void put_with(const struct run_flight_making *m, int peer, int tag,
		     uint32_t comm)
{
	const struct flight_head *head = flight_head(m->flight);
	const bool any = peer == head->any_source;
	const bool there = any || peer >= 0;

	put_peer(m, peer >= 0, any, peer);
	put_peer(m, there && tag >= 0, there && tag == head->any_tag, tag);
	put_comm(m, comm);
}

static void put_now_begin(const struct run_flight_making *m,
			  const struct flight_thread *thread,
			  const struct flight_call *call)
{
	fprintf(m->table, "%u ", thread->id);
	put_call_name(m, call->call);
	fprintf(m->table, " %u %" PRIu64 " ", call->path,
		call->start ? flight_since(m->flight, call->start) : 0);
}

static void put_wait(const struct run_flight_making *m,
		     const struct flight_wait *wait)
{
	if (wait->what != FLIGHT_COLLECTIVE) {
		fputs(wait->what == FLIGHT_SEND ? "send" : "receive", m->table);
		put_with(m, wait->peer, wait->tag, wait->comm);
		fputs(" 0\n", m->table);
		return;
	}
	put_call_name(m, (uint32_t)wait->peer);
	fputs(" % %", m->table);
	put_comm(m, wait->comm);
	fprintf(m->table, " %u\n", (uint32_t)wait->tag);
}

static void put_waits(const struct run_flight_making *m, unsigned i,
		      const struct flight_call *call)
{
	const struct flight_thread *thread = flight_thread(m->flight, i);

	for (uint32_t w = 0; w < thread->look.n_waits; w++) {
		const struct flight_wait *wait = &thread->look.waits[w];

		put_now_begin(m, thread, call);
		put_wait(m, wait);
	}
}

void run_flight_put_now(struct run_flight_making *m)
{
	run_flight_begin(m, "thread call path since_ns waits_for peer tag "
			    "communicator begun");
	for (unsigned i = 0; i < flight_n_threads(m->flight); i++) {
		const struct flight_call *call;

		if (flight_n_calls(m->flight, i) == 0)
			continue;
		call = flight_call(m->flight, i, 0);
		if (call->took != 0)
			continue;
		if (flight_has_waits(m->flight, i)) {
			put_waits(m, i, call);
			continue;
		}
		put_now_begin(m, flight_thread(m->flight, i), call);
		fputc('%', m->table);
		put_with(m, call->peer, call->tag, call->comm);
		fputs(" 0\n", m->table);
	}
	run_flight_end(m, "now");
}

/* A call that was not timed began when the one before it was over. */
static uint64_t put_call(const struct run_flight_making *m, unsigned i,
			 const struct flight_call *call, uint64_t over)
{
	const uint64_t start = call->start ? call->start : over;
	const uint64_t took = flight_ns(m->flight, (double)call->took);

	fprintf(m->table, "%u ", flight_thread(m->flight, i)->id);
	put_call_name(m, call->call);
	fprintf(m->table, " %u %" PRIu64 " %" PRIu64 " %d", call->path,
		start ? flight_since(m->flight, start) : 0, took,
		call->took != 0);
	put_with(m, call->peer, call->tag, call->comm);
	fprintf(m->table, " %u\n", call->bytes);
	return flight_call_end(call, start);
}

void run_flight_put_tail(struct run_flight_making *m)
{
	run_flight_begin(
		m,
		"thread call path since_ns took_ns left peer tag communicator "
		"bytes");
	for (unsigned i = 0; i < flight_n_threads(m->flight); i++) {
		uint32_t n = flight_n_calls(m->flight, i);
		uint64_t over = 0;

		if (n > RUN_FLIGHT_CALLS)
			n = RUN_FLIGHT_CALLS;
		for (uint32_t back = n; back-- > 0;)
			over = put_call(m, i, flight_call(m->flight, i, back),
					over);
	}
	run_flight_end(m, "tail");
}

/* The first thread that is in a call; else 0. */
static uint32_t path_now(const struct flight *flight)
{
	for (unsigned i = 0; i < flight_n_threads(flight); i++) {
		const struct flight_call *call;

		call = flight_n_calls(flight, i) ? flight_call(flight, i, 0)
						 : NULL;
		if (call && call->took == 0)
			return call->path;
	}
	return 0;
}

void run_flight_put_findings(struct run_flight_making *m)
{
	const struct flight_entry *entry = NULL;

	run_flight_begin(m,
			 "finding call path count communicator peer tag text");
	while ((entry = flight_next(m->flight, entry))) {
		if (entry->kind != FLIGHT_DEADLOCK)
			continue;
		fprintf(m->table, "deadlock %% %u 1 %% %% %% ",
			path_now(m->flight));
		run_flight_put_word(m, flight_text(entry, sizeof(*entry)));
		fputc('\n', m->table);
	}
	run_flight_end(m, "findings");
}
