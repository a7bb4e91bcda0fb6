/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A trace in Perfetto's own format: packets of Protocol Buffers, a sequence of
 * packets for each process.  Tracks are nested: node, rank, thread.  A message
 * is a flow from the call that sent it to the one that received it.  A call is
 * written when the next one comes, since its items are part of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/export/export.h"
#include "analyzer/export/export_perfetto.h"
#include "analyzer/places/intern.h"
#include "analyzer/trace/messages.h"

#define CLEARED     1 /* the packet begins its sequence */
#define THREADS_MAX 4096

static struct {
	struct messages *messages;
	struct intern names; /* of calls; numbers + 1 are those of the format */
	struct intern texts;
	struct intern keys;
	bool threads[THREADS_MAX]; /* that have a track */
	bool *hosts;               /* likewise */
	size_t hosts_room;
	size_t n_hosts;
	struct trace_event call; /* not written yet */
	bool has_call;
	struct protobuf event;    /* the call's, being made */
	struct protobuf interned; /* names that it defines */
	const struct traces_process *process;
} now;

static uint64_t node_track(const struct traces_process *process)
{
	return process->host + 1;
}

static uint64_t thread_track(const struct traces_process *process,
			     unsigned thread)
{
	return perfetto_rank_track(process) + 1 + thread;
}

static uint64_t since(const struct traces_process *process, uint64_t ns)
{
	const int64_t time = traces_since(process, ns);

	return time > 0 ? (uint64_t)time : 0;
}

/* The number of a text, which the packet that is being made defines if new. */
static uint64_t iid_of(struct intern *known, unsigned field, const char *text)
{
	struct protobuf entry = { 0 };
	const size_t n = known->n;
	const size_t at = intern_text(known, text);

	if (at == n) {
		protobuf_number(&entry, INTERNED_IID, at + 1);
		perfetto_put_text(&entry, INTERNED_NAME, text);
		protobuf_message(&now.interned, field, &entry);
		protobuf_free(&entry);
	}
	return at + 1;
}

static void annotate(const char *name, unsigned field, uint64_t value)
{
	static struct protobuf annotation;

	protobuf_clear(&annotation);
	protobuf_number(&annotation, ANNOTATION_NAME_IID,
			iid_of(&now.keys, INTERNED_ANNOTATION_NAME, name));
	protobuf_number(&annotation, field, value);
	protobuf_message(&now.event, EVENT_ANNOTATION, &annotation);
}

static void annotate_text(const char *name, const char *text)
{
	if (text && *text)
		annotate(name, ANNOTATION_TEXT_IID,
			 iid_of(&now.texts, INTERNED_TEXT, text));
}

static void annotate_comm(const struct traces_process *process, uint32_t number)
{
	struct trace_comm comm;
	char id[TRACES_COMM];

	if (trace_comm(process->reader, number, &comm))
		annotate_text("communicator",
			      traces_comm(process->names, comm.id, id));
}

static void annotate_call(const struct traces_process *process,
			  const struct trace_event *event)
{
	if (event->peer == TRACE_ANYBODY)
		annotate_text("peer", "any");
	else if (event->peer != TRACE_NOBODY)
		annotate("peer", ANNOTATION_INT, (uint64_t)event->peer);
	if (traces_has_tag(process, event))
		annotate("tag", ANNOTATION_INT, (uint64_t)(int64_t)event->tag);
	if (event->sent)
		annotate("sent bytes", ANNOTATION_UINT, event->sent);
	if (event->received)
		annotate("received bytes", ANNOTATION_UINT, event->received);
	annotate_comm(process, event->comm);
	annotate_text("phase", event->phase ? trace_phase_name(process->reader,
							       event->phase)
					    : NULL);
	annotate_text("place", traces_site(process, event->path));
}

static void event_begin(const struct traces_process *process,
			enum perfetto_type type, unsigned thread)
{
	protobuf_clear(&now.event);
	protobuf_clear(&now.interned);
	protobuf_number(&now.event, EVENT_TYPE, type);
	protobuf_number(&now.event, EVENT_TRACK, thread_track(process, thread));
}

static void event_name(const char *name)
{
	protobuf_number(
		&now.event, EVENT_NAME_IID,
		iid_of(&now.names, INTERNED_EVENT_NAME, name ? name : "?"));
}

static void call_close(const struct traces_process *process)
{
	if (!now.has_call)
		return;
	perfetto_put_event(process, since(process, now.call.begin), &now.event,
			   &now.interned);
	event_begin(process, PERFETTO_END, now.call.thread);
	perfetto_put_event(process, since(process, now.call.end), &now.event,
			   NULL);
	now.has_call = false;
}

/* The call as a message's `where`: its thread, and when it began. */
static uint64_t where_of(const struct traces_process *process,
			 const struct trace_event *call)
{
	return (uint64_t)call->thread << 50 | since(process, call->begin);
}

