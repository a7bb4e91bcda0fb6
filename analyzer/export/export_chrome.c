/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A trace in the Trace Event Format of Chrome: a process is a rank, a call a
 * complete event.  A call's items are in its arguments, so the call is closed
 * when the next event comes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/export.h"
#include "analyzer/show/table_show.h"

/* The process ids of those without a rank begin here. */
#define UNRANKED (UINT64_C(1) << 32)

static bool any;     /* something is in the list */
static bool is_open; /* the arguments of a call are */
static size_t items; /* that it has so far */
static const char *comma;

static int begin(const char *output)
{
	(void)output;
	any = false;
	printf("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
	return 0;
}

static void next(void)
{
	printf(any ? ",\n" : "\n");
	any = true;
}

static void call_close(void)
{
	if (is_open)
		printf("%s}}", items ? "]" : "");
	is_open = false;
	items = 0;
}

static uint64_t pid_of(const struct traces_process *process)
{
	return process->head->ranked ? process->head->rank
				     : UNRANKED + process->head->pid;
}

static void put_meta(const struct traces_process *process, const char *what,
		     const char *key, const char *text)
{
	next();
	printf("{\"ph\": \"M\", \"pid\": %" PRIu64 ", \"tid\": 0, "
	       "\"name\": \"%s\", \"args\": {\"%s\": ",
	       pid_of(process), what, key);
	table_json_text(text);
	printf("}}");
}

static void process_begin(const struct traces_process *process)
{
	const struct trace_head *head = process->head;
	char *name = head->ranked ? mem_print("rank %" PRIu64 " on %s",
					      head->rank, head->host)
				  : mem_print("process %" PRIu64 " on %s",
					      head->pid, head->host);

	put_meta(process, "process_name", "name", name);
	free(name);
	next();
	printf("{\"ph\": \"M\", \"pid\": %" PRIu64 ", \"tid\": 0, \"name\": "
	       "\"process_sort_index\", \"args\": {\"sort_index\": %" PRIu64
	       "}}",
	       pid_of(process), pid_of(process));
}

static void put_key(const char *key)
{
	printf("%s\"%s\": ", comma, key);
	comma = ", ";
}

static void put_number(const char *key, uint64_t number)
{
	put_key(key);
	printf("%" PRIu64, number);
}

static void put_text(const char *key, const char *text)
{
	if (!text || !*text)
		return;
	put_key(key);
	table_json_text(text);
}

static void put_message(const struct traces_process *process,
			const struct trace_event *event)
{
	struct trace_comm comm;

	if (export_has_peer(event)) {
		put_key("peer");
		export_put_peer(event);
	}
	if (traces_has_tag(process, event)) {
		put_key("tag");
		printf("%" PRId32, event->tag);
	}
	if (event->sent)
		put_number("sent_bytes", event->sent);
	if (event->received)
		put_number("received_bytes", event->received);
	if (trace_comm(process->reader, event->comm, &comm)) {
		put_key("communicator");
		printf("\"%" PRIx64 "\"", comm.id);
	}
	if (event->request)
		put_number("request", event->request);
	if (event->core_before)
		put_number("core_before_ns", event->core_before);
	if (event->core_within)
		put_number("core_within_ns", event->core_within);
}

/* In us, as the format wants it, to the last ns. */
static void put_time(const char *key, int64_t ns)
{
	const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	printf(", \"%s\": %s%" PRIu64 ".%03u", key, ns < 0 ? "-" : "",
	       size / 1000, (unsigned)(size % 1000));
}

static void put_head(const struct traces_process *process,
		     const struct trace_event *event, const char *ph,
		     const char *name)
{
	next();
	printf("{\"ph\": \"%s\", \"pid\": %" PRIu64 ", \"tid\": %u, "
	       "\"name\": ",
	       ph, pid_of(process), event->thread);
	table_json_text(name ? name : "?");
	put_time("ts", traces_since(process, event->begin));
}

static const char *phase_of(const struct traces_process *process,
			    const struct trace_event *event)
{
	return event->phase ? trace_phase_name(process->reader, event->phase)
			    : NULL;
}

static void call_open(const struct traces_process *process,
		      const struct trace_event *event)
{
	put_head(process, event, "X",
		 trace_call_name(process->reader, event->call));
	put_time("dur", (int64_t)(event->end - event->begin));
	printf(", \"args\": {");
	comma = "";
	put_message(process, event);
	put_text("phase", phase_of(process, event));
	put_text("site", traces_site(process, event->path));
	is_open = true;
}

static void add_item(const struct traces_process *process,
		     const struct trace_event *event)
{
	if (!is_open)
		return;
	if (items++)
		printf(", {");
	else
		printf("%s\"items\": [{", comma);
	comma = "";
	put_text("event", export_kind(event->kind));
	put_message(process, event);
	putchar('}');
}

static void moment(const struct traces_process *process,
		   const struct trace_event *event)
{
	put_head(process, event, "i", export_kind(event->kind));
	printf(", \"s\": \"t\", \"args\": {");
	comma = "";
	put_text("phase", phase_of(process, event));
	printf("}}");
}

static void event_put(const struct traces_process *process,
		      const struct trace_event *event)
{
	if (trace_is_item(event->kind)) {
		add_item(process, event);
		return;
	}
	call_close();
	if (event->kind == TRACE_CALL)
		call_open(process, event);
	else
		moment(process, event);
}

static void process_end(const struct traces_process *process)
{
	const uint64_t lost = trace_lost(process->reader);
	char text[64];

	call_close();
	if (!lost)
		return;
	snprintf(text, sizeof(text), "%" PRIu64 " events lost", lost);
	put_meta(process, "process_labels", "labels", text);
}

static int end(uint64_t lost)
{
	printf("\n], \"otherData\": {\"lost_events\": %" PRIu64 "}}\n", lost);
	return 0;
}

const struct export_format export_chrome = {
	.name = "chrome",
	.begin = begin,
	.process = process_begin,
	.event = event_put,
	.process_end = process_end,
	.end = end,
};
