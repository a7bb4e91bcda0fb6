/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The reader follows the lengths that sections give, not the ends of gzip
 * members.  So a file that was unpacked and packed again reads the same.
 */
#include <errno.h>
#include <stdlib.h>

#include "mds/record/record.h"
#include "mds/record/record_fault.h"
#include "mds/record/record_field.h"
#include "mds/record/record_schema.h"
#include "mds/record/record_section.h"
#include "mds/record/record_table.h"
#include "mds/record/record_unpack.h"

static int newer(struct record_reader *reader, const char *format)
{
	/* A newer format explains any other fault, so only this one is told. */
	reader->fault->found = false;
	return record_fault_note(reader->fault, -EPROTONOSUPPORT,
				 "was written by a newer version (format "
				 "%.20s); this one reads format %d: update bcs",
				 format, RECORD_FORMAT);
}

static int take_first(struct record_reader *reader)
{
	const int rc = record_section_take(reader);
	const char *format;

	if (rc < 0)
		return rc;
	if (reader->last != record_schema_find("record", 6))
		return record_fault_note(reader->fault, -EPROTO,
					 "is no record: does not begin with "
					 "the table record");
	format = record_value(reader->record, "record", "format");
	if (!format || record_field_value(format, 10) == 0)
		return record_section_fault(reader,
					    "table record names no format");
	if (record_field_value(format, 10) > RECORD_FORMAT)
		return newer(reader, format);
	return 0;
}

static int take_all(struct record_reader *reader)
{
	const struct record *record = reader->record;
	int rc = take_first(reader);

	if (rc < 0)
		return rc;
	while (rc == 0 && reader->at < record->text.size) {
		if (record_table(record, "end"))
			rc = record_section_fault(reader, "more after the end");
		else
			rc = record_section_take(reader);
	}
	if (rc == 0 && !record_table(record, "end"))
		rc = record_section_fault(reader, "cut off, there is no end");
	return rc == -EPROTO ? 0 : rc;
}

/* Adds to the warning how far the file was read. */
static void note_last(struct record_reader *reader)
{
	if (reader->last >= 0 && !record_table(reader->record, "end"))
		record_fault_add(reader->fault, "; read up to table %s",
				 record_schema[reader->last].table);
}

static int parse(struct record **record_p, const struct record_bytes *text,
		 struct record_fault *fault)
{
	struct record *record = calloc(1, sizeof(*record));
	struct record_reader reader = {
		.record = record, .fault = fault, .line = 1, .last = -1
	};
	int rc;

	if (!record) {
		free(text->bytes);
		return record_fault_note(fault, -ENOMEM, "no memory for it");
	}
	record->text = *text;
	rc = take_all(&reader);
	if (rc < 0) {
		record_free(record);
		return rc;
	}
	if (fault->found) {
		record->state = RECORD_PARTIAL;
		note_last(&reader);
	}
	*record_p = record;
	return 0;
}

int record_parse(struct record **record_p, const void *bytes, size_t size,
		 const char *name, char *why, size_t why_size)
{
	struct record_bytes text;
	struct record_fault fault;
	int rc;

	record_fault_init(&fault, name, why, why_size);
	rc = record_unpack(&text, bytes, size, &fault);
	return rc == 0 ? parse(record_p, &text, &fault) : rc;
}

int record_parse_text(struct record **record_p, char *text, size_t size,
		      const char *name, char *why, size_t why_size)
{
	const struct record_bytes bytes = { text, size };
	struct record_fault fault;

	record_fault_init(&fault, name, why, why_size);
	return parse(record_p, &bytes, &fault);
}

int record_open(struct record **record_p, const char *path,
		enum reading_from from, char *why, size_t why_size)
{
	struct record_bytes packed;
	struct record_fault fault;
	int rc;

	record_fault_init(&fault, path, why, why_size);
	rc = record_load(&packed, path, from, &fault);
	if (rc < 0)
		return rc;
	rc = record_parse(record_p, packed.bytes, packed.size, path, why,
			  why_size);
	free(packed.bytes);
	return rc;
}
