/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_EVENT_H
#define BCS_WAITS_EVENT_H

#include "analyzer/waits/waits_stream.h"

/* ns since the first event of the host. */
uint64_t waits_event_since(const struct waits_stream *stream, uint64_t ns);
/* Takes an event, which for a call begins at stream->begin. */
void waits_event_take(struct waits_stream *stream,
		      const struct trace_event *event);
/* For messages_new(): `to` is the stream. */
void waits_event_met(void *to, const struct message_end *end);

#endif
