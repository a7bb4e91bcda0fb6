/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads a schedule whole, and checks all of it before anything is given out.
 * Memory is some 2 bytes for each outcome that differs from the one before.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/record/record_field.h"
#include "mds/record/section_read.h"
#include "mds/schedule/schedule.h"

struct row {
	unsigned char *bytes;
	size_t size;
	size_t room;
	size_t at;
};

struct call {
	size_t name; /* places in the row of names */
	size_t place;
};

struct schedule {
	struct schedule_about about;
	bool has_head;
	bool whole;
	struct row names; /* texts, each with a zero byte */
	struct row outcomes;
	struct row sources;
	struct row slices;
	uint64_t last_slice;
	struct call *calls;
	unsigned n_calls;
	struct schedule_outcome last;
	uint64_t more;   /* of the last one */
	uint64_t listed; /* elements of its list that were not given out */
};

static int row_add(struct row *row, const void *bytes, size_t size)
{
	const size_t room = 2 * (row->size + size);
	unsigned char *larger;

	if (row->size + size > row->room) {
		larger = realloc(row->bytes, room);
		if (!larger)
			return -ENOMEM;
		row->bytes = larger;
		row->room = room;
	}
	memcpy(row->bytes + row->size, bytes, size);
	row->size += size;
	return 0;
}

/* Returns 1, 0 at the end of the row, or -EPROTO. */
static int row_number(struct row *row, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (row->at == row->size)
			return 0;
		*value |= (uint64_t)(row->bytes[row->at] & 0x7f) << shift;
		if (!(row->bytes[row->at++] & 0x80))
			return 1;
	}
	return -EPROTO;
}

static void head_take(struct schedule_about *about, const char *key,
		      const char *value)
{
	const uint64_t number = record_field_value(value, 10);

	if (strcmp(key, "rank") == 0)
		about->rank = number <= INT_MAX ? (int)number : -1;
	else if (strcmp(key, "size") == 0)
		about->size = number <= INT_MAX ? (int)number : -1;
	else if (strcmp(key, "mode") == 0)
		snprintf(about->mode, sizeof(about->mode), "%s", value);
	else if (strcmp(key, "build") == 0 && strcmp(value, "%") != 0)
		snprintf(about->build, sizeof(about->build), "%s", value);
}

static int head_read(struct schedule *schedule, struct section_file *in)
{
	char *line = section_line(in);
	char *value;

	if (!line || strcmp(line, "key value") != 0)
		return section_fail(in, "has no line of columns");
	while ((line = section_line(in))) {
		value = strchr(line, ' ');
		if (!value)
			return section_fail(in, "has a line without a value");
		*value++ = '\0';
		head_take(&schedule->about, line, value);
	}
	schedule->has_head = true;
	return 0;
}

