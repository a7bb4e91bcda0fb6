/* SPDX-License-Identifier: BSD-3-Clause */

/* Loads the traces of a record into memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/trace/timeline.h"

#define PROGRESS (1u << 16) /* events between two looks at the time */

struct loading {
	struct timeline *timeline;
	struct timeline_joining joining;
	struct traces_process process;
	struct messages *messages;
	size_t first_lane; /* of the process */
	size_t left;       /* calls that may still be read of it */
	uint64_t where;    /* of the last call */
	uint64_t cut;      /* ns; nothing is read from there on */
};

static uint32_t text_of(struct timeline *timeline, const char *text)
{
	return (uint32_t)intern_text(&timeline->texts, text ? text : "");
}

static struct timeline_lane *lane_of(struct loading *loading, unsigned thread,
				     size_t *number)
{
	struct timeline *t = loading->timeline;
	const struct trace_head *head = loading->process.head;

	for (size_t i = loading->first_lane; i < t->n_lanes; i++)
		if (t->lanes[i].thread == thread) {
			*number = i;
			return &t->lanes[i];
		}
	t->lanes = mem_grow(t->lanes, &t->lanes_room, t->n_lanes,
			    sizeof(*t->lanes));
	*number = t->n_lanes++;
	t->lanes[*number] = (struct timeline_lane){
		.ranked = head->ranked,
		.rank = head->ranked ? head->rank : head->pid,
		.thread = thread,
		.host = loading->process.host,
	};
	return &t->lanes[*number];
}

