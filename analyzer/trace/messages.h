/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MESSAGES_H
#define BCS_MESSAGES_H

#include "analyzer/trace/traces.h"

/*
 * Finds the ends of messages in the trace of a process.  Both ends of a message
 * get the same id, each from its own trace alone.  That works because messages
 * between two ranks with one tag do not overtake each other, and neither do
 * their receives.  After lost events, ids of the same ranks and tag do not fit
 * together.  A ring counts what it drops; but receives that were open then, and
 * end in another order, may get each other's ids.
 */
struct message_end {
	uint64_t id;
	bool sent; /* else received */
	uint64_t comm;
	int32_t peer; /* rank in the communicator */
	int32_t tag;
	uint64_t bytes;
	uint64_t where;  /* as messages_take had it for the ending call, */
	uint64_t posted; /* and for the one that posted the receive */
};

struct messages;

/*
 * `met` is called once for each end.  For a receive it may be called later than
 * at the receive's event.
 */
struct messages *
messages_new(void (*met)(void *to, const struct message_end *end), void *to);
/* Takes each event of the process, in order.  `where` is for message_end. */
void messages_take(struct messages *messages,
		   const struct traces_process *process,
		   const struct trace_event *event, uint64_t where);
/* The same number for the same two: a mix of them. */
uint64_t messages_mix(uint64_t id, uint64_t number);
/* Calls `met` for what is left, and frees; NULL is fine. */
void messages_end(struct messages *messages);

#endif
