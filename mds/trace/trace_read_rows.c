/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The rows of a trace.  They lie in columns, and most values are differences to
 * those of the row before, of the same thread or the same shape.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/trace/trace_reading.h"

#define ROWS_MAX    (1u << 16)
#define THREADS_MAX (1u << 16)

static int column_read(struct trace_reader *reader, int column)
{
	uint64_t *values = reader->columns[column];
	unsigned char kind;
	int rc = 0;

	if (reader->in.at == reader->in.size)
		return section_fail(&reader->in, "has too few columns");
	kind = reader->in.body[reader->in.at++];
	if (kind > TRACE_PLAIN)
		return section_fail(&reader->in, "has a column of kind %d",
				    kind);
	for (uint32_t i = 0; i < reader->n_rows && rc == 0; i++)
		if (i == 0 || kind == TRACE_PLAIN)
			rc = section_number(&reader->in, &values[i]);
		else
			values[i] = values[0];
	return rc;
}

static const struct trace_shape *shape_at(const struct trace_reader *reader,
					  uint32_t row)
{
	return &reader->shapes[reader->columns[TRACE_SHAPE][row]];
}

static int shapes_check(struct trace_reader *reader)
{
	for (uint32_t i = 0; i < reader->n_rows; i++)
		if (reader->columns[TRACE_SHAPE][i] >= reader->n_shapes)
			return section_fail(&reader->in,
					    "has a row of no shape");
	return 0;
}

static int times_read(struct trace_reader *reader, int column)
{
	uint64_t *values = reader->columns[column];
	int rc = 0;

	if (reader->in.at == reader->in.size ||
	    reader->in.body[reader->in.at++] != TRACE_PLAIN)
		return section_fail(&reader->in, "has no column of times");
	for (uint32_t i = 0; i < reader->n_rows && rc == 0; i++)
		if (!trace_is_item(shape_at(reader, i)->kind))
			rc = section_number(&reader->in, &values[i]);
	return rc;
}

static int rows_make(struct trace_reader *reader)
{
	if (reader->columns[0])
		return 0;
	for (int i = 0; i < TRACE_COLUMNS; i++) {
		reader->columns[i] = malloc(ROWS_MAX * sizeof(uint64_t));
		if (!reader->columns[i])
			return -ENOMEM;
	}
	return 0;
}

static int thread_make(struct trace_reader *reader, unsigned thread)
{
	struct trace_thread *more;

	reader->thread = thread;
	if (thread < reader->n_threads)
		return 0;
	more = realloc(reader->threads, (thread + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + reader->n_threads, 0,
	       (thread + 1 - reader->n_threads) * sizeof(*more));
	reader->threads = more;
	reader->n_threads = thread + 1;
	return 0;
}

static int columns_read(struct trace_reader *reader)
{
	int rc = rows_make(reader);

	for (int c = 0; c < TRACE_GAP && rc == 0; c++)
		rc = column_read(reader, c);
	if (rc == 0)
		rc = shapes_check(reader);
	if (rc == 0)
		rc = times_read(reader, TRACE_GAP);
	if (rc == 0)
		rc = times_read(reader, TRACE_TIME);
	return rc;
}

int trace_reading_block(struct trace_reader *reader)
{
	const char *line = section_line(&reader->in);
	unsigned long long lost;
	unsigned thread;
	unsigned n;
	int rc;

	if (!line || sscanf(line, "%9u %9u %20llu", &thread, &n, &lost) != 3 ||
	    n == 0 || n > ROWS_MAX || thread >= THREADS_MAX)
		return section_fail(&reader->in,
				    "has no line of thread and rows");
	rc = thread_make(reader, thread);
	if (rc != 0)
		return rc;
	reader->lost += lost;
	reader->n_rows = n;
	reader->next = 0;
	rc = columns_read(reader);
	if (rc != 0)
		reader->n_rows = 0;
	return rc;
}

/* Units of the file as ns; what lies before the clock's beginning is 0. */
static uint64_t to_ns(const struct trace_reader *reader, uint64_t units)
{
	const struct trace_head *clock = &reader->clock;
	const int64_t since = (int64_t)((units << reader->head.shift) -
					clock->ticks);
	const double ns = (double)clock->ns +
			  (double)since * 1e9 / (double)clock->hz;

	return ns > 0 && ns < 0x1p63 ? (uint64_t)ns : 0;
}

static uint64_t request_of(struct trace_reader *reader, uint32_t row)
{
	const uint64_t code = reader->columns[TRACE_REQUEST][row];
	struct trace_thread *thread = &reader->threads[reader->thread];
	uint64_t *last = shape_at(reader, row)->kind == TRACE_CALL
				 ? &thread->begun
				 : &thread->done;

	if (code == 0)
		return 0;
	*last += section_unzigzag(code - 1) + 1;
	return *last;
}

static void times_take(struct trace_reader *reader, uint32_t row,
		       struct trace_event *event)
{
	struct trace_thread *thread = &reader->threads[reader->thread];
	const uint64_t begin = thread->last +
			       section_unzigzag(
				       reader->columns[TRACE_GAP][row]);

	thread->last = begin + reader->columns[TRACE_TIME][row];
	event->begin = to_ns(reader, begin);
	event->end = to_ns(reader, thread->last);
	if (event->end < event->begin)
		event->end = event->begin;
}

/* An item has the rest from its call. */
static void item_take(struct trace_reader *reader, struct trace_event *event)
{
	const struct trace_event *call = &reader->threads[reader->thread].call;

	event->begin = call->begin;
	event->end = call->end;
	event->call = call->call;
	event->phase = call->phase;
	event->path = call->path;
}

/* A damaged file may have times longer than there are. */
static void core_take(struct trace_event *event)
{
	if (event->kind != TRACE_CORE)
		return;
	event->core_before = event->sent & INT64_MAX;
	event->core_within = event->received & INT64_MAX;
	event->sent = 0;
	event->received = 0;
}

void trace_reading_row(struct trace_reader *reader, uint32_t row,
		       struct trace_event *event)
{
	struct trace_shape
		*shape = &reader->shapes[reader->columns[TRACE_SHAPE][row]];

	shape->tag += (int64_t)section_unzigzag(
		reader->columns[TRACE_TAG][row]);
	shape->sent += section_unzigzag(reader->columns[TRACE_BYTES_SENT][row]);
	shape->received += section_unzigzag(
		reader->columns[TRACE_BYTES_RECEIVED][row]);
	*event = (struct trace_event){
		.kind = (enum trace_kind)shape->kind,
		.thread = reader->thread,
		.call = shape->call,
		.phase = shape->phase,
		.path = shape->path,
		.comm = shape->comm,
		.peer = shape->peer,
		.tag = (int32_t)shape->tag,
		.sent = shape->sent,
		.received = shape->received,
		.request = request_of(reader, row),
	};
	if (trace_is_item(event->kind)) {
		item_take(reader, event);
		core_take(event);
		return;
	}
	times_take(reader, row, event);
	reader->threads[reader->thread].call = *event;
}
