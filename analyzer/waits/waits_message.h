/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_MESSAGE_H
#define BCS_WAITS_MESSAGE_H

#include "analyzer/waits/waits_map.h"
#include "analyzer/waits/waits_thread.h"

/* Messages under way, by the ids of trace/messages.h. */
struct waits_messages {
	struct waits_map map;
	uint64_t apart; /* between hosts */
};

/*
 * The message was sent by `send`.  `done` is the same call if it blocked until
 * the message was on its way, NULL if another one will wait for that, and a
 * reference to no thread if none did.
 */
void waits_message_sent(struct waits_messages *messages, uint64_t id,
			const struct waits_ref *send,
			const struct waits_ref *done);
/* The call completed the send. */
void waits_message_done(struct waits_messages *messages, uint64_t id,
			const struct waits_ref *done);
/* A receive that was posted by `posted` ended in `ended`. */
void waits_message_received(struct waits_messages *messages, uint64_t id,
			    const struct waits_ref *posted,
			    const struct waits_ref *ended);
void waits_message_clear(struct waits_messages *messages);

#endif
