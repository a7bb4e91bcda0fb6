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

static void head_number(struct trace_head *head, const char *key,
			uint64_t value)
{
	const struct {
		const char *key;
		uint64_t *to;
	} numbers[] = {
		{ "rank", &head->rank },   { "pid", &head->pid },
		{ "ticks", &head->ticks }, { "ns", &head->ns },
		{ "hz", &head->hz },       { "shift", &head->shift },
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

int trace_reading_head(struct trace_reader *reader)
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
			head_number(&reader->head, line,
				    record_field_value(value, 10));
		else if ((value = text_of(value)))
			snprintf(reader->head.host, sizeof(reader->head.host),
				 "%s", value);
	}
	if (reader->head.hz == 0 || reader->head.hz > HZ_MAX ||
	    reader->head.shift > SHIFT_MAX)
		return section_fail(&reader->in, "has no clock");
	reader->clock = reader->head;
	reader->has_head = true;
	return 0;
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
