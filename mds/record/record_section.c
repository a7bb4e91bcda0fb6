/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads one section of the unpacked text into a table, and says what is wrong
 * with it.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "mds/record/record_fault.h"
#include "mds/record/record_field.h"
#include "mds/record/record_schema.h"
#include "mds/record/record_section.h"
#include "mds/record/record_table.h"

#define SECTION_VERSION 1 /* version of all tables in format 1 */

struct section {
	int table; /* -1: unknown */
	uint64_t version;
	uint64_t length;
};

int record_section_fault(struct record_reader *reader, const char *what)
{
	return record_fault_note(reader->fault, -EPROTO, "line %zu: %s",
				 reader->line, what);
}

/* Reads a number from a line of words; false if there is none. */
static bool take_number(char **p, char end, uint64_t *value)
{
	char *begin = *p;
	char *next = record_field_decimal(begin);

	if (!next || *next != end)
		return false;
	*next = '\0';
	*value = record_field_value(begin, 10);
	*p = next + 1;
	return true;
}

static int take_header(struct record_reader *reader, struct section *section)
{
	static const char word[] = "section ";
	char *p = reader->record->text.bytes + reader->at;
	size_t len;

	if (strncmp(p, word, sizeof(word) - 1) != 0)
		return record_section_fault(
			reader, reader->at ? "no section begins here"
					   : "is no record, no section begins");
	p += sizeof(word) - 1;
	len = strcspn(p, " \n");
	section->table = record_schema_find(p, len);
	if (len == 0 || p[len] != ' ')
		return record_section_fault(reader, "the section has no name");
	p += len + 1;
	if (!take_number(&p, ' ', &section->version) ||
	    !take_number(&p, '\n', &section->length))
		return record_section_fault(reader,
					    "the section has no length");
	reader->at = (size_t)(p - reader->record->text.bytes);
	if (section->length > reader->record->text.size - reader->at)
		return record_section_fault(
			reader, "the section is shorter than it says");
	return 0;
}

/* Checks the order of the sections.  A file within a file breaks it. */
static int check_order(struct record_reader *reader,
		       const struct section *section)
{
	const struct record_table *tables = reader->record->tables;
	const int t = section->table;

	if (t < 0 || tables[t].n_columns == 0 ||
	    (t == reader->last && reader->last > 0))
		return 0;
	return record_fault_note(reader->fault, -EPROTO,
				 "line %zu: table %s comes a second time",
				 reader->line, record_schema[t].table);
}

static size_t count_lines(const char *text, size_t size)
{
	const char *end = text + size;
	size_t n = 0;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		text++;
		n++;
	}
	return n;
}

static int add_piece(struct record_reader *reader,
		     const struct section *section)
{
	struct record_table *table = &reader->record->tables[section->table];
	const size_t n_rows = table->n_rows;
	const struct record_piece piece = {
		.schema = &record_schema[section->table],
		.text = reader->record->text.bytes,
		.at = reader->at,
		.size = section->length,
		.line = reader->line,
	};
	const int rc = record_table_add(table, &piece, reader->fault);

	reader->line += table->n_rows - n_rows + 2;
	return rc;
}

static void skip(struct record_reader *reader, const struct section *section)
{
	if (section->table >= 0)
		record_fault_note(reader->fault, 0,
				  "line %zu: table %s is of a newer kind and "
				  "left out: update bcs",
				  reader->line,
				  record_schema[section->table].table);
	reader->line += 1 + count_lines(reader->record->text.bytes + reader->at,
					section->length);
}

int record_section_take(struct record_reader *reader)
{
	struct section section = { .table = -1 };
	int rc = take_header(reader, &section);

	if (rc == 0)
		rc = check_order(reader, &section);
	if (rc < 0)
		return rc;
	if (section.table < 0 || section.version > SECTION_VERSION) {
		skip(reader, &section);
		section.table = -1;
	} else {
		rc = add_piece(reader, &section);
	}
	reader->at += section.length;
	if (rc == 0)
		reader->last = section.table;
	return rc;
}
