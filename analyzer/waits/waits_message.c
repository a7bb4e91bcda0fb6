/* SPDX-License-Identifier: BSD-3-Clause */

/* Joins both ends of a message: late senders and late receivers. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/waits/waits_message.h"

struct message {
	bool is_sent;
	bool is_done;
	bool is_received;
	struct waits_ref send;
	struct waits_ref done; /* the call that the sender was blocked in */
	struct waits_ref posted;
	struct waits_ref ended;
};

static struct message *message_of(struct waits_messages *messages, uint64_t id)
{
	const uint64_t known = waits_map_get(&messages->map, id);
	struct message *message = (struct message *)(uintptr_t)known;

	if (message)
		return message;
	message = mem_alloc(1, sizeof(*message));
	waits_map_put(&messages->map, id, (uintptr_t)message);
	return message;
}

static void join_receive(struct waits_messages *messages,
			 const struct message *m)
{
	if (m->send.thread->host != m->ended.thread->host) {
		messages->apart++;
		return;
	}
	waits_call_waits(&m->ended, WAITS_LATE_SENDER, &m->send);
	waits_call_got(&m->ended, &m->send);
}

/* A send that ended before the receive was posted did not wait for it. */
static void join_send(const struct message *m)
{
	const struct waits_call *call = waits_call_open(&m->done);

	if (call && m->done.thread->host == m->posted.thread->host &&
	    call->end > m->posted.begin)
		waits_call_waits(&m->done, WAITS_LATE_RECEIVER, &m->posted);
}

static void forget(struct waits_messages *messages, uint64_t id,
		   const struct message *message)
{
	if (message->is_sent && message->is_done && message->is_received)
		free((void *)(uintptr_t)waits_map_take(&messages->map, id));
}

void waits_message_sent(struct waits_messages *messages, uint64_t id,
			const struct waits_ref *send,
			const struct waits_ref *done)
{
	struct message *m = message_of(messages, id);

	m->is_sent = true;
	m->send = *send;
	if (m->is_received)
		join_receive(messages, m);
	if (done)
		waits_message_done(messages, id, done);
}

void waits_message_done(struct waits_messages *messages, uint64_t id,
			const struct waits_ref *done)
{
	struct message *m = message_of(messages, id);

	m->is_done = true;
	m->done = *done;
	if (m->is_received)
		join_send(m);
	forget(messages, id, m);
}

void waits_message_received(struct waits_messages *messages, uint64_t id,
			    const struct waits_ref *posted,
			    const struct waits_ref *ended)
{
	struct message *m = message_of(messages, id);

	m->is_received = true;
	m->posted = *posted;
	m->ended = *ended;
	if (m->is_sent)
		join_receive(messages, m);
	if (m->is_done)
		join_send(m);
	forget(messages, id, m);
}

static void free_one(uint64_t value)
{
	free((void *)(uintptr_t)value);
}

void waits_message_clear(struct waits_messages *messages)
{
	waits_map_each(&messages->map, free_one);
	waits_map_clear(&messages->map);
}
