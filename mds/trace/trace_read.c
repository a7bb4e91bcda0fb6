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
	if (strcmp(name, "counts") == 0)
		return trace_reading_counts(reader);
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
		reader->has_head = rc == 0;
		return rc < 0 ? rc : reader->n_heads == 1;
	}
	if (strcmp(name, "events") != 0)
		return other_read(reader, name);
	if (reader->met)
		return 0;
	rc = trace_reading_block(reader);
	return rc < 0 ? rc : 1;
}

/* The newer file of a ring depends on nothing of the older one. */
static int after_open(struct trace_reader *reader)
{
	char why[sizeof(reader->in.fault)] = "";
	int rc;

	section_close(&reader->in);
	rc = section_open(&reader->in, reader->after, why, sizeof(why));
	strcpy(reader->in.fault, why);
	free(reader->after);
	reader->after = NULL;
	reader->ended = false;
	reader->has_head = false;
	reader->n_shapes = 0;
	for (uint32_t i = 0; i < reader->n_threads; i++) {
		reader->threads[i].last = 0;
		reader->threads[i].begun = 0;
		reader->threads[i].done = 0;
	}
	return rc;
}

/* Sections up to the next with rows, or the first head's.  1, 0 or -errno. */
static int sections_read(struct trace_reader *reader)
{
	unsigned version;
	char name[SECTION_NAME];
	int rc;

	while (!reader->ended || reader->after) {
		rc = reader->ended ? after_open(reader) : 0;
		if (rc < 0)
			return rc;
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

static int file_open(struct trace_reader **reader_p, const char *path,
		     char *why, size_t why_size)
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

/* The head of a file; false if it has none. */
static bool look(const char *path, struct trace_head *head)
{
	struct trace_reader *reader;
	char why[8];

	if (file_open(&reader, path, why, sizeof(why)) != 0)
		return false;
	*head = reader->head;
	trace_close(reader);
	return true;
}

/* Has the older file of a ring read first.  Another job may have left one. */
static int join(struct trace_reader **reader_p, const char *path,
		const char *other, char *why, size_t why_size)
{
	struct trace_reader *reader = *reader_p;
	struct trace_head head;
	bool is_older;

	if (!look(other, &head) || !trace_head_of_same(&head, &reader->head) ||
	    (head.part != reader->head.part + 1 &&
	     head.part + 1 != reader->head.part))
		return 0;
	is_older = head.part < reader->head.part;
	if (is_older) {
		trace_close(reader);
		if (file_open(&reader, other, why, why_size) != 0)
			return -EPROTO;
		*reader_p = reader;
	}
	reader->after = strdup(is_older ? path : other);
	return reader->after ? 0 : -ENOMEM;
}

int trace_open(struct trace_reader **reader_p, const char *path, char *why,
	       size_t why_size)
{
	const size_t room = strlen(path) + sizeof(TRACE_PART_SUFFIX);
	int rc = file_open(reader_p, path, why, why_size);
	char *other;

	if (rc != 0 || (*reader_p)->head.part == 0)
		return rc;
	other = malloc(room);
	if (!other)
		rc = -ENOMEM;
	else {
		snprintf(other, room, "%s" TRACE_PART_SUFFIX, path);
		rc = join(reader_p, path, other, why, why_size);
		free(other);
	}
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
	free(reader->after);
	free(reader->counts);
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

static int event_read(struct trace_reader *reader, struct trace_event *event)
{
	int rc;

	if (reader->next == reader->n_rows) {
		if ((reader->ended && !reader->after) || *reader->in.fault)
			return 0;
		rc = sections_read(reader);
		if (rc <= 0)
			return rc == -ENOMEM ? rc : 0;
	}
	trace_reading_row(reader, reader->next++, event);
	return 1;
}

/* A phase that began before the ring's first event does not end in it. */
static bool is_cut(struct trace_reader *reader, const struct trace_event *event)
{
	unsigned *phases = &reader->threads[reader->thread].phases;

	if (event->kind == TRACE_PHASE_BEGIN)
		++*phases;
	else if (event->kind == TRACE_PHASE_END && *phases)
		--*phases;
	else
		return event->kind == TRACE_PHASE_END && reader->head.part > 1;
	return false;
}

int trace_next(struct trace_reader *reader, struct trace_event *event)
{
	int rc = event_read(reader, event);

	while (rc == 1 && is_cut(reader, event))
		rc = event_read(reader, event);
	return rc;
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
	return reader->lost + reader->dropped;
}

uint64_t trace_dropped(const struct trace_reader *reader)
{
	return reader->dropped;
}

const struct trace_count *trace_counts(const struct trace_reader *reader,
				       size_t *n)
{
	*n = reader->n_counts;
	return reader->counts;
}

uint64_t trace_colls_before(const struct trace_reader *reader, uint32_t comm)
{
	return comm < TRACE_COMMS_MAX ? reader->colls[comm] : 0;
}

bool trace_is_uncounted(const struct trace_reader *reader)
{
	return reader->uncounted;
}

bool trace_is_limited(const struct trace_reader *reader)
{
	return reader->limited;
}
