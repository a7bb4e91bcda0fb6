/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_PARAVER_H
#define BCS_EXPORT_PARAVER_H

#include <stdio.h>
#include <time.h>

#include "analyzer/trace/timeline.h"

/* Types of events: calls by what they do, as Extrae's traces have them. */
enum paraver_type {
	PARAVER_P2P = 50000001,
	PARAVER_COLLECTIVE = 50000002,
	PARAVER_OTHER = 50000003,
	PARAVER_ONE_SIDED = 50000004,
	PARAVER_FILE = 50000005,
	PARAVER_PLACE = 70000001, /* of the call */
	PARAVER_PHASE = 9000001,
};

enum paraver_type paraver_type(const struct timeline_shape *shape);
/* The number of the state that a thread is in during a call. */
unsigned paraver_state(const struct timeline_shape *shape);
#define PARAVER_RUNNING 1

/* A thread, in Paraver's numbers, which begin with 1. */
struct paraver_place {
	size_t cpu;
	size_t task;
	size_t thread;
	uint32_t phase;      /* of its last call, to the caller */
	size_t next_message; /* that it sent, likewise */
};

struct paraver_places {
	const struct timeline *timeline;
	struct paraver_place *list; /* by lane; the caller frees it */
	size_t n_tasks;
	size_t n_hosts;
};

void paraver_places_make(struct paraver_places *places,
			 const struct timeline *timeline);

/* The first line of NAME.prv, of a run at that time. */
void paraver_head(FILE *to, const struct paraver_places *places, time_t when);

/* NAME.pcf: what the numbers of events and states stand for. */
void paraver_names(FILE *to, const struct timeline *timeline);
/* NAME.row: what the threads are called. */
void paraver_rows(FILE *to, const struct timeline *timeline);

#endif
