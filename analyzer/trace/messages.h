/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MESSAGES_H
#define BCS_MESSAGES_H

#include "analyzer/trace/traces.h"

/*
 * Finds the ends of messages in the trace of a process.  Both ends of a message
 * get the same id, each from its own trace alone: messages between two ranks
 * of a communicator with one tag are received in the order in which they were
 * sent, by receives in the order in which they were posted.  Where events were
 * lost, later ids of the same ranks and tag do not fit together.
 */
struct message_end {
	uint64_t id;
	bool sent; /* else received */
	uint64_t comm;
	int32_t peer; /* rank in the communicator */
	int32_t tag;
	uint64_t bytes;
	uint64_t where; /* as messages_take had it for the call that ended it */
};

struct messages;

/* `met` is called once for each end, of a receive perhaps later than its event.
 */
struct messages *
messages_new(void (*met)(void *to, const struct message_end *end), void *to);
/* All events of the process in their order; `where` is kept for message_end. */
void messages_take(struct messages *messages,
		   const struct traces_process *process,
		   const struct trace_event *event, uint64_t where);
/* Tells of what is left, and frees; NULL is fine. */
void messages_end(struct messages *messages);

#endif
