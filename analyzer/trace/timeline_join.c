/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Joins the calls of different ranks: finds the messages between them, and how
 * long a call waited for another rank to begin.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/trace/timeline.h"

/* The ranks whose begin a collective call waits for. */
enum waits_for { NOBODY, ROOT, EVERYBODY };

struct timeline_coll {
	uint64_t comm;
	uint64_t number; /* of the communicator's collective calls */
	uint64_t host;
	uint64_t where;
	enum waits_for waits_for;
	bool is_root;
};

void timeline_join_end(void *to, const struct message_end *end)
{
	struct timeline_joining *joining = to;

	joining->ends = mem_grow(joining->ends, &joining->ends_room,
				 joining->n_ends, sizeof(*joining->ends));
	joining->ends[joining->n_ends++] = *end;
}

/* `before` of them are not in the trace. */
static uint64_t count_coll(struct timeline_joining *joining, uint64_t comm,
			   uint64_t before)
{
	const size_t n = joining->comms.n;
	const size_t at = intern_add(&joining->comms, &comm, sizeof(comm));

	if (at == n) {
		joining->counts = mem_grow(joining->counts,
					   &joining->counts_room, n,
					   sizeof(*joining->counts));
		joining->counts[n] = before;
	}
	return joining->counts[at]++;
}

/* A prefix sum waits for some ranks, and nobody can tell which. */
static enum waits_for waits_for(const char *call, unsigned does, bool is_root)
{
	static const struct {
		const char *name;
		enum waits_for root;
		enum waits_for others;
	} rooted[] = {
		{ "MPI_Bcast", NOBODY, ROOT },
		{ "MPI_Scatter", NOBODY, ROOT },
		{ "MPI_Reduce", EVERYBODY, NOBODY },
		{ "MPI_Gather", EVERYBODY, NOBODY },
		{ "MPI_Scan", NOBODY, NOBODY },
		{ "MPI_Exscan", NOBODY, NOBODY },
	};
	size_t len;

	if (does & TRACE_DOES_BEGIN)
		return NOBODY;
	for (size_t i = 0; i < sizeof(rooted) / sizeof(rooted[0]); i++) {
		len = strlen(rooted[i].name);
		if (strncmp(call, rooted[i].name, len) == 0 &&
		    strncmp(call + len, "_scatter", 8) != 0)
			return is_root ? rooted[i].root : rooted[i].others;
	}
	return EVERYBODY;
}

void timeline_join_coll(struct timeline_joining *joining,
			const struct traces_process *process,
			const struct trace_event *event, uint64_t where)
{
	const unsigned does = trace_call_does(process->reader, event->call);
	const char *name = trace_call_name(process->reader, event->call);
	struct trace_comm comm;
	bool is_root;

	if (!name || !(does & TRACE_DOES_ALL) ||
	    !trace_comm(process->reader, event->comm, &comm))
		return;
	is_root = event->peer >= 0 && (uint32_t)event->peer == comm.rank;
	joining->colls = mem_grow(joining->colls, &joining->colls_room,
				  joining->n_colls, sizeof(*joining->colls));
	joining->colls[joining->n_colls++] = (struct timeline_coll){
		.comm = comm.id,
		.number = count_coll(
			joining, comm.id,
			trace_colls_before(process->reader, event->comm)),
		.host = process->host,
		.where = where,
		.waits_for = waits_for(name, does, is_root),
		.is_root = is_root,
	};
}

void timeline_join_process(struct timeline_joining *joining)
{
	intern_clear(&joining->comms);
}

static struct timeline_lane *lane_at(const struct timeline *timeline,
				     uint64_t where)
{
	return &timeline->lanes[where >> 40];
}

static size_t index_of(uint64_t where)
{
	return (size_t)(where & (TIMELINE_WHERE(1, 0) - 1));
}

/* NULL: the call is not among those that were read. */
static struct timeline_event *event_at(const struct timeline *timeline,
				       uint64_t where)
{
	struct timeline_lane *lane = lane_at(timeline, where);

	return index_of(where) < lane->n ? &lane->events[index_of(where)]
					 : NULL;
}

