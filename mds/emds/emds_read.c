/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a file of slices row by row, and checks what it says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/emds/emds_read.h"
#include "mds/record/record.h"
#include "mds/record/record_field.h"
#include "mds/record/section_read.h"

#define ROWS_MAX (1u << 18)
/* A tick cannot be measured over a shorter time. */
#define SPAN_NS 1000000

struct emds_reader {
	struct section_file in;
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
	uint64_t columns;
	bool has_head;
	bool ended;
};

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
		{ "budget", &head->budget },
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

static int column_read(struct emds_reader *reader, int column)
{
	uint64_t before = 0;
	uint64_t value = 0;
	int rc = 0;
	int kind;

	if (reader->in.at == reader->in.size)
		return section_fail(&reader->in, "has too few columns");
	kind = reader->in.body[reader->in.at++];
	if (kind < EMDS_SAME || kind > EMDS_DIFFERENCES)
		return section_fail(&reader->in, "has a column of kind %d",
				    kind);
	for (uint32_t i = 0; i < reader->n_rows; i++) {
		if (i == 0 || kind != EMDS_SAME)
			rc = section_number(&reader->in, &value);
		if (rc != 0)
			return rc;
		if (kind == EMDS_DIFFERENCES)
			value = before + section_unzigzag(value);
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
	reader->rows = calloc(n ? n : 1, sizeof(*reader->rows));
	if (!reader->rows) {
		reader->n_rows = 0;
		return -ENOMEM;
	}
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
			reader->columns |= EMDS_BIT(column);
		if (reader->n_rows)
			rc = column_read(reader, column);
	}
	return rc;
}

static int block_read(struct emds_reader *reader)
{
	char *names = section_line(&reader->in);
	char *line = section_line(&reader->in);
	unsigned long long dropped;
	unsigned long long ticks;
	unsigned long long ns;
	unsigned n;
	int rc;

	if (!names || !line ||
	    sscanf(line, "%9u %20llu %20llu %20llu", &n, &ticks, &ns,
		   &dropped) != 4 ||
	    n > ROWS_MAX)
		return section_fail(&reader->in,
				    "has no line of rows and clocks");
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
	char name[SECTION_NAME];
	int rc;

	while ((rc = section_next(&reader->in, name, &version)) > 0) {
		if (reader->in.n_sections == 1 && strcmp(name, "record") != 0)
			return section_fail(&reader->in,
					    "is not the head of a record");
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
		section_fail(&reader->in,
			     "is missing: the process did not end well, or "
			     "still runs");
	return rc;
}

int emds_open(struct emds_reader **reader_p, const char *path, char *why,
	      size_t why_size)
{
	struct emds_reader *reader = calloc(1, sizeof(*reader));
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
	section_close(&reader->in);
	free(reader->rows);
	free(reader);
}

const char *emds_path(const struct emds_reader *reader)
{
	return reader->in.path;
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
	for (int i = 0; i < EMDS_COLUMNS; i++)
		if (emds_is_time(i))
			row->value[i] = not_less_than_0((double)row->value[i] *
							reader->tick_ns);
}

int emds_next(struct emds_reader *reader, struct emds_row *row)
{
	int rc;

	if (reader->next == reader->n_rows) {
		if (reader->ended || *reader->in.fault)
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
	return *reader->in.fault ? reader->in.fault : NULL;
}

uint64_t emds_dropped(const struct emds_reader *reader)
{
	return reader->dropped;
}

uint64_t emds_columns(const struct emds_reader *reader)
{
	return reader->columns;
}
