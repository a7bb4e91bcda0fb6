/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "mds/emds_read.h"
#include "mds/reading.h"
#include "mds/record.h"
#include "mds/record_field.h"

#define LINE_MAX_BYTES 4096
#define SECTION_MAX    (16u << 20)
#define ROWS_MAX       (1u << 18)
/* A tick cannot be measured over a shorter time. */
#define SPAN_NS 1000000

struct emds_reader {
	gzFile file;
	char *path;
	char *body; /* the section's content, with a zero byte after it */
	size_t size;
	size_t at;
	uint64_t n_sections;
	struct emds_head head;
	uint64_t ticks; /* last moment on both clocks */
	uint64_t ns;
	uint64_t first_ticks; /* first moment on both clocks */
	uint64_t first_ns;
	double tick_ns; /* length of a tick */
	struct emds_row *rows;
	uint32_t n_rows;
	uint32_t next;
	uint64_t dropped;
	uint32_t columns;
	bool has_head;
	bool ended;
	char fault[512];
};

__attribute__((format(printf, 2, 3))) static int
fail(struct emds_reader *reader, const char *format, ...)
{
	char what[200];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (!*reader->fault)
		snprintf(reader->fault, sizeof(reader->fault),
			 "%.250s: section %llu: %s", reader->path,
			 (unsigned long long)reader->n_sections, what);
	return -EPROTO;
}

/* The text up to the next '\n', which becomes a zero byte; NULL if there is
 * none. */
static char *body_line(struct emds_reader *reader)
{
	char *line = reader->body + reader->at;
	char *end = memchr(line, '\n', reader->size - reader->at);

	if (!end)
		return NULL;
	*end = '\0';
	reader->at = (size_t)(end - reader->body) + 1;
	return line;
}

static int body_read(struct emds_reader *reader, uint64_t length)
{
	free(reader->body);
	reader->at = 0;
	reader->size = (size_t)length;
	reader->body = calloc(1, (size_t)length + 1);
	if (!reader->body)
		return -ENOMEM;
	if (gzread(reader->file, reader->body, (unsigned)length) != (int)length)
		return fail(reader, "is cut off or damaged");
	return 0;
}

/*
 * Reads the next section; its name goes to `name`.  Returns 1, 0 at the end of
 * the file, or -errno.
 */
static int section_read(struct emds_reader *reader, char name[32],
			unsigned *version)
{
	char line[128];
	unsigned long long length;
	int end = 0;
	int error;
	int rc;

	reader->n_sections++;
	if (!gzgets(reader->file, line, sizeof(line))) {
		gzerror(reader->file, &error);
		if (error == Z_OK && gzeof(reader->file))
			return 0;
		return fail(reader, "is cut off or damaged");
	}
	if (sscanf(line, "section %31[a-z_] %9u %19llu%n", name, version,
		   &length, &end) != 3 ||
	    line[end] != '\n' || length > SECTION_MAX)
		return fail(reader, "is not a section");
	rc = body_read(reader, length);
	return rc < 0 ? rc : 1;
}

static void head_text(char *to, size_t size, char *value)
{
	char *end = NULL;

	if (record_field_text(value, &end) && end)
		*end = '\0';
	snprintf(to, size, "%s", value);
}

static void head_number(struct emds_reader *reader, const char *key,
			uint64_t value)
{
	struct emds_head *head = &reader->head;
	const struct {
		const char *key;
		uint64_t *to;
	} numbers[] = {
		{ "rank", &head->rank },
		{ "pid", &head->pid },
		{ "slice_ns", &head->slice_ns },
		{ "zero_ns", &head->zero_ns },
		{ "first_ns", &head->first_ns },
		{ "local_ranks", &head->local_ranks },
		{ "resolution", &head->resolution },
		{ "from", &head->from },
		{ "to", &head->to },
		{ "every", &head->every },
		{ "ticks", &reader->ticks },
		{ "ns", &reader->ns },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strcmp(numbers[i].key, key) == 0)
			*numbers[i].to = value;
	head->ranked |= strcmp(key, "rank") == 0;
}

