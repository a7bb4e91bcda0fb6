/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a trace event by event, and checks what it says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/record_field.h"
#include "mds/section_read.h"
#include "mds/trace_read.h"
#include "mds/trace_write.h"

#define ROWS_MAX    (1u << 16)
#define SHAPES_MAX  (1u << 16)
#define THREADS_MAX (1u << 16)
#define HZ_MAX      UINT64_C(1000000000000)
#define SHIFT_MAX   16

/* The values of a thread that its next row is the difference to. */
struct thread {
	uint64_t last;
	uint64_t begun;
	uint64_t done;
	struct trace_event call; /* that items belong to */
};

struct call_name {
	char *text;
	unsigned does;
};

struct trace_reader {
	struct section_file in;
	struct trace_head head;
	struct trace_head clock;
	struct call_name calls[TRACE_CALLS_MAX];
	char *phases[TRACE_PHASES_MAX];
	struct trace_comm comms[TRACE_COMMS_MAX];
	bool has_comm[TRACE_COMMS_MAX];
	struct trace_shape *shapes;
	uint32_t n_shapes;
	uint32_t room_shapes;
	struct thread *threads;
	uint32_t n_threads;
	unsigned thread; /* of the block */
	uint64_t *columns[TRACE_COLUMNS];
	uint32_t n_rows;
	uint32_t next;
	uint64_t lost;
	bool limited;
	bool has_head;
	bool ended;
	/* Callback of trace_skim, or NULL. */
	void (*met)(void *to, const struct trace_comm *comm);
	void *to;
};

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

static int head_read(struct trace_reader *reader)
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

static int names_read(struct trace_reader *reader)
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

static int shapes_read(struct trace_reader *reader)
{
	int rc = 0;

	while (rc == 0 && reader->in.at < reader->in.size)
		rc = shape_read(reader);
	return rc;
}

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
	struct thread *more;

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

static int block_read(struct trace_reader *reader)
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
		return names_read(reader);
	if (strcmp(name, "shapes") == 0)
		return shapes_read(reader);
	if (strcmp(name, "shapes_anew") == 0) {
		reader->n_shapes = 0;
		return shapes_read(reader);
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
		rc = head_read(reader);
		return rc < 0 ? rc : 1;
	}
	if (strcmp(name, "events") != 0)
		return other_read(reader, name);
	if (reader->met)
		return 0;
	rc = block_read(reader);
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
					    "end well, or runs");
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
	struct thread *thread = &reader->threads[reader->thread];
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
	struct thread *thread = &reader->threads[reader->thread];
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

static void row_take(struct trace_reader *reader, uint32_t row,
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
		return;
	}
	times_take(reader, row, event);
	reader->threads[reader->thread].call = *event;
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
	row_take(reader, reader->next++, event);
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
