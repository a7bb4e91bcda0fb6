/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A row is a shape and what changes between two rows of it. Shapes have a
 * number; tags and bytes are differences to the last row of the shape, requests
 * to the number that comes next. So a program that does the same again has
 * columns of zeros, and its times are all that takes room.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "mds/record/record.h"
#include "mds/record/record_encode.h"
#include "mds/trace/trace_read.h"
#include "mds/trace/trace_write.h"

/* The next levels pack 3 % better and take twice the time. */
#define LEVEL 1

static void put_section(struct trace_file *file, const char *name)
{
	section_write(file->pack, name, file->body, file->used);
	file->used = 0;
}

static void put_byte(struct trace_file *file, unsigned char byte)
{
	file->body[file->used++] = byte;
}

static void put_text(struct trace_file *file, const char *text)
{
	const size_t n = strlen(text);

	memcpy(file->body + file->used, text, n);
	file->used += n;
}

/* Seven bits a byte, the lowest first. */
static void put_number(struct trace_file *file, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(file, (unsigned char)(value | 0x80));
	put_byte(file, (unsigned char)value);
}

/* Small ones stay small, whatever their sign. */
static uint64_t zigzag(uint64_t difference)
{
	const int64_t d = (int64_t)difference;

	return (uint64_t)d << 1 ^ (d < 0 ? UINT64_MAX : 0);
}

static uint32_t shape_hash(const struct trace_row *row)
{
	uint64_t hash = row->kind;

	hash = hash << 16 ^ row->call ^ (uint64_t)row->path << 20;
	hash = (hash ^ row->comm) * 0x9e3779b97f4a7c15u;
	hash ^= hash >> 29;
	hash = (hash ^ (uint32_t)row->peer ^ (uint64_t)row->phase << 40) *
	       0x9e3779b97f4a7c15u;
	return (uint32_t)(hash >> 32);
}

static bool is_of(const struct trace_shape *shape, const struct trace_row *row)
{
	return shape->kind == row->kind && shape->call == row->call &&
	       shape->path == row->path && shape->comm == row->comm &&
	       shape->peer == row->peer && shape->phase == row->phase;
}

static void shape_make(struct trace_file *file, uint32_t place,
		       const struct trace_row *row)
{
	struct trace_shape *shape = &file->shapes[file->n_shapes];

	*shape = (struct trace_shape){ .kind = row->kind,
				       .call = row->call,
				       .path = row->path,
				       .comm = row->comm,
				       .peer = row->peer,
				       .phase = row->phase };
	file->fresh[file->n_new++] = *shape;
	file->places[place] = ++file->n_shapes;
}

/* The number of a row's shape. */
static uint32_t shape_of(struct trace_file *file, const struct trace_row *row)
{
	const uint32_t mask = 2 * TRACE_SHAPES - 1;
	uint32_t i = shape_hash(row) & mask;

	while (file->places[i]) {
		if (is_of(&file->shapes[file->places[i] - 1], row))
			return file->places[i] - 1;
		i = (i + 1) & mask;
	}
	shape_make(file, i, row);
	return file->n_shapes - 1;
}

static void shapes_clear(struct trace_file *file)
{
	memset(file->places, 0, sizeof(file->places));
	file->n_shapes = 0;
	file->anew = true;
}

/* 0: it has none; else one more than how far it is from the one expected. */
static uint64_t request_code(struct trace_ring *ring,
			     const struct trace_row *row)
{
	uint64_t *last = row->kind == TRACE_CALL ? &ring->begun : &ring->done;
	uint64_t code;

	if (row->request == 0)
		return 0;
	code = zigzag(row->request - *last - 1) + 1;
	*last = row->request;
	return code;
}

static void take_times(struct trace_file *file, struct trace_ring *ring,
		       const struct trace_row *row, uint32_t i)
{
	const uint64_t start = row->start >> file->shift;
	const uint64_t end = row->end >> file->shift;

	if (trace_is_item(row->kind)) {
		file->columns[TRACE_GAP][i] = 0;
		file->columns[TRACE_TIME][i] = 0;
		return;
	}
	file->columns[TRACE_GAP][i] = zigzag(start - ring->last);
	file->columns[TRACE_TIME][i] = end - start;
	ring->last = end;
}

