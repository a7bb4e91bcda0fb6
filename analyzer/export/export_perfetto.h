/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_PERFETTO_H
#define BCS_EXPORT_PERFETTO_H

#include "analyzer/export/protobuf.h"
#include "analyzer/trace/traces.h"

/* Numbers of fields, as perfetto_trace.proto has them. */
enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_ORDERING = 11,
	TRACK_RANK = 12,
	TRACK_MERGE = 15,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
	COUNTER_UNIT = 3,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_TEXT_IID = 17,
	ANNOTATION_NAME_IID = 1,
	INTERNED_EVENT_NAME = 2,
	INTERNED_ANNOTATION_NAME = 3,
	INTERNED_TEXT = 29,
	INTERNED_IID = 1,
	INTERNED_NAME = 2,
};

enum perfetto_type {
	PERFETTO_BEGIN = 1,
	PERFETTO_END,
	PERFETTO_INSTANT,
	PERFETTO_COUNTER,
};

/* The numbers of a rank's track, and of its tracks of slices and bytes. */
uint64_t perfetto_rank_track(const struct traces_process *process);
uint64_t perfetto_slices_track(const struct traces_process *process);
uint64_t perfetto_flight_track(const struct traces_process *process);

/* Adds a text as the format wants it: valid UTF-8.  NULL is "?". */
void perfetto_put_text(struct protobuf *message, unsigned field,
		       const char *text);
/* Writes a packet to stdout, in the sequence of the process. */
void perfetto_put(const struct traces_process *process,
		  struct protobuf *packet);
void perfetto_put_track(const struct traces_process *process, uint64_t track,
			uint64_t parent, const char *name, uint64_t rank);
/* A track of bytes, below the rank's. */
void perfetto_put_counter(const struct traces_process *process, uint64_t track,
			  const char *name);
void perfetto_put_event(const struct traces_process *process, uint64_t time,
			const struct protobuf *event,
			const struct protobuf *interned);

/* Takes each event of the process; writes the rest in the end. */
void perfetto_flight_take(const struct traces_process *process,
			  const struct trace_event *event);
void perfetto_flight_end(const struct traces_process *process);

/* The slices of the process, on a track of their own, if they were recorded. */
void perfetto_put_slices(const struct traces_process *process);

#endif
