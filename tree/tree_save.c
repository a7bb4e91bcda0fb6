/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a tree as a text file, and reads it again. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_save.h"

#define MAGIC "bcs-tree 1"

void tree_save(const struct tree_flat *flat, FILE *to)
{
	const uint8_t *cell = flat->cells;

	fprintf(to, MAGIC "\ncollective %s\n", flat->collective);
	for (unsigned m = 0; m < flat->n_methods; m++)
		fprintf(to, "method %s %" PRIu64 "\n",
			flat->methods[m].algorithm, flat->methods[m].segment);
	fprintf(to, "bytes");
	for (unsigned c = 0; c < flat->n_columns; c++)
		fprintf(to, " %" PRIu64, tree_flat_from(flat, c));
	for (unsigned r = 0; r < flat->n_rows; r++) {
		fprintf(to, "\nrow %" PRIu32, flat->least[r]);
		for (unsigned c = 0; c < flat->n_columns; c++)
			fprintf(to, " %u", *cell++);
	}
	fprintf(to, "\nend\n");
}

bool tree_save_is(const char *text, size_t size)
{
	const size_t len = sizeof("bcs-tree") - 1;

	return size >= len && memcmp(text, MAGIC, len) == 0;
}

struct reader {
	struct tree_text text;
	struct tree_fault *fault;
	const char *line; /* rest of the current line */
	size_t len;
	char collective[TREE_NAME_MAX];
	struct tree_method methods[TREE_METHODS_MAX];
	size_t n_methods;
	uint64_t bytes[TREE_COLUMNS_MAX];
	size_t n_columns;
	uint32_t processes[TREE_ROWS_MAX];
	size_t n_rows;
	uint8_t *cells;
};

static int wrong(struct reader *reader, const char *what)
{
	return tree_fault_set(reader->fault, -EINVAL, "line %u: %s",
			      reader->text.line, what);
}

static bool next_field(struct reader *reader, const char **field, size_t *len)
{
	return tree_text_field(&reader->line, &reader->len, ' ', field, len);
}

static bool next_number(struct reader *reader, uint64_t max, uint64_t *number)
{
	const char *field;
	size_t len;

	return next_field(reader, &field, &len) &&
	       tree_text_number(field, len, max, number);
}

static bool next_name(struct reader *reader, char name[TREE_NAME_MAX])
{
	const char *field;
	size_t len;

	return next_field(reader, &field, &len) &&
	       tree_text_name(field, len, name);
}

/* Reads the next line if it begins with `word`. */
static bool begins(struct reader *reader, const char *word)
{
	struct tree_text ahead = reader->text;
	const char *field;
	size_t len;

	if (!tree_text_line(&ahead, &reader->line, &reader->len) ||
	    !next_field(reader, &field, &len) || len != strlen(word) ||
	    memcmp(field, word, len) != 0)
		return false;
	reader->text = ahead;
	return true;
}

static int read_head(struct reader *reader)
{
	uint64_t version;

	if (!begins(reader, "bcs-tree") || !next_number(reader, 1, &version) ||
	    version != 1 || reader->line)
		return wrong(reader, "no tree of version 1");
	if (!begins(reader, "collective") ||
	    !next_name(reader, reader->collective) || reader->line)
		return wrong(reader, "no collective");
	return 0;
}

static int read_methods(struct reader *reader)
{
	struct tree_method *method;

	while (begins(reader, "method")) {
		if (reader->n_methods == TREE_METHODS_MAX)
			return wrong(reader, "too many methods");
		method = &reader->methods[reader->n_methods++];
		if (!next_name(reader, method->algorithm) ||
		    !next_number(reader, TREE_BYTES_MAX, &method->segment) ||
		    reader->line)
			return wrong(reader, "no method");
	}
	return reader->n_methods ? 0 : wrong(reader, "no method follows");
}

static int read_bytes(struct reader *reader)
{
	uint64_t *bytes = reader->bytes;
	size_t n = 0;

	if (!begins(reader, "bytes"))
		return wrong(reader, "no bytes follow");
	for (; reader->line; n++) {
		if (n == TREE_COLUMNS_MAX ||
		    !next_number(reader, TREE_BYTES_MAX, &bytes[n]) ||
		    (n ? bytes[n] <= bytes[n - 1] : bytes[n] != 0))
			return wrong(reader, "bytes do not ascend from 0");
	}
	reader->n_columns = n;
	return n ? 0 : wrong(reader, "no bytes");
}

static int read_cells(struct reader *reader)
{
	uint8_t *cells = reader->cells + reader->n_rows * reader->n_columns;
	uint64_t number;

	for (size_t c = 0; c < reader->n_columns; c++) {
		if (!next_number(reader, reader->n_methods - 1, &number))
			return wrong(reader, "not a method for each column");
		cells[c] = (uint8_t)number;
	}
	return reader->line ? wrong(reader, "more methods than columns") : 0;
}

static int read_rows(struct reader *reader)
{
	uint32_t *processes = reader->processes;
	uint64_t number;
	size_t n;
	int rc;

	for (; begins(reader, "row"); reader->n_rows++) {
		n = reader->n_rows;
		if (n == TREE_ROWS_MAX ||
		    !next_number(reader, TREE_PROCESSES_MAX, &number) ||
		    (n ? number <= processes[n - 1] : number != 0))
			return wrong(reader, "rows do not ascend from 0");
		processes[n] = (uint32_t)number;
		rc = read_cells(reader);
		if (rc != 0)
			return rc;
	}
	return reader->n_rows ? 0 : wrong(reader, "no row follows");
}

static int read_end(struct reader *reader)
{
	if (!begins(reader, "end") || reader->line)
		return wrong(reader, "no row or end follows");
	if (reader->text.at != reader->text.end)
		return wrong(reader, "something follows the end");
	return 0;
}

static int read_all(struct reader *reader)
{
	int rc = read_head(reader);

	if (rc == 0)
		rc = read_methods(reader);
	if (rc == 0)
		rc = read_bytes(reader);
	if (rc != 0)
		return rc;
	reader->cells = calloc(TREE_ROWS_MAX, reader->n_columns);
	if (!reader->cells)
		return -ENOMEM;
	rc = read_rows(reader);
	return rc ? rc : read_end(reader);
}

static int make(struct tree_flat *flat, const struct reader *reader)
{
	return tree_flat_from_ranges(flat, &(struct tree_ranges){
						   reader->collective,
						   reader->methods,
						   reader->n_methods,
						   reader->processes,
						   reader->n_rows,
						   reader->bytes,
						   reader->n_columns,
						   reader->cells,
					   });
}

int tree_save_read(struct tree_flat *flat, const char *text, size_t size,
		   struct tree_fault *fault)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader)
		return -ENOMEM;
	reader->text = (struct tree_text){ text, text + size, 0 };
	reader->fault = fault;
	rc = read_all(reader);
	if (rc == 0)
		rc = make(flat, reader);
	free(reader->cells);
	free(reader);
	return rc;
}