static void take(struct trace_file *file, struct trace_ring *ring,
		 const struct trace_row *row, uint32_t i)
{
	const uint32_t n = shape_of(file, row);
	struct trace_shape *shape = &file->shapes[n];

	file->columns[TRACE_SHAPE][i] = n;
	file->columns[TRACE_TAG][i] = zigzag((uint64_t)(row->tag - shape->tag));
	file->columns[TRACE_BYTES_SENT][i] = zigzag(row->sent - shape->sent);
	file->columns[TRACE_BYTES_RECEIVED][i] = zigzag(row->received -
							shape->received);
	file->columns[TRACE_REQUEST][i] = request_code(ring, row);
	shape->tag = row->tag;
	shape->sent = row->sent;
	shape->received = row->received;
	take_times(file, ring, row, i);
}

static bool is_same(const uint64_t *values, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (values[i] != values[0])
			return false;
	return true;
}

static void put_column(struct trace_file *file, const uint64_t *values,
		       uint32_t n)
{
	const bool same = is_same(values, n);

	put_byte(file, same ? TRACE_SAME : TRACE_PLAIN);
	for (uint32_t i = 0; i < (same ? 1 : n); i++)
		put_number(file, values[i]);
}

/* Items have no times, and take no room among those of calls. */
static void put_times(struct trace_file *file, const struct trace_row *rows,
		      uint32_t n, enum trace_column column)
{
	put_byte(file, TRACE_PLAIN);
	for (uint32_t i = 0; i < n; i++)
		if (!trace_is_item(rows[i].kind))
			put_number(file, file->columns[column][i]);
}

static void put_fresh(struct trace_file *file)
{
	file->used = 0;
	for (size_t i = 0; i < file->n_new; i++) {
		const struct trace_shape *s = &file->fresh[i];

		put_number(file, s->kind);
		put_number(file, s->call);
		put_number(file, s->path);
		put_number(file, s->comm == TRACE_NO_COMM ? 0 : s->comm + 1);
		put_number(file, zigzag((uint64_t)(int64_t)s->peer));
		put_number(file, s->phase);
	}
	put_section(file, file->anew ? "shapes_anew" : "shapes");
	file->n_new = 0;
	file->anew = false;
}

/* A line of the names: "what number text". */
static void put_name(struct trace_file *file, const char *what, uint32_t number,
		     const char *text)
{
	char line[64];
	const size_t n = record_encode_length(text);

	snprintf(line, sizeof(line), "%s %u ", what, number);
	put_text(file, line);
	if (n == 0)
		put_byte(file, '%');
	for (size_t i = 0; i < n; i++)
		file->used += record_encode_byte(
			(char *)file->body + file->used, text[i]);
	put_byte(file, '\n');
}

static void put_comm(struct trace_file *file, uint32_t number)
{
	struct trace_named_comm *comm = &file->comms[number];
	uint32_t rank;
	uint32_t size;
	uint64_t id;

	if (!file->names->comm(number, &id, &rank, &size))
		return;
	snprintf(comm->text, sizeof(comm->text), "%llx/%u/%u",
		 (unsigned long long)id, rank, size);
	put_name(file, "communicator", number, comm->text);
}

static bool is_first(bool *named, uint32_t number, uint32_t n)
{
	if (number >= n || named[number])
		return false;
	named[number] = true;
	return true;
}

static void put_names_of(struct trace_file *file, const struct trace_shape *s)
{
	if (s->kind == TRACE_CALL &&
	    is_first(file->named_calls, s->call, TRACE_CALLS_MAX)) {
		put_name(file, "call", s->call, file->names->call(s->call));
		file->does[s->call] = trace_does(file->names->call(s->call));
	}
	if (s->phase &&
	    is_first(file->named_phases, s->phase, TRACE_PHASES_MAX))
		put_name(file, "phase", s->phase, file->names->phase(s->phase));
	if (is_first(file->named_comms, s->comm, TRACE_COMMS_MAX))
		put_comm(file, s->comm);
}