static int head_read(struct emds_reader *reader)
{
	char *line = body_line(reader);
	char *value;

	if (!line || strcmp(line, "key value") != 0)
		return fail(reader, "has no line of columns");
	while ((line = body_line(reader))) {
		value = strchr(line, ' ');
		if (!value)
			return fail(reader, "has a line without a value");
		*value++ = '\0';
		if (strcmp(line, "host") == 0)
			head_text(reader->head.host, sizeof(reader->head.host),
				  value);
		else if (strcmp(line, "mode") == 0)
			head_text(reader->head.mode, sizeof(reader->head.mode),
				  value);
		else
			head_number(reader, line,
				    record_field_value(value, 10));
	}
	/* Older files lack this key: clocks of hosts were not compared. */
	if (reader->head.first_ns == 0)
		reader->head.first_ns = reader->head.zero_ns;
	reader->first_ticks = reader->ticks;
	reader->first_ns = reader->ns;
	reader->has_head = true;
	return 0;
}

static int number_read(struct emds_reader *reader, uint64_t *value)
{
	unsigned char byte;

	*value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (reader->at == reader->size)
			return fail(reader, "ends within a number");
		byte = (unsigned char)reader->body[reader->at++];
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return 0;
	}
	return fail(reader, "has a number that is too long");
}

static int column_read(struct emds_reader *reader, int column)
{
	uint64_t before = 0;
	uint64_t value = 0;
	int rc = 0;
	int kind;

	if (reader->at == reader->size)
		return fail(reader, "has too few columns");
	kind = reader->body[reader->at++];
	if (kind < EMDS_SAME || kind > EMDS_DIFFERENCES)
		return fail(reader, "has a column of kind %d", kind);
	for (uint32_t i = 0; i < reader->n_rows; i++) {
		if (i == 0 || kind != EMDS_SAME)
			rc = number_read(reader, &value);
		if (rc != 0)
			return rc;
		if (kind == EMDS_DIFFERENCES)
			value = before + (value >> 1 ^ -(value & 1));
		before = value;
		if (column >= 0)
			reader->rows[i].value[column] = value;
	}
	return 0;
}

static int column_find(const char *name)
{
	for (int i = 0; i < EMDS_COLUMNS; i++)
		if (strcmp(emds_names[i], name) == 0)
			return i;
	return -1;
}

/*
 * Computes the length of a tick between the last moment on both clocks and this
 * one.  If they are too close, it uses the first moment.
 */
static void clock_take(struct emds_reader *reader, uint64_t ticks, uint64_t ns)
{
	if (ns < reader->ns + SPAN_NS) {
		reader->ticks = reader->first_ticks;
		reader->ns = reader->first_ns;
	}
	if (ticks > reader->ticks && ns > reader->ns)
		reader->tick_ns = (double)(ns - reader->ns) /
				  (double)(ticks - reader->ticks);
	reader->ticks = ticks;
	reader->ns = ns;
}

static int rows_make(struct emds_reader *reader, uint32_t n)
{
	free(reader->rows);
	reader->n_rows = n;
	reader->next = 0;
	reader->rows = aligned_alloc(64, (n ? n : 1) * sizeof(*reader->rows));
	if (!reader->rows) {
		reader->n_rows = 0;
		return -ENOMEM;
	}
	memset(reader->rows, 0, n * sizeof(*reader->rows));
	return 0;
}

static int columns_read(struct emds_reader *reader, char *names)
{
	char *state = NULL;
	int column;
	int rc = 0;

	for (char *name = strtok_r(names, " ", &state); name && rc == 0;
	     name = strtok_r(NULL, " ", &state)) {
		column = column_find(name);
		if (column >= 0)
			reader->columns |= 1u << column;
		if (reader->n_rows)
			rc = column_read(reader, column);
	}
	return rc;
}

static int block_read(struct emds_reader *reader)
{
	char *names = body_line(reader);
	char *line = body_line(reader);
	unsigned long long dropped;
	unsigned long long ticks;
	unsigned long long ns;
	unsigned n;
	int rc;

	if (!names || !line ||
	    sscanf(line, "%9u %20llu %20llu %20llu", &n, &ticks, &ns,
		   &dropped) != 4 ||
	    n > ROWS_MAX)
		return fail(reader, "has no line of rows and clocks");
	clock_take(reader, ticks, ns);
	reader->dropped += dropped;
	rc = rows_make(reader, n);
	if (rc == 0)
		rc = columns_read(reader, names);
	if (rc != 0)
		reader->n_rows = 0;
	return rc;
}

