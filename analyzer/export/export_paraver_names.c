/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The names beside a trace for Paraver: a text's value is its number in the
 * timeline.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/export_paraver.h"

#define COLOR 9 /* Paraver's default gradient */

struct state {
	unsigned number; /* as Extrae has it */
	const char *name;
	const char *color;
};

static const struct state off = { 0, "Recording off", "117,195,255" };
static const struct state running = { PARAVER_RUNNING, "Running", "0,0,255" };
static const struct state states[TIMELINE_STATES] = {
	[TIMELINE_SEND] = { 4, "Sending", "255,0,174" },
	[TIMELINE_RECEIVE] = { 3, "Waiting for a message", "255,0,0" },
	[TIMELINE_ALL] = { 13, "Group communication", "255,144,26" },
	[TIMELINE_WAIT] = { 9, "Completing requests", "235,0,0" },
	[TIMELINE_TEST] = { 6, "Test or probe", "172,174,41" },
	[TIMELINE_ONE_SIDED] = { 17, "One-sided", "160,32,240" },
	[TIMELINE_FILE] = { 12, "File", "255,255,0" },
	[TIMELINE_OTHER] = { 15, "Other MPI", "189,168,100" },
};

unsigned paraver_state(const struct timeline_shape *shape)
{
	return shape->state == TIMELINE_OFF ? off.number
					    : states[shape->state].number;
}

enum paraver_type paraver_type(const struct timeline_shape *shape)
{
	switch ((enum timeline_state)shape->state) {
	case TIMELINE_SEND:
	case TIMELINE_RECEIVE:
	case TIMELINE_WAIT:
	case TIMELINE_TEST:
		return PARAVER_P2P;
	case TIMELINE_ALL:
		return PARAVER_COLLECTIVE;
	case TIMELINE_ONE_SIDED:
		return PARAVER_ONE_SIDED;
	case TIMELINE_FILE:
		return PARAVER_FILE;
	default:
		return PARAVER_OTHER;
	}
}

static const struct state *state_at(size_t i)
{
	if (i == TIMELINE_STATES)
		return &running;
	return i == TIMELINE_OFF ? &off : &states[i];
}

static void put_states(FILE *to)
{
	fputs("STATES\n", to);
	for (size_t i = 0; i <= TIMELINE_STATES; i++)
		fprintf(to, "%u\t%s\n", state_at(i)->number, state_at(i)->name);
	fputs("\nSTATES_COLOR\n", to);
	for (size_t i = 0; i <= TIMELINE_STATES; i++)
		fprintf(to, "%u\t{%s}\n", state_at(i)->number,
			state_at(i)->color);
	fputc('\n', to);
}

/* The text of a shape that is a value of this type; 0: none. */
static uint32_t value_of(const struct timeline_shape *shape,
			 enum paraver_type type)
{
	if (type == PARAVER_PLACE)
		return shape->site;
	if (type == PARAVER_PHASE)
		return shape->phase;
	return shape->state != TIMELINE_OFF && paraver_type(shape) == type
		       ? shape->call
		       : 0;
}

static void put_value(FILE *to, const struct timeline *t, uint32_t value)
{
	char *text = mem_shown(intern_key(&t->texts, value));

	fprintf(to, "%" PRIu32 "\t%s\n", value, text);
	free(text);
}

static void put_type(FILE *to, const struct timeline *t, enum paraver_type type,
		     const char *name, const char *nothing)
{
	bool *seen = mem_alloc(t->texts.n, sizeof(*seen));

	fprintf(to, "EVENT_TYPE\n%d\t%d\t%s\nVALUES\n0\t%s\n", COLOR, type,
		name, nothing);
	for (uint32_t i = 0; i < t->shapes.n; i++) {
		const uint32_t value = value_of(timeline_shape(t, i), type);

		if (value && !seen[value])
			put_value(to, t, value);
		seen[value] = true;
	}
	fputc('\n', to);
	free(seen);
}

void paraver_names(FILE *to, const struct timeline *t)
{
	fputs("DEFAULT_OPTIONS\n\n"
	      "LEVEL\tTHREAD\nUNITS\tNANOSEC\nLOOK_BACK\t100\nSPEED\t1\n"
	      "FLAG_ICONS\tENABLED\nNUM_OF_STATE_COLORS\t1000\n"
	      "YMAX_SCALE\t37\n\n"
	      "DEFAULT_SEMANTIC\n\nTHREAD_FUNC\tState As Is\n\n",
	      to);
	put_states(to);
	put_type(to, t, PARAVER_P2P, "MPI Point-to-point", "Outside MPI");
	put_type(to, t, PARAVER_COLLECTIVE, "MPI Collective Comm",
		 "Outside MPI");
	put_type(to, t, PARAVER_ONE_SIDED, "MPI One-sided", "Outside MPI");
	put_type(to, t, PARAVER_FILE, "MPI I/O", "Outside MPI");
	put_type(to, t, PARAVER_OTHER, "MPI Other", "Outside MPI");
	put_type(to, t, PARAVER_PLACE, "Call site of MPI", "Outside MPI");
	put_type(to, t, PARAVER_PHASE, "Phase", "None");
}

void paraver_rows(FILE *to, const struct timeline *t)
{
	fprintf(to, "LEVEL THREAD SIZE %zu\n", t->n_lanes);
	for (size_t i = 0; i < t->n_lanes; i++) {
		char *text = timeline_lane_text(&t->lanes[i]);

		fprintf(to, "%s\n", text);
		free(text);
	}
}
