/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_EVENTS_H
#define BCS_REPLAY_EVENTS_H

#include "analyzer/replay/replay_comms.h"

/*
 * The events of a process, with a view of those to come.  `comm` of an event is
 * a number of struct replay_comms.
 */
struct replay_events {
	struct traces_process of;
	const struct replay_comms *comms;
	struct trace_event *ahead;
	size_t first;
	size_t n;
	size_t room;
	uint64_t last_id; /* the communicator that was looked up last, */
	uint32_t last;    /* and its number */
	bool ended;
	bool threads; /* more than one thread calls MPI */
	uint64_t taken;
};

/* The event `n` places ahead; NULL if the trace ends before it. */
const struct trace_event *replay_events_at(struct replay_events *events,
					   size_t n);
/* Drops the next event. */
void replay_events_drop(struct replay_events *events);
/*
 * The end of the receive that `posted` began: its source and tag.  NULL if the
 * trace does not tell within the next million events.
 */
const struct trace_event *
replay_events_received(struct replay_events *events,
		       const struct trace_event *posted);
/*
 * The next call like `call`: of its kind, path, communicator, peer and tag.
 * NULL if there is none soon, or another receive may take its message.
 */
const struct trace_event *replay_events_again(struct replay_events *events,
					      const struct trace_event *call);
void replay_events_clear(struct replay_events *events);

#endif