static void names_begin(struct trace_file *file)
{
	file->used = 0;
	put_text(file, "what number text\n");
}

/* Names are short; a section of them is written before the room is full. */
static void names_more(struct trace_file *file)
{
	if (file->used < sizeof(file->body) / 2)
		return;
	put_section(file, "names");
	names_begin(file);
}

static void names_end(struct trace_file *file)
{
	if (file->used > sizeof("what number text\n") - 1)
		put_section(file, "names");
	file->used = 0;
}

static void put_names(struct trace_file *file)
{
	names_begin(file);
	for (size_t i = 0; i < file->n_new; i++) {
		put_names_of(file, &file->fresh[i]);
		names_more(file);
	}
	names_end(file);
}

/* All names that the files before have. */
static void put_names_again(struct trace_file *file)
{
	names_begin(file);
	for (uint32_t i = 0; i < TRACE_CALLS_MAX; i++, names_more(file))
		if (file->named_calls[i])
			put_name(file, "call", i, file->names->call(i));
	for (uint32_t i = 0; i < TRACE_PHASES_MAX; i++, names_more(file))
		if (file->named_phases[i])
			put_name(file, "phase", i, file->names->phase(i));
	for (uint32_t i = 0; i < TRACE_COMMS_MAX; i++, names_more(file))
		if (file->comms[i].text[0])
			put_name(file, "communicator", i, file->comms[i].text);
	names_end(file);
}

static void put_rows(struct trace_file *file, const struct trace_ring *ring,
		     const struct trace_row *rows, uint32_t n, uint64_t lost)
{
	char line[96];

	snprintf(line, sizeof(line), "%u %u %llu\n", ring->thread, n,
		 (unsigned long long)lost);
	file->used = 0;
	put_text(file, line);
	for (int c = 0; c < TRACE_GAP; c++)
		put_column(file, file->columns[c], n);
	put_times(file, rows, n, TRACE_GAP);
	put_times(file, rows, n, TRACE_TIME);
	put_section(file, "events");
}

static void put_count(void *to, const struct trace_tally_count *count)
{
	struct trace_file *file = to;

	put_number(file, count->kind);
	put_number(file, count->comm);
	put_number(file, (uint32_t)count->peer);
	put_number(file, zigzag((uint64_t)(int64_t)count->tag));
	put_number(file, count->n);
	if (file->used > sizeof(file->body) / 2)
		put_section(file, "counts");
}

static void put_counts(struct trace_file *file)
{
	file->used = 0;
	trace_tally_each(&file->tally, put_count, file);
	if (file->used)
		put_section(file, "counts");
}

/* Counts the messages that a reader will number. */
static void count(struct trace_file *file, const struct trace_row *rows,
		  uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (rows[i].comm < TRACE_COMMS_MAX &&
		    file->comms[rows[i].comm].text[0])
			trace_tally_add(&file->tally, &rows[i],
					rows[i].call < TRACE_CALLS_MAX
						? file->does[rows[i].call]
						: 0);
}

void trace_file_add(struct trace_file *file, struct trace_ring *ring,
		    const struct trace_row *rows, uint32_t n, uint64_t lost)
{
	if (file->n_shapes + n > TRACE_SHAPES)
		shapes_clear(file);
	for (uint32_t i = 0; i < n; i++)
		take(file, ring, &rows[i], i);
	if (file->n_new) {
		put_names(file);
		put_fresh(file);
	}
	put_rows(file, ring, rows, n, lost);
	if (file->part)
		count(file, rows, n);
	file->lost += lost;
	file->events += n;
}

void trace_file_flush(struct trace_file *file)
{
	record_pack_flush(file->pack);
}

uint64_t trace_file_bytes(const struct trace_file *file)
{
	const off_t size = file->is_closed
				   ? 0
				   : lseek(file->pack->file.fd, 0, SEEK_CUR);

	return size < 0 ? 0 : (uint64_t)size;
}

void trace_file_limit(struct trace_file *file)
{
	file->used = 0;
	put_text(file, "key value\n");
	put_section(file, "limit");
}

int trace_file_error(const struct trace_file *file)
{
	return file->pack->error;
}

