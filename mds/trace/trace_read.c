/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a trace event by event, and checks what it says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/record/record_field.h"
#include "mds/trace/trace_reading.h"

/* The rest of what was lost. */
static void end_read(struct trace_reader *reader)
{
	char *line = section_line(&reader->in);
	uint64_t lost;

	reader->ended = true;
	while (line && (line = section_line(&reader->in))) {
		if (strncmp(line, "lost ", 5) != 0)
			continue;
		lost = record_field_value(line + 5, 10);
		if (lost > reader->lost)
			reader->lost = lost;
	}
}

/* A section with neither the head nor rows. */
static int other_read(struct trace_reader *reader, const char *name)
{
	if (strcmp(name, "names") == 0)
		return trace_reading_names(reader);
	if (strcmp(name, "shapes") == 0)
		return trace_reading_shapes(reader);
	if (strcmp(name, "shapes_anew") == 0) {
		reader->n_shapes = 0;
		return trace_reading_shapes(reader);
	}
	if (strcmp(name, "limit") == 0)
		reader->limited = true;
	if (strcmp(name, "end") == 0)
		end_read(reader);
	return 0;
}

/* 1: there are rows now, or a head; 0: go on; or -errno. */
static int section_take(struct trace_reader *reader, const char *name,
			unsigned version)
{
	int rc;

	if (reader->in.n_sections == 1 && strcmp(name, "record") != 0)
		return section_fail(&reader->in, "is not the head of a record");
	if (version != 1)
		return 0;
	if (!reader->has_head) {
		if (strcmp(name, "trace_of") != 0)
			return 0;
		rc = trace_reading_head(reader);
		return rc < 0 ? rc : 1;
	}
	if (strcmp(name, "events") != 0)
		return other_read(reader, name);
	if (reader->met)
		return 0;
	rc = trace_reading_block(reader);
	return rc < 0 ? rc : 1;
}

/* Sections up to the next with rows, or the head's.  1, 0 or -errno. */
static int sections_read(struct trace_reader *reader)
{
	unsigned version;
	char name[SECTION_NAME];
	int rc;

	while (!reader->ended) {
		rc = section_next(&reader->in, name, &version);
		if (rc < 0)
			return rc;
		if (rc == 0)
			return section_fail(&reader->in,
					    "is missing: the process did not "
					    "end well, or still runs");
		rc = section_take(reader, name, version);
		if (rc != 0)
			return rc;
	}
	return 0;
}

int trace_open(struct trace_reader **reader_p, const char *path, char *why,
	       size_t why_size)
{
	struct trace_reader *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader)
		return -ENOMEM;
	rc = section_open(&reader->in, path, why, why_size);
	if (rc != 0)
		goto fail;
	rc = sections_read(reader);
	if (rc == 1 && reader->has_head) {
		*reader_p = reader;
		return 0;
	}
	snprintf(why, why_size, "%s: not a trace", path);
	rc = -EPROTO;
fail:
	trace_close(reader);
	return rc;
}

void trace_close(struct trace_reader *reader)
{
	if (!reader)
		return;
	section_close(&reader->in);
	for (int i = 0; i < TRACE_CALLS_MAX; i++)
		free(reader->calls[i].text);
	for (int i = 0; i < TRACE_PHASES_MAX; i++)
		free(reader->phases[i]);
	for (int i = 0; i < TRACE_COLUMNS; i++)
		free(reader->columns[i]);
	free(reader->threads);
	free(reader->shapes);
	free(reader);
}

int trace_skim(struct trace_reader *reader,
	       void (*met)(void *to, const struct trace_comm *comm), void *to)
{
	int rc;

	reader->met = met;
	reader->to = to;
	rc = sections_read(reader);
	return rc == -ENOMEM ? rc : 0;
}

const char *trace_path(const struct trace_reader *reader)
{
	return reader->in.path;
}

const struct trace_head *trace_head(const struct trace_reader *reader)
{
	return &reader->head;
}

void trace_clock(struct trace_reader *reader, const struct trace_head *of)
{
	reader->clock = *of;
}

int trace_next(struct trace_reader *reader, struct trace_event *event)
{
	int rc;

	if (reader->next == reader->n_rows) {
		if (reader->ended || *reader->in.fault)
			return 0;
		rc = sections_read(reader);
		if (rc <= 0)
			return rc == -ENOMEM ? rc : 0;
	}
	trace_reading_row(reader, reader->next++, event);
	return 1;
}

const char *trace_call_name(const struct trace_reader *reader, unsigned call)
{
	return call < TRACE_CALLS_MAX ? reader->calls[call].text : NULL;
}

const char *trace_phase_name(const struct trace_reader *reader, unsigned phase)
{
	return phase < TRACE_PHASES_MAX ? reader->phases[phase] : NULL;
}

bool trace_comm(const struct trace_reader *reader, uint32_t comm,
		struct trace_comm *known)
{
	if (comm >= TRACE_COMMS_MAX || !reader->has_comm[comm])
		return false;
	*known = reader->comms[comm];
	return true;
}

unsigned trace_call_does(const struct trace_reader *reader, unsigned call)
{
	return call < TRACE_CALLS_MAX ? reader->calls[call].does : 0;
}

const char *trace_fault(const struct trace_reader *reader)
{
	return *reader->in.fault ? reader->in.fault : NULL;
}

uint64_t trace_lost(const struct trace_reader *reader)
{
	return reader->lost;
}

bool trace_is_limited(const struct trace_reader *reader)
{
	return reader->limited;
}