/* Reads sections up to the next with rows, or the head.  Returns 1, 0 or
 * -errno. */
static int sections_read(struct emds_reader *reader)
{
	unsigned version;
	char name[32];
	int rc;

	while ((rc = section_read(reader, name, &version)) > 0) {
		if (reader->n_sections == 1 && strcmp(name, "record") != 0)
			return fail(reader, "is not the head of a record");
		if (strcmp(name, "end") == 0) {
			reader->ended = true;
			return 0;
		}
		if (version != 1)
			continue;
		if (!reader->has_head && strcmp(name, "slices_of") == 0)
			return head_read(reader) < 0 ? -EPROTO : 1;
		if (!reader->has_head || strcmp(name, "slices") != 0)
			continue;
		rc = block_read(reader);
		if (rc != 0 || reader->n_rows)
			return rc < 0 ? rc : 1;
	}
	if (rc == 0)
		fail(reader, "is missing: the process did not end well, or "
			     "runs");
	return rc;
}

static int file_open(struct emds_reader *reader, const char *path)
{
	const int fd = reading_open(path, READING_RECORD);

	if (fd < 0)
		return fd;
	reader->file = gzdopen(fd, "rb");
	if (reader->file)
		return 0;
	close(fd);
	return -ENOMEM;
}

int emds_open(struct emds_reader **reader_p, const char *path, char *why,
	      size_t why_size)
{
	struct emds_reader *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader)
		return -ENOMEM;
	reader->path = strdup(path);
	rc = reader->path ? file_open(reader, path) : -ENOMEM;
	if (rc != 0) {
		snprintf(why, why_size, "%s: %s", path,
			 reading_text(rc, READING_RECORD));
		goto fail;
	}
	rc = sections_read(reader);
	if (rc == 1 && reader->has_head) {
		*reader_p = reader;
		return 0;
	}
	snprintf(why, why_size, "%s: not a record of slices", path);
	rc = -EPROTO;
fail:
	emds_close(reader);
	return rc;
}

void emds_close(struct emds_reader *reader)
{
	if (!reader)
		return;
	if (reader->file)
		gzclose(reader->file);
	free(reader->path);
	free(reader->body);
	free(reader->rows);
	free(reader);
}

const char *emds_path(const struct emds_reader *reader)
{
	return reader->path;
}

const struct emds_head *emds_head(const struct emds_reader *reader)
{
	return &reader->head;
}

static uint64_t not_less_than_0(double ns)
{
	return ns > 0 && ns < 0x1p63 ? (uint64_t)(ns + 0.5) : 0;
}

static void to_ns(const struct emds_reader *reader, struct emds_row *row)
{
	const int64_t since = (int64_t)(row->value[EMDS_BEGIN] - reader->ticks);
	const double begin = (double)reader->ns - (double)reader->head.zero_ns +
			     (double)since * reader->tick_ns;

	row->value[EMDS_BEGIN] = not_less_than_0(begin);
	for (int i = EMDS_TIME; i <= EMDS_POKE; i++)
		row->value[i] = not_less_than_0((double)row->value[i] *
						reader->tick_ns);
}

int emds_next(struct emds_reader *reader, struct emds_row *row)
{
	int rc;

	if (reader->next == reader->n_rows) {
		if (reader->ended || *reader->fault)
			return 0;
		rc = sections_read(reader);
		if (rc <= 0)
			return rc == -ENOMEM ? rc : 0;
	}
	*row = reader->rows[reader->next++];
	to_ns(reader, row);
	return 1;
}

const char *emds_fault(const struct emds_reader *reader)
{
	return *reader->fault ? reader->fault : NULL;
}

uint64_t emds_dropped(const struct emds_reader *reader)
{
	return reader->dropped;
}

uint32_t emds_columns(const struct emds_reader *reader)
{
	return reader->columns;
}