/* Writes the end of a message whose call was written before. */
static void put_late(const struct message_end *end)
{
	struct protobuf event = { 0 };
	const unsigned thread = (unsigned)(end->where >> 50);

	protobuf_number(&event, EVENT_TYPE, PERFETTO_INSTANT);
	protobuf_number(&event, EVENT_TRACK, thread_track(now.process, thread));
	protobuf_text(&event, EVENT_NAME, "received");
	protobuf_fixed64(&event, EVENT_FLOW_END, end->id);
	perfetto_put_event(now.process, end->where & ((UINT64_C(1) << 50) - 1),
			   &event, NULL);
	protobuf_free(&event);
}

static void flow(void *to, const struct message_end *end)
{
	(void)to;
	if (!now.has_call || end->where != where_of(now.process, &now.call))
		put_late(end);
	else
		protobuf_fixed64(&now.event,
				 end->sent ? EVENT_FLOW : EVENT_FLOW_END,
				 end->id);
}

static void need_thread(const struct traces_process *process, unsigned thread)
{
	char name[32];

	if (thread >= THREADS_MAX || now.threads[thread])
		return;
	now.threads[thread] = true;
	snprintf(name, sizeof(name), "thread %u", thread);
	perfetto_put_track(process, thread_track(process, thread),
			   perfetto_rank_track(process), name, thread);
}

static void call_open(const struct traces_process *process,
		      const struct trace_event *event)
{
	event_begin(process, PERFETTO_BEGIN, event->thread);
	event_name(trace_call_name(process->reader, event->call));
	annotate_call(process, event);
	now.call = *event;
	now.has_call = true;
}

static void moment(const struct traces_process *process,
		   const struct trace_event *event)
{
	event_begin(process, PERFETTO_INSTANT, event->thread);
	event_name(export_kind(event->kind));
	annotate_call(process, event);
	perfetto_put_event(process, since(process, event->begin), &now.event,
			   &now.interned);
}

/* Belongs to the call that is open. */
static void core_put(const struct trace_event *event)
{
	if (!now.has_call)
		return;
	annotate("ns without a core before the call", ANNOTATION_UINT,
		 event->core_before);
	annotate("ns without a core in the call", ANNOTATION_UINT,
		 event->core_within);
}

static void event_put(const struct traces_process *process,
		      const struct trace_event *event)
{
	if (event->kind == TRACE_CORE)
		core_put(event);
	if (!trace_is_item(event->kind)) {
		call_close(process);
		need_thread(process, event->thread);
		if (event->kind == TRACE_CALL)
			call_open(process, event);
		else
			moment(process, event);
	}
	perfetto_flight_take(process, event);
	messages_take(now.messages, process, event,
		      where_of(process, now.has_call ? &now.call : event));
}

static void need_host(const struct traces_process *process)
{
	for (; now.n_hosts <= process->host; now.n_hosts++) {
		now.hosts = mem_grow(now.hosts, &now.hosts_room, now.n_hosts,
				     sizeof(*now.hosts));
		now.hosts[now.n_hosts] = false;
	}
	if (!now.hosts[process->host])
		perfetto_put_track(process, node_track(process), 0,
				   process->head->host, process->host);
	now.hosts[process->host] = true;
}

static void process_begin(const struct traces_process *process)
{
	const struct trace_head *head = process->head;
	struct protobuf packet = { 0 };
	char name[64];

	now.process = process;
	now.messages = messages_new(flow, NULL);
	protobuf_number(&packet, PACKET_FLAGS, CLEARED);
	perfetto_put(process, &packet);
	protobuf_free(&packet);
	need_host(process);
	snprintf(name, sizeof(name), "%s %" PRIu64,
		 head->ranked ? "rank" : "process",
		 head->ranked ? head->rank : head->pid);
	perfetto_put_track(process, perfetto_rank_track(process),
			   node_track(process), name,
			   head->ranked ? head->rank : INT32_MAX);
	perfetto_put_slices(process);
}

static void forget(void)
{
	intern_clear(&now.names);
	intern_clear(&now.texts);
	intern_clear(&now.keys);
	for (unsigned i = 0; i < THREADS_MAX; i++)
		now.threads[i] = false;
}

static void process_end(const struct traces_process *process)
{
	call_close(process);
	messages_end(now.messages);
	perfetto_flight_end(process);
	forget();
}

static int begin(const char *output)
{
	if (!output && isatty(STDOUT_FILENO)) {
		say_error("this format is not for a terminal: name a file with "
			  "--output");
		return -1;
	}
	return 0;
}

static int end(uint64_t lost)
{
	(void)lost; /* traces_end warned of it */
	free(now.hosts);
	protobuf_free(&now.event);
	protobuf_free(&now.interned);
	return 0;
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.begin = begin,
	.process = process_begin,
	.event = event_put,
	.process_end = process_end,
	.end = end,
};