static uint64_t state_of(unsigned does)
{
	static const struct {
		unsigned does;
		enum timeline_state state;
	} states[] = {
		{ TRACE_DOES_SEND, TIMELINE_SEND },
		{ TRACE_DOES_RECEIVE | TRACE_DOES_POST, TIMELINE_RECEIVE },
		{ TRACE_DOES_ALL, TIMELINE_ALL },
		{ TRACE_DOES_WAIT, TIMELINE_WAIT },
		{ TRACE_DOES_TEST, TIMELINE_TEST },
		{ TRACE_DOES_ONE_SIDED, TIMELINE_ONE_SIDED },
		{ TRACE_DOES_FILE, TIMELINE_FILE },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (does & states[i].does)
			return states[i].state;
	return TIMELINE_OTHER;
}

static const char *comm_text(const struct traces_process *process,
			     uint32_t number, char *room)
{
	struct trace_comm comm;

	return trace_comm(process->reader, number, &comm)
		       ? traces_comm(process->names, comm.id, room)
		       : NULL;
}

static struct timeline_shape shape_of(struct loading *loading,
				      const struct trace_event *event)
{
	const struct traces_process *process = &loading->process;
	struct timeline *t = loading->timeline;
	char room[TRACES_COMM];

	return (struct timeline_shape){
		.call = text_of(t,
				trace_call_name(process->reader, event->call)),
		.site = text_of(t, traces_site(process, event->path)),
		.comm = text_of(t, comm_text(process, event->comm, room)),
		.phase = text_of(t, event->phase
					    ? trace_phase_name(process->reader,
							       event->phase)
					    : NULL),
		.peer = event->peer,
		.tag = traces_has_tag(process, event) ? event->tag
						      : TRACE_NOBODY,
		.sent = event->sent,
		.received = event->received,
		.state = state_of(
			trace_call_does(process->reader, event->call)),
	};
}

static void add_event(struct loading *loading, const struct trace_event *event,
		      const struct timeline_shape *shape)
{
	struct timeline *t = loading->timeline;
	const int64_t since = traces_since(&loading->process, event->begin);
	size_t number;
	struct timeline_lane *lane = lane_of(loading, event->thread, &number);

	loading->where = TIMELINE_WHERE(number, lane->n);
	lane->events = mem_grow(lane->events, &lane->room, lane->n,
				sizeof(*lane->events));
	lane->events[lane->n++] = (struct timeline_event){
		.begin = since > 0 ? (uint64_t)since : 0,
		.time = event->end - event->begin,
		.shape = (uint32_t)intern_add(&t->shapes, shape,
					      sizeof(*shape)),
	};
}

/* The event ends when recording is on again: take_on() sets its time. */
static void take_off(struct loading *loading, const struct trace_event *event)
{
	const struct timeline_shape shape = {
		.call = text_of(loading->timeline, "recording off"),
		.peer = TRACE_NOBODY,
		.tag = TRACE_NOBODY,
		.state = TIMELINE_OFF,
	};

	add_event(loading, event, &shape);
}

static void take_on(struct loading *loading, const struct trace_event *event)
{
	const int64_t since = traces_since(&loading->process, event->begin);
	size_t number;
	struct timeline_lane *lane = lane_of(loading, event->thread, &number);
	struct timeline_event *last;

	if (lane->n == 0)
		return;
	last = &lane->events[lane->n - 1];
	if (timeline_shape(loading->timeline, last->shape)->state ==
		    TIMELINE_OFF &&
	    since > (int64_t)last->begin)
		last->time = (uint64_t)since - last->begin;
}

static void take_call(struct loading *loading, const struct trace_event *event)
{
	const struct timeline_shape shape = shape_of(loading, event);

	add_event(loading, event, &shape);
	timeline_join_coll(&loading->joining, &loading->process, event,
			   loading->where);
}

/* False if no more is to be read of the process. */
static bool take(struct loading *loading, const struct trace_event *event)
{
	if (event->kind == TRACE_CALL && loading->left-- == 0) {
		const int64_t since = traces_since(&loading->process,
						   event->begin);

		loading->timeline->is_cut = true;
		if (since >= 0 && (uint64_t)since < loading->cut)
			loading->cut = (uint64_t)since;
		return false;
	}
	if (event->kind == TRACE_CALL)
		take_call(loading, event);
	else if (event->kind == TRACE_OFF)
		take_off(loading, event);
	else if (event->kind == TRACE_ON)
		take_on(loading, event);
	messages_take(loading->messages, &loading->process, event,
		      loading->where);
	return true;
}

static void show_progress(const struct traces *traces, size_t file, uint64_t n)
{
	char line[96];

	if (n % PROGRESS || !say_progress_due())
		return;
	snprintf(line, sizeof(line),
		 "reading trace %zu of %zu: %" PRIu64 " events", file + 1,
		 traces->files.n, n);
	say_progress(line);
}

static void read_process(struct loading *loading, struct traces *traces,
			 size_t file, size_t max)
{
	struct trace_event event;
	uint64_t n = 0;

	if (traces_begin(traces, file, &loading->process) != 0)
		return;
	loading->left = max;
	loading->first_lane = loading->timeline->n_lanes;
	loading->messages = messages_new(timeline_join_end, &loading->joining);
	while (trace_next(loading->process.reader, &event) == 1 &&
	       take(loading, &event))
		show_progress(traces, file, ++n);
	messages_end(loading->messages);
	timeline_join_process(&loading->joining);
	traces_end(traces, &loading->process);
}

static bool is_call(const struct timeline *t, const struct timeline_event *e,
		    const char *name)
{
	const uint32_t call = timeline_shape(t, e->shape)->call;

	return strncmp(intern_key(&t->texts, call), name, strlen(name)) == 0;
}

static void look_at_lane(struct timeline *t, const struct timeline_lane *lane)
{
	const struct timeline_event *first = &lane->events[0];
	const struct timeline_event *last = &lane->events[lane->n - 1];
	const uint64_t end = last->begin + last->time;
	const bool has_init = is_call(t, first, "MPI_Init");
	const uint64_t from = first->begin + (has_init ? first->time : 0);
	const uint64_t to = is_call(t, last, "MPI_Finalize") ? last->begin
							     : end;

	if (end > t->end)
		t->end = end;
	if (from < t->main_from)
		t->main_from = from;
	if (to > t->main_to)
		t->main_to = to;
}

/* Drops what began after the moment up to which all were read. */
static void number_events(struct loading *loading)
{
	struct timeline *t = loading->timeline;

	t->main_from = UINT64_MAX;
	for (size_t i = 0; i < t->n_lanes; i++) {
		struct timeline_lane *lane = &t->lanes[i];

		while (lane->n &&
		       lane->events[lane->n - 1].begin >= loading->cut)
			lane->n--;
		lane->first = t->n_events;
		t->n_events += lane->n;
		if (lane->n)
			look_at_lane(t, lane);
	}
	if (t->main_from >= t->main_to) {
		t->main_from = 0;
		t->main_to = t->end;
	}
}

int timeline_load(struct timeline *timeline, const char *path,
		  const struct run_filter *filter, size_t max)
{
	struct loading loading = {
		.timeline = timeline,
		.joining.timeline = timeline,
		.cut = UINT64_MAX,
	};
	struct traces traces;
	const int rc = traces_open(&traces, path, filter);

	*timeline = (struct timeline){ 0 };
	if (rc != 0)
		return rc;
	text_of(timeline, "");
	for (size_t i = 0; i < traces.files.n; i++)
		read_process(&loading, &traces, i, max / traces.files.n);
	say_progress(NULL);
	number_events(&loading);
	timeline_join(&loading.joining);
	timeline->lost = traces.lost - traces.dropped;
	timeline->dropped = traces.dropped;
	traces_close(&traces);
	return 0;
}

void timeline_clear(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_lanes; i++)
		free(timeline->lanes[i].events);
	free(timeline->lanes);
	free(timeline->messages);
	intern_clear(&timeline->shapes);
	intern_clear(&timeline->texts);
	*timeline = (struct timeline){ 0 };
}

const struct timeline_shape *timeline_shape(const struct timeline *timeline,
					    uint32_t shape)
{
	return intern_key(&timeline->shapes, shape);
}

char *timeline_lane_text(const struct timeline_lane *lane)
{
	const char *what = lane->ranked ? "rank" : "process";

	if (lane->thread)
		return mem_print("%s %" PRIu64 ".%u", what, lane->rank,
				 lane->thread);
	return mem_print("%s %" PRIu64, what, lane->rank);
}