static int call_add(struct schedule *schedule, char *line)
{
	char *place = strchr(line, ' ');
	const unsigned n = schedule->n_calls;
	struct call *larger;

	if (!place)
		return -EPROTO;
	if ((n & (n - 1)) == 0) {
		larger = realloc(schedule->calls,
				 (n ? 2 * (size_t)n : 1) * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		schedule->calls = larger;
	}
	*place++ = '\0';
	schedule->calls[n].name = schedule->names.size;
	schedule->calls[n].place = schedule->names.size +
				   (size_t)(place - line);
	schedule->n_calls++;
	return row_add(&schedule->names, line,
		       (size_t)(place - line) + strlen(place) + 1);
}

static int calls_read(struct schedule *schedule, struct section_file *in)
{
	char *line;
	int rc = 0;

	while (rc == 0 && (line = section_line(in)))
		rc = call_add(schedule, line);
	return rc == -EPROTO ? section_fail(in, "has a call without a place")
			     : rc;
}

static int section_take(struct schedule *schedule, struct section_file *in,
			const char *name)
{
	if (strcmp(name, "schedule_of") == 0)
		return head_read(schedule, in);
	if (strcmp(name, "calls") == 0)
		return calls_read(schedule, in);
	if (strcmp(name, "outcomes") == 0)
		return row_add(&schedule->outcomes, in->body, in->size);
	if (strcmp(name, "sources") == 0)
		return row_add(&schedule->sources, in->body, in->size);
	if (strcmp(name, "slices") == 0)
		return row_add(&schedule->slices, in->body, in->size);
	schedule->whole |= strcmp(name, "end") == 0;
	return 0;
}

static int sections_read(struct schedule *schedule, struct section_file *in)
{
	char name[SECTION_NAME];
	unsigned version;
	int rc;

	while ((rc = section_next(in, name, &version)) > 0) {
		/* A section of this version says what we know of it. */
		rc = version == 1 ? section_take(schedule, in, name) : 0;
		if (rc != 0)
			break;
	}
	if (rc == 0 && !schedule->has_head)
		rc = section_fail(in, "is not of a schedule");
	return rc;
}

static int outcome_begin(struct schedule *schedule, uint64_t code)
{
	struct schedule_outcome *last = &schedule->last;
	int rc;

	if (code < 2 || code / 2 > schedule->n_calls)
		return -EPROTO;
	last->number = (unsigned)(code / 2 - 1);
	last->is_list = code & 1;
	last->call = (const char *)schedule->names.bytes +
		     schedule->calls[last->number].name;
	last->place = (const char *)schedule->names.bytes +
		      schedule->calls[last->number].place;
	rc = row_number(&schedule->outcomes, &last->value);
	schedule->listed = last->is_list ? last->value : 0;
	return rc;
}

static int outcome_read(struct schedule *schedule)
{
	uint64_t code;
	int rc;

	for (; schedule->listed > 0; schedule->listed--) {
		rc = row_number(&schedule->outcomes, &code);
		if (rc != 1)
			return rc;
	}
	rc = row_number(&schedule->outcomes, &code);
	if (rc != 1)
		return rc;
	if (code != 0)
		return outcome_begin(schedule, code);
	rc = row_number(&schedule->outcomes, &schedule->more);
	if (rc != 1)
		return rc;
	/* The first row of a file, and a list, do not come again. */
	if (!schedule->last.call || schedule->last.is_list ||
	    schedule->more-- == 0)
		return -EPROTO;
	return 1;
}

int schedule_next(struct schedule *schedule, struct schedule_outcome *outcome)
{
	int rc = 1;

	if (schedule->more > 0)
		schedule->more--;
	else
		rc = outcome_read(schedule);
	*outcome = schedule->last;
	return rc;
}

uint64_t schedule_list_next(struct schedule *schedule)
{
	uint64_t value = 0;

	if (schedule->listed == 0)
		return 0;
	schedule->listed--;
	row_number(&schedule->outcomes, &value);
	return value;
}

int schedule_next_source(struct schedule *schedule, uint64_t *source)
{
	return row_number(&schedule->sources, source);
}

int schedule_next_slice(struct schedule *schedule, uint64_t *slice)
{
	uint64_t step;
	const int rc = row_number(&schedule->slices, &step);

	if (rc == 1)
		*slice = schedule->last_slice += step;
	return rc;
}

/* A process that was killed may leave half an outcome at the end. */
static int row_check(struct schedule *schedule, struct row *row, int rc)
{
	if (rc == 0 && schedule->whole && row->at != row->size)
		return -EPROTO;
	row->at = 0;
	return rc;
}

static int rows_check(struct schedule *schedule)
{
	uint64_t source;
	int rc = 1;

	while (rc == 1) {
		rc = outcome_read(schedule);
		schedule->more = 0;
	}
	rc = row_check(schedule, &schedule->outcomes, rc);
	schedule->last = (struct schedule_outcome){ 0 };
	schedule->listed = 0;
	if (rc != 0)
		return rc;
	while ((rc = row_number(&schedule->sources, &source)) == 1)
		continue;
	rc = row_check(schedule, &schedule->sources, rc);
	if (rc != 0)
		return rc;
	while ((rc = row_number(&schedule->slices, &source)) == 1)
		continue;
	return row_check(schedule, &schedule->slices, rc);
}

static int file_read(struct schedule *schedule, struct section_file *in)
{
	int rc = sections_read(schedule, in);

	if (rc != 0)
		return rc;
	rc = rows_check(schedule);
	return rc != 0 ? section_fail(in, "holds no outcomes that make sense")
		       : 0;
}

int schedule_open(struct schedule **schedule_p, const char *path, char *why,
		  size_t why_size)
{
	struct schedule *schedule = calloc(1, sizeof(*schedule));
	struct section_file in = { 0 };
	int rc = -ENOMEM;

	snprintf(why, why_size, "%s: %s", path, strerror(ENOMEM));
	if (schedule)
		rc = section_open(&in, path, why, why_size);
	if (rc == 0) {
		rc = file_read(schedule, &in);
		if (*in.fault)
			snprintf(why, why_size, "%s", in.fault);
	}
	section_close(&in);
	if (rc != 0) {
		schedule_free(schedule);
		return rc;
	}
	*schedule_p = schedule;
	return 0;
}

void schedule_free(struct schedule *schedule)
{
	if (!schedule)
		return;
	free(schedule->names.bytes);
	free(schedule->outcomes.bytes);
	free(schedule->sources.bytes);
	free(schedule->slices.bytes);
	free(schedule->calls);
	free(schedule);
}

const struct schedule_about *schedule_about(const struct schedule *schedule)
{
	return &schedule->about;
}

bool schedule_is_whole(const struct schedule *schedule)
{
	return schedule->whole;
}
