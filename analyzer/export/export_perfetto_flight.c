/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A counter for each rank: the bytes of its sends that have begun and are not
 * complete.  Events of several threads come in pieces that overlap, so changes
 * wait for a while and are written in the order of time.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/export/export_perfetto.h"
#include "analyzer/waits/waits_map.h"

#define ROOM (1u << 16)

struct change {
	uint64_t time;
	int64_t by;
};

static struct {
	struct change changes[ROOM];
	size_t n;
	int64_t bytes;          /* in flight after those that are written */
	struct waits_map sends; /* open ones, by request: bytes + 1 */
	bool has_track;
} flight;

static int by_time(const void *a_p, const void *b_p)
{
	const struct change *a = a_p;
	const struct change *b = b_p;

	return (a->time > b->time) - (a->time < b->time);
}

/* The first change of the process also makes the track. */
static void write_value(const struct traces_process *process, uint64_t time)
{
	static struct protobuf event;

	if (!flight.has_track)
		perfetto_put_counter(process, perfetto_flight_track(process),
				     "bytes in flight");
	flight.has_track = true;
	protobuf_clear(&event);
	protobuf_number(&event, EVENT_TYPE, PERFETTO_COUNTER);
	protobuf_number(&event, EVENT_TRACK, perfetto_flight_track(process));
	protobuf_number(&event, EVENT_COUNTER, (uint64_t)flight.bytes);
	perfetto_put_event(process, time, &event, NULL);
}

/* Writes the first `n`; of one moment only the last value shows. */
static void write_changes(const struct traces_process *process, size_t n)
{
	qsort(flight.changes, flight.n, sizeof(*flight.changes), by_time);
	for (size_t i = 0; i < n; i++) {
		flight.bytes += flight.changes[i].by;
		if (i + 1 == flight.n ||
		    flight.changes[i + 1].time != flight.changes[i].time)
			write_value(process, flight.changes[i].time);
	}
	flight.n -= n;
	memmove(flight.changes, flight.changes + n,
		flight.n * sizeof(*flight.changes));
}

static void change(const struct traces_process *process, uint64_t ns,
		   uint64_t bytes, bool begins)
{
	const int64_t time = traces_since(process, ns);
	const int64_t by = (int64_t)bytes;

	if (bytes == 0)
		return;
	if (flight.n == ROOM)
		write_changes(process, ROOM / 2);
	flight.changes[flight.n++] = (struct change){
		.time = time > 0 ? (uint64_t)time : 0,
		.by = begins ? by : -by,
	};
}

static void take_send(const struct traces_process *process,
		      const struct trace_event *event)
{
	change(process, event->begin, event->sent, true);
	if (event->request)
		waits_map_put(&flight.sends, event->request, event->sent + 1);
	else
		change(process, event->end, event->sent, false);
}

static bool is_send(const struct traces_process *process,
		    const struct trace_event *event)
{
	return event->kind == TRACE_SENT ||
	       (event->kind == TRACE_CALL &&
		trace_call_does(process->reader, event->call) &
			TRACE_DOES_SEND);
}

void perfetto_flight_take(const struct traces_process *process,
			  const struct trace_event *event)
{
	uint64_t known;

	if (is_send(process, event) && event->peer >= 0)
		take_send(process, event);
	if (event->kind != TRACE_DONE)
		return;
	known = waits_map_take(&flight.sends, event->request);
	if (known)
		change(process, event->end, known - 1, false);
}

void perfetto_flight_end(const struct traces_process *process)
{
	write_changes(process, flight.n);
	waits_map_clear(&flight.sends);
	flight.bytes = 0;
	flight.has_track = false;
}
