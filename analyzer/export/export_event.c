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
		[TRACE_CORE] = "core",
	};

	return names[kind];
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
