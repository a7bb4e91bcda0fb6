/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The sections of a trace that describe it: the head with the clock, names of
 * calls, phases and communicators, and shapes, which rows have in common.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/record/record_field.h"
#include "mds/trace/trace_reading.h"

#define SHAPES_MAX (1u << 16)
#define HZ_MAX     UINT64_C(1000000000000)
#define SHIFT_MAX  16
#define COUNTS_MAX (1u << 20)

static void head_number(struct trace_head *head, const char *key,
			uint64_t value)
{
	const struct {
		const char *key;
		uint64_t *to;
	} numbers[] = {
		{ "rank", &head->rank },
		{ "pid", &head->pid },
		{ "ticks", &head->ticks },
		{ "ns", &head->ns },
		{ "hz", &head->hz },
		{ "shift", &head->shift },
		{ "part", &head->part },
		{ "dropped", &head->dropped },
		{ "uncounted", &head->uncounted },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strcmp(numbers[i].key, key) == 0)
			*numbers[i].to = value;
	head->ranked |= strcmp(key, "rank") == 0;
}

/* A text of the file, decoded where it lies. */
static char *text_of(char *value)
{
	char *end = NULL;

	if (!record_field_text(value, &end) || !end)
		return NULL;
	*end = '\0';
	return value;
}

static int head_read(struct trace_reader *reader, struct trace_head *head)
{
	char *line = section_line(&reader->in);
	char *value;

	if (!line || strcmp(line, "key value") != 0)
		return section_fail(&reader->in, "has no line of columns");
	while ((line = section_line(&reader->in))) {
		value = strchr(line, ' ');
		if (!value)
			return section_fail(&reader->in,
					    "has a line without a value");
		*value++ = '\0';
		if (strcmp(line, "host") != 0)
			head_number(head, line, record_field_value(value, 10));
		else if ((value = text_of(value)))
			snprintf(head->host, sizeof(head->host), "%s", value);
	}
	if (head->hz == 0 || head->hz > HZ_MAX || head->shift > SHIFT_MAX)
		return section_fail(&reader->in, "has no clock");
	return 0;
}

static bool follows(const struct trace_head *next,
		    const struct trace_head *head)
{
	return trace_head_of_same(next, head) && next->part == head->part + 1 &&
	       next->shift == head->shift;
}

int trace_reading_head(struct trace_reader *reader)
{
	struct trace_head head = { 0 };
	const int rc = head_read(reader, &head);

	if (rc != 0)
		return rc;
	if (reader->n_heads++ && !follows(&head, &reader->head))
		return section_fail(&reader->in,
				    "was written anew while it was read");
	reader->dropped = head.dropped;
	if (reader->n_heads > 1)
		return 0;
	reader->uncounted = head.uncounted != 0;
	reader->head = reader->clock = head;
	return 0;
}

static struct trace_count *count_add(struct trace_reader *reader)
{
	const size_t n = reader->room_counts ? 2 * reader->room_counts : 64;
	struct trace_count *more;

	if (reader->n_counts == reader->room_counts) {
		more = realloc(reader->counts, n * sizeof(*more));
		if (!more)
			return NULL;
		reader->counts = more;
		reader->room_counts = n;
	}
	return &reader->counts[reader->n_counts++];
}

static int count_take(struct trace_reader *reader, const uint64_t v[5])
{
	struct trace_count *count;

	if (v[0] >= TRACE_TALLY_KINDS || v[1] >= TRACE_COMMS_MAX ||
	    v[2] > INT32_MAX || reader->n_counts > COUNTS_MAX)
		return section_fail(&reader->in, "has a count that cannot be");
	if (v[0] == TRACE_TALLY_ALL)
		reader->colls[v[1]] = v[4];
	count = count_add(reader);
	if (!count)
		return -ENOMEM;
	*count = (struct trace_count){
		.n = v[4],
		.kind = (unsigned)v[0],
		.comm = (uint32_t)v[1],
		.peer = (int32_t)v[2],
		.tag = (int32_t)section_unzigzag(v[3]),
	};
	return 0;
}

