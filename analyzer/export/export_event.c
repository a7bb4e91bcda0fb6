/* SPDX-License-Identifier: BSD-3-Clause */

/* Texts that all formats print. */
#include <stdio.h>

#include "analyzer/export/export.h"

const char *export_kind(enum trace_kind kind)
{
	static const char *const names[TRACE_KINDS] = {
		[TRACE_CALL] = "call",
		[TRACE_SENT] = "sent",
		[TRACE_POSTED] = "posted",
		[TRACE_RECEIVED] = "received",
		[TRACE_STARTED] = "started",
		[TRACE_DONE] = "done",
		[TRACE_PHASE_BEGIN] = "phase begin",
		[TRACE_PHASE_END] = "phase end",
		[TRACE_OFF] = "off",
		[TRACE_ON] = "on",
	};

	return names[kind];
}

int64_t export_since(const struct export_process *process, uint64_t ns)
{
	return (int64_t)(ns - process->zero);
}

bool export_has_peer(const struct trace_event *event)
{
	return event->peer != TRACE_NOBODY;
}

void export_put_peer(const struct trace_event *event)
{
	if (event->peer == TRACE_ANYBODY)
		printf("\"any\"");
	else if (event->peer != TRACE_NOBODY)
		printf("%" PRId32, event->peer);
}

/* A root has none. */
bool export_has_tag(const struct export_process *process,
		    const struct trace_event *event)
{
	return event->tag != TRACE_NOBODY && export_has_peer(event) &&
	       (trace_is_item(event->kind) ||
		!(trace_call_does(process->reader, event->call) &
		  (TRACE_DOES_ALL | TRACE_DOES_ONE_SIDED)));
}
