/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every line of a piece ends in '\n', which is checked first. All code that
 * scans a field stops at a control byte. So no scan leaves the piece, though
 * none of them knows where it ends.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mds/record/record_fault.h"
#include "mds/record/record_field.h"
#include "mds/record/record_schema.h"
#include "mds/record/record_table.h"

struct parser {
	struct record_table *table;
	const struct record_piece *piece;
	struct record_fault *fault;
	char *p;
	size_t line;
};

static int bad_line(struct parser *parser, const char *what)
{
	return record_fault_note(parser->fault, -EPROTO,
				 "line %zu, table %s: %s", parser->line,
				 parser->piece->schema->table, what);
}

static int bad_field(struct parser *parser, unsigned column, const char *field,
		     const char *what)
{
	const struct record_column *c = &parser->table->columns[column];
	const int len = (int)strcspn(field, " \n");

	return record_fault_note(
		parser->fault, -EPROTO,
		"line %zu, table %s, column %.*s: \"%.*s\" is no %s",
		parser->line, parser->piece->schema->table, (int)c->len,
		parser->piece->text + c->name, len < 40 ? len : 40, field,
		what);
}

static bool ends_in(const char *name, size_t len, const char *end)
{
	const size_t n = strlen(end);

	return len >= n && memcmp(name + len - n, end, n) == 0;
}

static enum record_kind kind_of(const struct record_schema *schema,
				const char *name, size_t len)
{
	if (!record_schema_word_in(schema->columns, name, len) ||
	    record_schema_word_in(schema->texts, name, len))
		return RECORD_TEXT;
	return ends_in(name, len, "_hex") ? RECORD_HEX : RECORD_DECIMAL;
}

int record_table_column(const struct record_table *table, const char *name,
			size_t len)
{
	for (unsigned i = 0; i < table->n_columns; i++)
		if (table->columns[i].len == len &&
		    memcmp(table->text + table->columns[i].name, name, len) ==
			    0)
			return (int)i;
	return -1;
}

static int add_column(struct parser *parser, const char *name, size_t len)
{
	struct record_table *table = parser->table;

	if (len == 0 || len > RECORD_COLUMN_NAME_MAX)
		return bad_line(parser, "a column has no proper name");
	if (record_table_column(table, name, len) >= 0)
		return bad_line(parser, "a column comes twice");
	if (table->n_columns == RECORD_COLUMNS_MAX)
		return bad_line(parser, "more than 64 columns");
	table->columns[table->n_columns++] = (struct record_column){
		.name = (uint32_t)(name - table->text),
		.len = (uint16_t)len,
		.kind = (uint16_t)kind_of(parser->piece->schema, name, len),
	};
	return 0;
}

static int parse_columns(struct parser *parser)
{
	const char *name = parser->p;
	size_t len;
	int rc;

	do {
		len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
		if (name[len] != ' ' && name[len] != '\n')
			len = 0;
		rc = add_column(parser, name, len);
		if (rc < 0)
			return rc;
		name += len + 1;
	} while (name[-1] == ' ');
	parser->table->line_len = (size_t)(name - parser->p);
	parser->p += parser->table->line_len;
	return 0;
}

/* The pieces of a table begin with the same line. */
static int compare_columns(struct parser *parser)
{
	struct record_table *table = parser->table;
	const char *line = table->text + table->columns[0].name;

	if (parser->piece->size < table->line_len ||
	    memcmp(line, parser->p, table->line_len) != 0)
		return bad_line(parser, "other columns than further up");
	parser->p += table->line_len;
	return 0;
}

static int parse_field(struct parser *parser, unsigned column)
{
	static const char *const names[] = { "text", "number",
					     "hexadecimal number" };
	struct record_table *table = parser->table;
	const enum record_kind kind = (enum record_kind)table->columns[column]
					      .kind;
	const char wanted = column + 1 < table->n_columns ? ' ' : '\n';
	char *begin = parser->p;
	char *end = NULL;
	char *next;

	if (kind == RECORD_TEXT)
		next = record_field_text(begin, &end);
	else
		next = end = kind == RECORD_HEX ? record_field_hex(begin)
						: record_field_decimal(begin);
	if (!next || (*next != ' ' && *next != '\n'))
		return bad_field(parser, column, begin, names[kind]);
	if (*next != wanted)
		return bad_line(parser, "not as many fields as columns");
	*end = '\0';
	parser->p = next + 1;
	table->fields[table->n_rows * table->n_columns + column] =
		(uint32_t)(begin - table->text);
	return 0;
}

static int make_room(struct parser *parser)
{
	struct record_table *table = parser->table;
	const size_t room = table->room ? 2 * table->room : 32;
	const size_t bytes = table->n_columns * sizeof(table->fields[0]);
	uint32_t *fields;

	if (table->n_rows < table->room)
		return 0;
	fields = realloc(table->fields, room * bytes);
	if (!fields)
		return record_fault_note(parser->fault, -ENOMEM,
					 "no memory for its tables");
	table->fields = fields;
	table->room = room;
	return 0;
}

static int parse_row(struct parser *parser)
{
	int rc = make_room(parser);

	parser->line++;
	for (unsigned c = 0; rc == 0 && c < parser->table->n_columns; c++)
		rc = parse_field(parser, c);
	parser->table->n_rows += rc == 0;
	return rc;
}

int record_table_add(struct record_table *table,
		     const struct record_piece *piece,
		     struct record_fault *fault)
{
	struct parser parser = { table, piece, fault, piece->text + piece->at,
				 piece->line + 1 };
	const char *end = parser.p + piece->size;
	const size_t n_rows = table->n_rows;
	const unsigned n_columns = table->n_columns;
	int rc;

	if (piece->size == 0 || end[-1] != '\n')
		return bad_line(&parser, "the section ends within a line");
	table->text = piece->text;
	rc = table->n_columns ? compare_columns(&parser)
			      : parse_columns(&parser);
	while (rc == 0 && parser.p < end)
		rc = parse_row(&parser);
	if (rc < 0) {
		table->n_rows = n_rows;
		table->n_columns = n_columns;
	}
	return rc;
}