/* The counts of a later file are those that this reader's caller has made. */
int trace_reading_counts(struct trace_reader *reader)
{
	uint64_t v[5];
	int rc = 0;

	while (rc == 0 && reader->n_heads == 1 &&
	       reader->in.at < reader->in.size) {
		for (int i = 0; i < 5 && rc == 0; i++)
			rc = section_number(&reader->in, &v[i]);
		if (rc == 0)
			rc = count_take(reader, v);
	}
	return rc;
}

static int replace(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int name_call(struct trace_reader *reader, unsigned number,
		     const char *text)
{
	if (number >= TRACE_CALLS_MAX)
		return section_fail(&reader->in, "names call %u", number);
	reader->calls[number].does = trace_does(text);
	return replace(&reader->calls[number].text, text);
}

static int name_comm(struct trace_reader *reader, unsigned number,
		     const char *text)
{
	unsigned long long id;
	unsigned rank;
	unsigned size;

	if (number >= TRACE_COMMS_MAX ||
	    sscanf(text, "%16llx/%9u/%9u", &id, &rank, &size) != 3)
		return section_fail(&reader->in, "names communicator %u",
				    number);
	reader->comms[number] = (struct trace_comm){ id, rank, size };
	reader->has_comm[number] = true;
	if (reader->met)
		reader->met(reader->to, &reader->comms[number]);
	return 0;
}

static int name_take(struct trace_reader *reader, const char *what,
		     unsigned number, const char *text)
{
	if (strcmp(what, "call") == 0)
		return name_call(reader, number, text);
	if (strcmp(what, "communicator") == 0)
		return name_comm(reader, number, text);
	if (strcmp(what, "phase") != 0)
		return 0;
	if (number >= TRACE_PHASES_MAX)
		return section_fail(&reader->in, "names phase %u", number);
	return replace(&reader->phases[number], text);
}

int trace_reading_names(struct trace_reader *reader)
{
	char *line = section_line(&reader->in);
	char what[32];
	unsigned number;
	char *text;
	int at;
	int rc = 0;

	while (rc == 0 && line && (line = section_line(&reader->in))) {
		at = 0;
		if (sscanf(line, "%31[a-z] %9u %n", what, &number, &at) != 2 ||
		    !at)
			return section_fail(&reader->in,
					    "has a line without a name");
		text = text_of(line + at);
		if (!text)
			return section_fail(&reader->in,
					    "has a name that is no text");
		rc = name_take(reader, what, number, text);
	}
	return rc;
}

static int shapes_grow(struct trace_reader *reader)
{
	const uint32_t n = reader->room_shapes ? 2 * reader->room_shapes : 256;
	struct trace_shape *more;

	if (reader->n_shapes >= SHAPES_MAX)
		return section_fail(&reader->in, "has too many shapes");
	more = realloc(reader->shapes, n * sizeof(*more));
	if (!more)
		return -ENOMEM;
	reader->shapes = more;
	reader->room_shapes = n;
	return 0;
}

static int shape_read(struct trace_reader *reader)
{
	uint64_t v[6];
	int rc = 0;

	if (reader->n_shapes == reader->room_shapes)
		rc = shapes_grow(reader);
	for (int i = 0; i < 6 && rc == 0; i++)
		rc = section_number(&reader->in, &v[i]);
	if (rc != 0)
		return rc;
	if (v[0] >= TRACE_KINDS || v[1] >= TRACE_CALLS_MAX ||
	    v[2] > UINT32_MAX || v[3] > UINT32_MAX || v[5] >= TRACE_PHASES_MAX)
		return section_fail(&reader->in, "has a shape that cannot be");
	reader->shapes[reader->n_shapes++] = (struct trace_shape){
		.kind = (uint32_t)v[0],
		.call = (uint32_t)v[1],
		.path = (uint32_t)v[2],
		.comm = v[3] ? (uint32_t)(v[3] - 1) : TRACE_NO_COMM,
		.peer = (int32_t)section_unzigzag(v[4]),
		.phase = (uint32_t)v[5],
	};
	return 0;
}

int trace_reading_shapes(struct trace_reader *reader)
{
	int rc = 0;

	while (rc == 0 && reader->in.at < reader->in.size)
		rc = shape_read(reader);
	return rc;
}