/* The call could not end before `began`, when another one began. */
static void add_wait(struct timeline_event *event, uint64_t began)
{
	const uint64_t wait = began - event->begin;

	if (began <= event->begin)
		return;
	if (wait > event->wait)
		event->wait = wait < event->time ? wait : event->time;
}

/* Clocks of different hosts are not compared. */
static void wait_for_sender(const struct timeline *timeline, uint64_t from,
			    uint64_t to)
{
	if (lane_at(timeline, from)->host == lane_at(timeline, to)->host)
		add_wait(event_at(timeline, to),
			 event_at(timeline, from)->begin);
}

static void add_message(struct timeline *timeline,
			const struct message_end *from,
			const struct message_end *to)
{
	if (!event_at(timeline, from->where) || !event_at(timeline, to->where))
		return;
	timeline->messages = mem_grow(
		timeline->messages, &timeline->messages_room,
		timeline->n_messages, sizeof(*timeline->messages));
	timeline->messages[timeline->n_messages++] = (struct timeline_message){
		.from = lane_at(timeline, from->where)->first +
			index_of(from->where),
		.to = lane_at(timeline, to->where)->first + index_of(to->where),
		.tag = to->tag,
		.bytes = to->bytes,
	};
	wait_for_sender(timeline, from->where, to->where);
}

/* The received ends by their ids: numbers + 1, 0 is free. */
static size_t *place_of(const struct timeline_joining *joining, size_t *places,
			size_t mask, uint64_t id)
{
	size_t at = (size_t)id & mask;

	while (places[at] && joining->ends[places[at] - 1].id != id)
		at = (at + 1) & mask;
	return &places[at];
}

static void join_messages(struct timeline_joining *joining)
{
	const struct message_end *ends = joining->ends;
	size_t mask = 15;
	size_t *places;

	while (mask < 2 * joining->n_ends)
		mask = 2 * mask + 1;
	places = mem_alloc(mask + 1, sizeof(*places));
	for (size_t i = 0; i < joining->n_ends; i++)
		if (!ends[i].sent)
			*place_of(joining, places, mask, ends[i].id) = i + 1;
	for (size_t i = 0; i < joining->n_ends; i++) {
		const size_t to = ends[i].sent ? *place_of(joining, places,
							   mask, ends[i].id)
					       : 0;

		if (to)
			add_message(joining->timeline, &ends[i], &ends[to - 1]);
	}
	free(places);
}

static int by_number(const void *a_p, const void *b_p)
{
	const struct timeline_coll *a = a_p;
	const struct timeline_coll *b = b_p;

	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

/* The calls of one collective on one host, whose clock they share. */
static void join_coll(const struct timeline *t, const struct timeline_coll *c,
		      size_t n)
{
	uint64_t began[] = { [NOBODY] = 0, [ROOT] = 0, [EVERYBODY] = 0 };
	struct timeline_event *event;

	for (size_t i = 0; i < n; i++) {
		event = event_at(t, c[i].where);
		if (event && c[i].is_root)
			began[ROOT] = event->begin;
		if (event && event->begin > began[EVERYBODY])
			began[EVERYBODY] = event->begin;
	}
	for (size_t i = 0; i < n; i++) {
		event = event_at(t, c[i].where);
		if (event)
			add_wait(event, began[c[i].waits_for]);
	}
}

static void join_colls(struct timeline_joining *joining)
{
	struct timeline_coll *c = joining->colls;
	size_t n;

	if (joining->n_colls)
		qsort(c, joining->n_colls, sizeof(*c), by_number);
	for (size_t i = 0; i < joining->n_colls; i += n) {
		for (n = 1; i + n < joining->n_colls; n++)
			if (by_number(&c[i], &c[i + n]) != 0)
				break;
		join_coll(joining->timeline, &c[i], n);
	}
}

void timeline_join(struct timeline_joining *joining)
{
	join_messages(joining);
	join_colls(joining);
	intern_clear(&joining->comms);
	free(joining->counts);
	free(joining->ends);
	free(joining->colls);
}
