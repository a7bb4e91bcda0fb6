/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TIMELINE_H
#define BCS_TIMELINE_H

#include <stdio.h>

#include "analyzer/places/intern.h"
#include "analyzer/trace/messages.h"

/* All calls of a run in memory, by thread and time. */
struct timeline_event {
	uint64_t begin; /* ns since the first event of the host */
	uint64_t time;
	uint64_t wait; /* part of `time`: another rank had not begun */
	uint32_t shape;
};

/* Facts that many calls share.  A text is a number in `texts`; 0 is empty. */
struct timeline_shape {
	uint32_t call;
	uint32_t site;
	uint32_t comm;
	uint32_t phase;
	int32_t peer;
	int32_t tag; /* TRACE_NOBODY where a call has none */
	uint64_t sent;
	uint64_t received;
	uint64_t state; /* enum timeline_state */
};

enum timeline_state {
	TIMELINE_SEND,
	TIMELINE_RECEIVE,
	TIMELINE_ALL,
	TIMELINE_WAIT,
	TIMELINE_TEST,
	TIMELINE_ONE_SIDED,
	TIMELINE_FILE,
	TIMELINE_OTHER,
	TIMELINE_OFF, /* recording was */
	TIMELINE_STATES,
};

/* A thread. */
struct timeline_lane {
	bool ranked;
	uint64_t rank; /* without one: the process's id */
	unsigned thread;
	size_t host; /* its number */
	struct timeline_event *events;
	size_t n;
	size_t room;
	size_t first; /* number of the first, over all lanes */
};

struct timeline_message {
	size_t from; /* numbers of events, over all lanes */
	size_t to;
	int32_t tag;
	uint64_t bytes;
};

struct timeline {
	struct timeline_lane *lanes;
	size_t n_lanes;
	size_t lanes_room;
	size_t n_events;
	struct intern shapes; /* of struct timeline_shape */
	struct intern texts;
	struct timeline_message *messages; /* by sender */
	size_t n_messages;
	size_t messages_room;
	uint64_t end; /* of the last event */
	/* From the first end of MPI_Init to the last begin of MPI_Finalize. */
	uint64_t main_from;
	uint64_t main_to;
	uint64_t lost;    /* events that found no room in the traces read */
	uint64_t dropped; /* likewise, before the first of a ring */
	bool is_cut;      /* there were more calls than `max` */
};

/*
 * Reads the first calls of a record's traces: all up to one moment, and at most
 * `max`.  Returns 0, or -errno after it has said why.
 */
int timeline_load(struct timeline *timeline, const char *path,
		  const struct run_filter *filter, size_t max);
void timeline_clear(struct timeline *timeline);

const struct timeline_shape *timeline_shape(const struct timeline *timeline,
					    uint32_t shape);
/* The caller frees it: "rank 3", or with a thread "rank 3.1". */
char *timeline_lane_text(const struct timeline_lane *lane);

/*
 * Draws the timeline with letters.  Each lane has a line; if there are many,
 * several lanes share one.  Lines are at most `width` columns wide.
 */
void timeline_text(const struct timeline *timeline, FILE *to, unsigned width);

/* The loader's: ends of messages, and collective calls, of all processes. */
struct timeline_joining {
	struct timeline *timeline;
	struct message_end *ends;
	size_t n_ends;
	size_t ends_room;
	struct timeline_coll *colls;
	size_t n_colls;
	size_t colls_room;
	struct intern comms; /* of the process that is being read */
	uint64_t *counts;    /* its collective calls, by communicator */
	size_t counts_room;
};

/* An event by its lane and its number there. */
#define TIMELINE_WHERE(lane, event) ((uint64_t)(lane) << 40 | (event))

void timeline_join_end(void *joining, const struct message_end *end);
/* A collective call of the process. */
void timeline_join_coll(struct timeline_joining *joining,
			const struct traces_process *process,
			const struct trace_event *event, uint64_t where);
void timeline_join_process(struct timeline_joining *joining);
/* Finds messages and waits; frees what was kept for that. */
void timeline_join(struct timeline_joining *joining);

#endif
