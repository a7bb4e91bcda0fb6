/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Packets of Perfetto's format.  Each process has a sequence of packets, and a
 * range of numbers for its tracks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/export_perfetto.h"

#define BELOW_RANK  20 /* bits */
#define NEEDS       2  /* the packet uses names defined before it */
#define EXPLICIT    3  /* child tracks are ordered by their rank */
#define NEVER_MERGE 2  /* tracks of the same name */
#define UNIT_BYTES  3
#define BELOW_ALL   INT32_MAX

static uint64_t sequence_of(const struct traces_process *process)
{
	return process->number + 1;
}

uint64_t perfetto_rank_track(const struct traces_process *process)
{
	return sequence_of(process) << BELOW_RANK;
}

uint64_t perfetto_slices_track(const struct traces_process *process)
{
	return perfetto_rank_track(process) + (1 << BELOW_RANK) - 1;
}

uint64_t perfetto_flight_track(const struct traces_process *process)
{
	return perfetto_slices_track(process) - 1;
}

void perfetto_put_text(struct protobuf *message, unsigned field,
		       const char *text)
{
	char *shown = mem_shown(text ? text : "?");

	protobuf_text(message, field, shown);
	free(shown);
}

void perfetto_put(const struct traces_process *process, struct protobuf *packet)
{
	static struct protobuf trace;

	protobuf_clear(&trace);
	protobuf_number(packet, PACKET_SEQUENCE, sequence_of(process));
	protobuf_message(&trace, TRACE_PACKET, packet);
	fwrite(trace.bytes, 1, trace.n, stdout);
}

void perfetto_put_track(const struct traces_process *process, uint64_t track,
			uint64_t parent, const char *name, uint64_t rank)
{
	struct protobuf descriptor = { 0 };
	struct protobuf packet = { 0 };

	protobuf_number(&descriptor, TRACK_UUID, track);
	if (parent)
		protobuf_number(&descriptor, TRACK_PARENT, parent);
	perfetto_put_text(&descriptor, TRACK_NAME, name);
	protobuf_number(&descriptor, TRACK_ORDERING, EXPLICIT);
	protobuf_number(&descriptor, TRACK_RANK, rank & INT32_MAX);
	protobuf_number(&descriptor, TRACK_MERGE, NEVER_MERGE);
	protobuf_message(&packet, PACKET_TRACK, &descriptor);
	perfetto_put(process, &packet);
	protobuf_free(&descriptor);
	protobuf_free(&packet);
}

void perfetto_put_counter(const struct traces_process *process, uint64_t track,
			  const char *name)
{
	struct protobuf counter = { 0 };
	struct protobuf descriptor = { 0 };
	struct protobuf packet = { 0 };

	protobuf_number(&counter, COUNTER_UNIT, UNIT_BYTES);
	protobuf_number(&descriptor, TRACK_UUID, track);
	protobuf_number(&descriptor, TRACK_PARENT,
			perfetto_rank_track(process));
	perfetto_put_text(&descriptor, TRACK_NAME, name);
	protobuf_message(&descriptor, TRACK_COUNTER, &counter);
	protobuf_number(&descriptor, TRACK_RANK, BELOW_ALL);
	protobuf_message(&packet, PACKET_TRACK, &descriptor);
	perfetto_put(process, &packet);
	protobuf_free(&counter);
	protobuf_free(&descriptor);
	protobuf_free(&packet);
}

void perfetto_put_event(const struct traces_process *process, uint64_t time,
			const struct protobuf *event,
			const struct protobuf *interned)
{
	static struct protobuf packet;

	protobuf_clear(&packet);
	protobuf_number(&packet, PACKET_TIMESTAMP, time);
	protobuf_number(&packet, PACKET_FLAGS, NEEDS);
	if (interned && interned->n)
		protobuf_message(&packet, PACKET_INTERNED, interned);
	protobuf_message(&packet, PACKET_EVENT, event);
	perfetto_put(process, &packet);
}
