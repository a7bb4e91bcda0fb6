/* SPDX-License-Identifier: BSD-3-Clause */

/* A trace as CSV: a line an event. */
#include <stdio.h>

#include "analyzer/export/export.h"
#include "analyzer/show/table_show.h"

static int begin(const char *output)
{
	(void)output;
	puts("\"rank\",\"thread\",\"event\",\"call\",\"begin_ns\",\"time_ns\","
	     "\"peer\",\"tag\",\"sent_bytes\",\"received_bytes\","
	     "\"communicator\",\"request\",\"phase\",\"site\",\"lost\","
	     "\"core_before_ns\",\"core_within_ns\"");
	return 0;
}

static void put_rank(const struct traces_process *process)
{
	if (process->head->ranked)
		printf("%" PRIu64, process->head->rank);
	putchar(',');
}

static void process_begin(const struct traces_process *process)
{
	(void)process;
}

static void put_text(const char *text)
{
	if (text && *text)
		table_csv_text(text);
	putchar(',');
}

static void put_times(const struct traces_process *process,
		      const struct trace_event *event)
{
	printf("%" PRId64 ",%" PRIu64 ",", traces_since(process, event->begin),
	       event->end - event->begin);
}

static void put_message(const struct traces_process *process,
			const struct trace_event *event)
{
	export_put_peer(event);
	putchar(',');
	if (traces_has_tag(process, event))
		printf("%" PRId32, event->tag);
	printf(",%" PRIu64 ",%" PRIu64 ",", event->sent, event->received);
}

/* The number that all its members have for the communicator. */
static void put_comm(const struct traces_process *process, uint32_t number)
{
	struct trace_comm comm;

	if (trace_comm(process->reader, number, &comm))
		printf("\"%" PRIx64 "\"", comm.id);
	putchar(',');
}

static void event_line(const struct traces_process *process,
		       const struct trace_event *event)
{
	put_rank(process);
	printf("%u,", event->thread);
	put_text(export_kind(event->kind));
	put_text(trace_call_name(process->reader, event->call));
	put_times(process, event);
	put_message(process, event);
	put_comm(process, event->comm);
	if (event->request)
		printf("%" PRIu64, event->request);
	putchar(',');
	put_text(event->phase ? trace_phase_name(process->reader, event->phase)
			      : NULL);
	put_text(traces_site(process, event->path));
	if (event->kind == TRACE_CORE)
		printf(",%" PRIu64 ",%" PRIu64 "\n", event->core_before,
		       event->core_within);
	else
		puts(",,");
}

static void process_end(const struct traces_process *process)
{
	const uint64_t lost = trace_lost(process->reader);

	if (!lost)
		return;
	put_rank(process);
	printf(",\"lost\",,,,,,,,,,,,%" PRIu64 ",,\n", lost);
}

static int end(uint64_t lost)
{
	(void)lost;
	return 0;
}

const struct export_format export_csv = {
	.name = "csv",
	.begin = begin,
	.process = process_begin,
	.event = event_line,
	.process_end = process_end,
	.end = end,
};
