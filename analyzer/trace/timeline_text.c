/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A timeline of letters.  A letter stands for a stretch of time, and is the
 * state that took most of it.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/trace/timeline.h"

#define ROWS 64

/* Behind the states of calls. */
enum { WAITING = TIMELINE_STATES, COMPUTING, STATES };

static const struct {
	char letter;
	const char *name;
} states[STATES] = {
	[TIMELINE_SEND] = { 'S', "sends" },
	[TIMELINE_RECEIVE] = { 'R', "receives" },
	[TIMELINE_ALL] = { 'C', "in a collective" },
	[TIMELINE_WAIT] = { 'W', "completes requests" },
	[TIMELINE_TEST] = { 'T', "tests or probes" },
	[TIMELINE_ONE_SIDED] = { 'O', "one-sided" },
	[TIMELINE_FILE] = { 'F', "in a file" },
	[TIMELINE_OTHER] = { 'M', "other MPI" },
	[TIMELINE_OFF] = { '-', "not recorded" },
	[WAITING] = { 'w', "waits for another rank" },
	[COMPUTING] = { '.', "computes" },
};

struct drawing {
	const struct timeline *timeline;
	FILE *to;
	size_t columns;
	uint64_t from;
	uint64_t span;
	uint64_t (*cells)[STATES]; /* of a line: time by column and state */
	bool used[STATES];
};

static uint64_t column_begin(const struct drawing *d, size_t column)
{
	return d->from + (uint64_t)((double)d->span * (double)column /
				    (double)d->columns);
}

static size_t column_of(const struct drawing *d, uint64_t time)
{
	size_t column = (size_t)((double)(time - d->from) / (double)d->span *
				 (double)d->columns);

	if (column > 0 && column_begin(d, column) > time)
		column--;
	return column;
}

/* Shares the time from `begin` to `end` among the columns. */
static void add(struct drawing *d, uint64_t begin, uint64_t end, int state)
{
	if (begin < d->from)
		begin = d->from;
	if (end > d->from + d->span)
		end = d->from + d->span;
	for (size_t c = begin < end ? column_of(d, begin) : d->columns;
	     c < d->columns && begin < end; c++) {
		const uint64_t next = column_begin(d, c + 1);
		const uint64_t to = next < end ? next : end;

		if (to > begin) {
			d->cells[c][state] += to - begin;
			begin = to;
		}
	}
}

static void add_lane(struct drawing *d, const struct timeline_lane *lane)
{
	uint64_t last = lane->n ? lane->events[0].begin : 0;

	for (size_t i = 0; i < lane->n; i++) {
		const struct timeline_event *e = &lane->events[i];
		const uint64_t begin = e->begin + e->wait;

		add(d, last, e->begin, COMPUTING);
		add(d, e->begin, begin, WAITING);
		last = e->begin + e->time;
		add(d, begin, last,
		    (int)timeline_shape(d->timeline, e->shape)->state);
	}
}

static char letter_of(struct drawing *d, const uint64_t *cell)
{
	int most = 0;

	for (int state = 1; state < STATES; state++)
		if (cell[state] > cell[most])
			most = state;
	if (cell[most] == 0)
		return ' ';
	d->used[most] = true;
	return states[most].letter;
}

static char *name_of(const struct timeline *t, size_t from, size_t to)
{
	char *first = timeline_lane_text(&t->lanes[from]);
	char *last;
	char *both;

	if (to == from + 1)
		return first;
	last = timeline_lane_text(&t->lanes[to - 1]);
	both = mem_print("%s-%s", first,
			 strchr(last, ' ') ? strchr(last, ' ') + 1 : last);
	free(first);
	free(last);
	return both;
}

static void put_line(struct drawing *d, size_t from, size_t to, int width)
{
	char *name = name_of(d->timeline, from, to);

	memset(d->cells, 0, d->columns * sizeof(*d->cells));
	for (size_t i = from; i < to; i++)
		add_lane(d, &d->timeline->lanes[i]);
	fprintf(d->to, "%-*s ", width, name);
	for (size_t c = 0; c < d->columns; c++)
		putc(letter_of(d, d->cells[c]), d->to);
	putc('\n', d->to);
	free(name);
}

static void put_scale(const struct drawing *d, int width)
{
	char begin[32];

	snprintf(begin, sizeof(begin), "%s", units_time_text(d->from));
	fprintf(d->to, "%-*s %s%*s\n", width, "", begin,
		(int)(d->columns - strlen(begin)),
		units_time_text(d->from + d->span));
}

static void put_legend(const struct drawing *d, unsigned width)
{
	size_t used = 0;

	for (int state = 0; state < STATES; state++) {
		const size_t n = strlen(states[state].name) + 4;

		if (!d->used[state])
			continue;
		if (used && used + n > width) {
			putc('\n', d->to);
			used = 0;
		}
		fprintf(d->to, "%s%c %s", used ? "  " : "",
			states[state].letter, states[state].name);
		used += n;
	}
	putc('\n', d->to);
}

static void put_lines(struct drawing *d, size_t group, int width)
{
	const size_t n = d->timeline->n_lanes;

	put_scale(d, width);
	for (size_t i = 0; i < n; i += group)
		put_line(d, i, i + group < n ? i + group : n, width);
}

static int name_width(const struct timeline *t, size_t group)
{
	size_t most = 0;

	for (size_t i = 0; i < t->n_lanes; i += group) {
		char *name = name_of(
			t, i, i + group < t->n_lanes ? i + group : t->n_lanes);

		if (strlen(name) > most)
			most = strlen(name);
		free(name);
	}
	return (int)most;
}

void timeline_text(const struct timeline *timeline, FILE *to, unsigned width)
{
	const size_t group = (timeline->n_lanes + ROWS - 1) / ROWS;
	struct drawing d = {
		.timeline = timeline,
		.to = to,
		.from = timeline->main_from,
		.span = timeline->main_to - timeline->main_from,
	};
	int names;

	if (timeline->n_events == 0 || d.span == 0) {
		fputs("The trace has no call.\n", to);
		return;
	}
	names = name_width(timeline, group);
	d.columns = width > (unsigned)names + 20 ? width - (unsigned)names - 1
						 : 20;
	d.cells = mem_alloc(d.columns, sizeof(*d.cells));
	put_lines(&d, group, names);
	put_legend(&d, width);
	free(d.cells);
}
