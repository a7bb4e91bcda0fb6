/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A trace for Paraver, in three files: NAME.prv has a line for each state,
 * event and message, in the order of time; .pcf and .row have names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/export/export.h"
#include "analyzer/export/export_paraver.h"

#define EVENTS 8000000 /* some 130 bytes each, with their messages */

/* The begin or the end of a call. */
struct moment {
	uint64_t time;
	uint64_t where; /* TIMELINE_WHERE */
	bool is_end;
};

static struct {
	struct timeline timeline;
	struct paraver_places places;
	FILE *to;
} now;

static size_t lane_of_event(size_t number)
{
	size_t low = 0;
	size_t high = now.timeline.n_lanes - 1;

	while (low < high) {
		const size_t mid = (low + high + 1) / 2;

		if (now.timeline.lanes[mid].first <= number)
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

/* Each thread's first one. */
static void place_messages(void)
{
	const struct timeline *t = &now.timeline;

	for (size_t i = t->n_messages; i-- > 0;)
		now.places.list[lane_of_event(t->messages[i].from)]
			.next_message = i;
}

static void put_place(const struct paraver_place *place)
{
	fprintf(now.to, ":%zu:1:%zu:%zu:", place->cpu, place->task,
		place->thread);
}

static void put_state(const struct paraver_place *place, uint64_t from,
		      uint64_t to, unsigned state)
{
	if (from >= to)
		return;
	fputc('1', now.to);
	put_place(place);
	fprintf(now.to, "%" PRIu64 ":%" PRIu64 ":%u\n", from, to, state);
}

static void put_event(struct paraver_place *place, uint64_t time, uint32_t call,
		      const struct timeline_shape *shape)
{
	if (shape->state == TIMELINE_OFF)
		return;
	fputc('2', now.to);
	put_place(place);
	fprintf(now.to, "%" PRIu64 ":%d:%" PRIu32 ":%d:%" PRIu32, time,
		paraver_type(shape), call, PARAVER_PLACE,
		call ? shape->site : 0);
	if (shape->phase != place->phase)
		fprintf(now.to, ":%d:%" PRIu32, PARAVER_PHASE, shape->phase);
	fputc('\n', now.to);
	place->phase = shape->phase;
}

static void put_message(const struct paraver_place *from,
			const struct timeline_event *send,
			const struct timeline_message *message)
{
	const size_t lane = lane_of_event(message->to);
	const struct timeline_lane *l = &now.timeline.lanes[lane];
	const struct timeline_event
		*receive = &l->events[message->to - l->first];

	fputc('3', now.to);
	put_place(from);
	fprintf(now.to, "%" PRIu64 ":%" PRIu64, send->begin, send->begin);
	put_place(&now.places.list[lane]);
	fprintf(now.to, "%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRId32 "\n",
		receive->begin, receive->begin + receive->time, message->bytes,
		message->tag);
}

static void put_messages(struct paraver_place *place, size_t number,
			 const struct timeline_event *send)
{
	const struct timeline *t = &now.timeline;

	while (place->next_message < t->n_messages &&
	       t->messages[place->next_message].from == number)
		put_message(place, send, &t->messages[place->next_message++]);
}

static void put_moment(const struct moment *moment)
{
	const size_t number = moment->where >> 40;
	const size_t event = moment->where & (TIMELINE_WHERE(1, 0) - 1);
	const struct timeline_lane *lane = &now.timeline.lanes[number];
	const struct timeline_event *e = &lane->events[event];
	const struct timeline_shape *shape = timeline_shape(&now.timeline,
							    e->shape);
	struct paraver_place *place = &now.places.list[number];

	if (moment->is_end) {
		put_event(place, moment->time, 0, shape);
		if (event + 1 < lane->n)
			put_state(place, moment->time, e[1].begin,
				  PARAVER_RUNNING);
		return;
	}
	put_state(place, e->begin, e->begin + e->time, paraver_state(shape));
	put_event(place, e->begin, shape->call, shape);
	put_messages(place, lane->first + event, e);
}

static int by_time(const void *one, const void *other)
{
	const struct moment *a = one;
	const struct moment *b = other;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->where != b->where)
		return a->where < b->where ? -1 : 1;
	return (int)a->is_end - (int)b->is_end;
}

static void add_moments(struct moment *at, size_t lane)
{
	const struct timeline_lane *l = &now.timeline.lanes[lane];

	for (size_t i = 0; i < l->n; i++) {
		const struct timeline_event *e = &l->events[i];

		*at++ = (struct moment){ e->begin, TIMELINE_WHERE(lane, i),
					 false };
		*at++ = (struct moment){ e->begin + e->time,
					 TIMELINE_WHERE(lane, i), true };
	}
}

static void put_body(void)
{
	const struct timeline *t = &now.timeline;
	const size_t n = 2 * t->n_events;
	struct moment *moments = mem_alloc(n, sizeof(*moments));

	for (size_t i = 0; i < t->n_lanes; i++) {
		const struct timeline_lane *lane = &t->lanes[i];

		add_moments(moments + 2 * lane->first, i);
		put_state(&now.places.list[i], 0,
			  lane->n ? lane->events[0].begin : t->end,
			  PARAVER_RUNNING);
	}
	qsort(moments, n, sizeof(*moments), by_time);
	for (size_t i = 0; i < n && !ferror(now.to); i++)
		put_moment(&moments[i]);
	free(moments);
}

static FILE *open_file(const char *name, const char *suffix)
{
	char *path = mem_print("%s%s", name, suffix);
	FILE *file = fopen(path, "we");

	if (!file)
		say_error("cannot write to %s: %s", path, strerror(errno));
	free(path);
	return file;
}

/* Returns 0, or -errno after it has said that not all was written. */
static int close_file(FILE *file, const char *name, const char *suffix)
{
	const bool failed = ferror(file);

	if (fclose(file) == 0 && !failed)
		return 0;
	say_error("cannot write all of %s%s: %s", name, suffix,
		  strerror(errno));
	return -EIO;
}

static int write_trace(const char *name, const char *path)
{
	struct stat record = { 0 };

	now.to = open_file(name, ".prv");
	if (!now.to)
		return -EIO;
	(void)stat(path, &record);
	paraver_head(now.to, &now.places, record.st_mtime);
	put_body();
	return close_file(now.to, name, ".prv");
}

static int write_names(const char *name, const char *suffix,
		       void (*put)(FILE *to, const struct timeline *timeline))
{
	FILE *to = open_file(name, suffix);

	if (!to)
		return -EIO;
	put(to, &now.timeline);
	return close_file(to, name, suffix);
}

static int write_all(const char *name, const char *path)
{
	int rc = write_names(name, ".pcf", paraver_names);

	if (rc == 0)
		rc = write_names(name, ".row", paraver_rows);
	if (rc == 0)
		rc = write_trace(name, path);
	if (rc == 0 && now.timeline.is_cut)
		say_warning("the trace goes on: %s.prv has its first %zu calls",
			    name, now.timeline.n_events);
	return rc;
}

/* The name of the three; the caller frees it. */
static char *name_of(const char *output)
{
	const size_t len = strlen(output);
	const bool suffixed = len > 4 && strcmp(output + len - 4, ".prv") == 0;

	return mem_print("%.*s", (int)(suffixed ? len - 4 : len), output);
}

static int export_all(const char *path, const struct run_filter *filter,
		      const char *output)
{
	char *name;
	int rc;

	if (!output) {
		say_error("this format is three files: name them with "
			  "--output");
		return -EINVAL;
	}
	rc = timeline_load(&now.timeline, path, filter, EVENTS);
	if (rc != 0)
		return rc;
	name = name_of(output);
	paraver_places_make(&now.places, &now.timeline);
	place_messages();
	rc = write_all(name, path);
	free(name);
	free(now.places.list);
	timeline_clear(&now.timeline);
	return rc;
}

const struct export_format export_paraver = {
	.name = "paraver",
	.all = export_all,
};
