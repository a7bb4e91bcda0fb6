/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Numbers the messages of a process.  A send is numbered at once.  An ended
 * receive waits for its number while an earlier receive is open that may get an
 * earlier message of the same rank and tag.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/intern.h"
#include "analyzer/trace/messages.h"
#include "mds/trace/trace_tally.h"

#define UNCOUNTED (UINT64_MAX / 2)

/* Messages of the same key overtake nobody. */
struct key {
	uint64_t comm;
	int32_t peer;
	int32_t tag;
	uint64_t sent;
};

struct receive {
	enum { OPEN, ENDED, GONE } state;
	uint64_t request;
	uint32_t me; /* rank in the communicator */
	struct message_end end;
};

struct messages {
	void (*met)(void *to, const struct message_end *end);
	void *to;
	struct intern keys;
	uint64_t *counts; /* by key */
	size_t counts_room;
	bool has_begun;
	bool uncounted;           /* messages of other keys were dropped, too */
	struct receive *receives; /* in the order of posting */
	size_t first;             /* all before it are gone */
	size_t n;
	size_t room;
	size_t n_ended; /* receives that wait for their number */
};

struct messages *
messages_new(void (*met)(void *to, const struct message_end *end), void *to)
{
	struct messages *messages = mem_alloc(1, sizeof(*messages));

	messages->met = met;
	messages->to = to;
	return messages;
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

uint64_t messages_mix(uint64_t id, uint64_t number)
{
	return mix(mix(id + 1) + number);
}

/* The number of messages of the key so far; it is met if it was not. */
static uint64_t *count_of(struct messages *messages, const struct key *key)
{
	const size_t n = messages->keys.n;
	const size_t at = intern_add(&messages->keys, key, sizeof(*key));

	if (at == n) {
		messages->counts = mem_grow(messages->counts,
					    &messages->counts_room, n,
					    sizeof(*messages->counts));
		messages->counts[n] = 0;
	}
	return &messages->counts[at];
}

/* A ring that has dropped its beginning says what to count from. */
static void counts_begin(struct messages *messages,
			 const struct trace_reader *reader)
{
	const struct trace_count *counts;
	struct trace_comm comm;
	size_t n;

	messages->has_begun = true;
	messages->uncounted = trace_is_uncounted(reader);
	counts = trace_counts(reader, &n);
	for (size_t i = 0; i < n; i++) {
		if (counts[i].kind == TRACE_TALLY_ALL ||
		    !trace_comm(reader, counts[i].comm, &comm))
			continue;
		*count_of(messages,
			  &(struct key){
				  comm.id, counts[i].peer, counts[i].tag,
				  counts[i].kind ==
					  TRACE_TALLY_SENT }) += counts[i].n;
	}
}

/* The id is made of the sender, the receiver and what both ends know. */
static void tell(struct messages *messages, struct message_end *end,
		 uint32_t me)
{
	const struct key key = { end->comm, end->peer, end->tag, end->sent };
	const uint64_t peer = (uint32_t)end->peer;
	const size_t n_keys = messages->keys.n;
	const uint64_t number = (*count_of(messages, &key))++;
	uint64_t id = mix(end->comm + 1);

	/* Its number is not known, nor are those that follow it. */
	if (messages->uncounted && n_keys < messages->keys.n) {
		messages->counts[n_keys] = UNCOUNTED;
		return;
	}
	if (number >= UNCOUNTED)
		return;
	id = mix(id ^
		 (end->sent ? (uint64_t)me << 32 | peer : peer << 32 | me));
	id = mix(id + (uint32_t)end->tag);
	end->id = mix(id + number);
	messages->met(messages->to, end);
}

static bool may_get(const struct receive *open, const struct message_end *end)
{
	return open->end.comm == end->comm &&
	       (open->end.peer == TRACE_ANYBODY ||
		open->end.peer == end->peer) &&
	       (open->end.tag == TRACE_NOBODY || open->end.tag == end->tag);
}

static bool has_earlier(const struct messages *messages, size_t at)
{
	const struct receive *r = messages->receives;

	for (size_t i = messages->first; i < at; i++)
		if (r[i].state != GONE && may_get(&r[i], &r[at].end))
			return true;
	return false;
}

static void drop_gone(struct messages *messages)
{
	const struct receive *r = messages->receives;

	while (messages->first < messages->n &&
	       r[messages->first].state == GONE)
		messages->first++;
	if (messages->first == messages->n)
		messages->first = messages->n = 0;
}

/* Numbers ended receives from `at` on, unless an earlier one is in the way. */
static void number_from(struct messages *messages, size_t at)
{
	for (; at < messages->n && messages->n_ended; at++) {
		struct receive *r = &messages->receives[at];

		if (r->state != ENDED || has_earlier(messages, at))
			continue;
		r->state = GONE;
		messages->n_ended--;
		tell(messages, &r->end, r->me);
	}
	drop_gone(messages);
}

/* Drops receives that are gone before the array has to grow. */
static void make_room(struct messages *messages)
{
	size_t n = 0;

	if (messages->n < messages->room || messages->n < 64)
		return;
	for (size_t i = messages->first; i < messages->n; i++)
		if (messages->receives[i].state != GONE)
			messages->receives[n++] = messages->receives[i];
	messages->first = 0;
	messages->n = n;
}

static struct receive *add_receive(struct messages *messages)
{
	make_room(messages);
	messages->receives = mem_grow(messages->receives, &messages->room,
				      messages->n, sizeof(*messages->receives));
	return &messages->receives[messages->n++];
}

static size_t find_open(const struct messages *messages, uint64_t request)
{
	for (size_t i = messages->first; i < messages->n; i++)
		if (messages->receives[i].state == OPEN &&
		    messages->receives[i].request == request)
			return i;
	return SIZE_MAX;
}

static bool end_of(struct message_end *end, uint32_t *me,
		   const struct traces_process *process,
		   const struct trace_event *event, uint64_t where)
{
	struct trace_comm comm;

	if (!trace_comm(process->reader, event->comm, &comm))
		return false;
	*end = (struct message_end){
		.comm = comm.id,
		.peer = event->peer,
		.tag = event->tag,
		.bytes = event->received,
		.where = where,
		.posted = where,
	};
	*me = comm.rank;
	return true;
}

static void take_sent(struct messages *messages,
		      const struct traces_process *process,
		      const struct trace_event *event, uint64_t where)
{
	struct message_end end;
	uint32_t me;

	if (event->peer < 0 || !end_of(&end, &me, process, event, where))
		return;
	end.sent = true;
	end.bytes = event->sent;
	tell(messages, &end, me);
}

static void take_posted(struct messages *messages,
			const struct traces_process *process,
			const struct trace_event *event, uint64_t where)
{
	struct receive posted = { .request = event->request };

	if (event->request && event->peer != TRACE_NOBODY &&
	    end_of(&posted.end, &posted.me, process, event, where))
		*add_receive(messages) = posted;
}

static void take_received(struct messages *messages,
			  const struct traces_process *process,
			  const struct trace_event *event, uint64_t where)
{
	struct receive ended = { .state = ENDED };
	size_t at = SIZE_MAX;

	if (event->peer < 0 ||
	    !end_of(&ended.end, &ended.me, process, event, where))
		return;
	if (event->request)
		at = find_open(messages, event->request);
	if (at == SIZE_MAX) {
		add_receive(messages);
		at = messages->n - 1;
	} else {
		ended.end.posted = messages->receives[at].end.where;
	}
	messages->receives[at] = ended;
	messages->n_ended++;
	number_from(messages, at);
}

/* A receive that ended without a message, or a send. */
static void take_done(struct messages *messages, uint64_t request)
{
	const size_t at = find_open(messages, request);

	if (at == SIZE_MAX)
		return;
	messages->receives[at].state = GONE;
	number_from(messages, at);
}

static void take_call(struct messages *messages,
		      const struct traces_process *process,
		      const struct trace_event *event, uint64_t where)
{
	const unsigned does = trace_call_does(process->reader, event->call);

	if (does & TRACE_DOES_SEND)
		take_sent(messages, process, event, where);
	else if (does & TRACE_DOES_RECEIVE)
		take_received(messages, process, event, where);
	else if (does & TRACE_DOES_POST)
		take_posted(messages, process, event, where);
}

void messages_take(struct messages *messages,
		   const struct traces_process *process,
		   const struct trace_event *event, uint64_t where)
{
	if (!messages->has_begun)
		counts_begin(messages, process->reader);
	switch (event->kind) {
	case TRACE_CALL:
		take_call(messages, process, event, where);
		break;
	case TRACE_SENT:
		take_sent(messages, process, event, where);
		break;
	case TRACE_POSTED:
		take_posted(messages, process, event, where);
		break;
	case TRACE_RECEIVED:
		take_received(messages, process, event, where);
		break;
	case TRACE_DONE:
		take_done(messages, event->request);
		break;
	default:
		break;
	}
}

void messages_end(struct messages *messages)
{
	if (!messages)
		return;
	for (size_t i = messages->first; i < messages->n; i++)
		if (messages->receives[i].state == ENDED)
			tell(messages, &messages->receives[i].end,
			     messages->receives[i].me);
	intern_clear(&messages->keys);
	free(messages->counts);
	free(messages->receives);
	free(messages);
}