static void add_value(struct trace_file *file, const char *key,
		      unsigned long long value)
{
	char line[96];

	snprintf(line, sizeof(line), "%s %llu\n", key, value);
	put_text(file, line);
}

static void add_word(struct trace_file *file, const char *key, const char *word)
{
	const size_t n = record_encode_length(word);

	put_text(file, key);
	put_byte(file, ' ');
	if (n == 0)
		put_byte(file, '%');
	for (size_t i = 0; i < n; i++)
		file->used += record_encode_byte(
			(char *)file->body + file->used, word[i]);
	put_byte(file, '\n');
}

static void add_clock(struct trace_file *file)
{
	uint64_t ticks;
	uint64_t ns;

	clock_pair(&ticks, &ns);
	add_value(file, "ticks", ticks);
	add_value(file, "ns", ns);
	add_value(file, "hz", clock_hz());
}

/* A unit is about a nanosecond, and not longer. */
static unsigned unit_shift(void)
{
	unsigned shift = 0;

	while (clock_hz() >> (shift + 1) > 1000000000)
		shift++;
	return shift;
}

static void put_head(struct trace_file *file)
{
	put_text(file, "key value\n");
	add_value(file, "format", RECORD_FORMAT);
	add_word(file, "writer", "bcs " BCS_VERSION);
	put_section(file, "record");

	put_text(file, "key value\n");
	if (file->rank >= 0)
		add_value(file, "rank", (unsigned)file->rank);
	add_value(file, "pid", file->pid);
	add_word(file, "host", file->host);
	add_value(file, "shift", file->shift);
	add_clock(file);
	if (file->part) {
		add_value(file, "part", file->part);
		add_value(file, "dropped", file->dropped);
		add_value(file, "uncounted", file->tally.is_full);
	}
	put_section(file, "trace_of");
}

/* Opens the file of the part and writes its beginning. */
static int part_begin(struct trace_file *file)
{
	const unsigned i = file->part ? (file->part - 1) % 2 : 0;
	struct record_pack *pack = &file->packs[i];
	const int rc = record_pack_open(pack, file->dir, file->file_names[i]);

	if (rc != 0)
		return rc;
	record_pack_grow(pack, LEVEL);
	file->pack = pack;
	put_head(file);
	if (file->part > 1) {
		put_names_again(file);
		put_counts(file);
	}
	record_pack_flush(pack);
	return 0;
}

int trace_file_open(struct trace_file *file,
		    const struct trace_options *options)
{
	int rc;

	file->dir = options->dir;
	file->host = options->host;
	file->rank = options->rank;
	file->pid = options->pid;
	file->names = &options->names;
	for (int i = 0; i < 2; i++)
		snprintf(file->file_names[i], sizeof(file->file_names[i]),
			 "%s%s", options->name, i ? TRACE_PART_SUFFIX : "");
	file->shift = unit_shift();
	file->part = options->is_ring;
	file->anew = true;
	rc = part_begin(file);
	if (rc == 0 && file->pack->error)
		rc = record_pack_close(file->pack);
	return rc;
}

static int part_end(struct trace_file *file, uint64_t lost)
{
	file->used = 0;
	put_text(file, "key value\n");
	add_value(file, "events", file->events);
	add_value(file, "lost", file->lost + lost);
	add_clock(file);
	put_section(file, "end");
	return record_pack_close(file->pack);
}

/*
 * The older file is there until the next one takes its name, and the newer one
 * has its end by then.  Without a next file, the trace ends here.
 */
void trace_file_turn(struct trace_file *file)
{
	int closed;
	int rc;

	if (file->pack->error)
		return;
	closed = part_end(file, 0);
	file->part++;
	file->dropped += file->older;
	file->older = file->events;
	file->events = 0;
	shapes_clear(file);
	rc = part_begin(file);
	file->is_closed = rc != 0;
	if (rc == 0)
		rc = closed;
	if (rc != 0 && !file->pack->error)
		file->pack->error = rc;
}

void trace_file_close(struct trace_file *file, uint64_t lost)
{
	if (!file->is_closed)
		part_end(file, lost);
}
