/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The reader of record files.  An input that begins as gzip does is read as it
 * is.  Any other is text, which is packed first, with a member at each zero
 * byte: else no change would get past the checksums of gzip.  Likewise "@NAME
 * VERSION\n..." becomes a section of the right length.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/record/record.h"
#include "mds/record/record_schema.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/pack_member.h"

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

static void pack_section(unsigned char **packed_p, size_t *packed_size,
			 const char *head, size_t size)
{
	const char *body = memchr(head, '\n', size);
	const size_t head_size = body ? (size_t)(body - head) : size;
	const size_t body_size = body ? size - head_size - 1 : 0;
	char *text = malloc(size + 64);
	int len;

	if (!text)
		abort();
	len = sprintf(text, "section %.*s %zu\n", (int)head_size, head,
		      body_size);
	if (body)
		memcpy(text + len, body + 1, body_size);
	pack_member(packed_p, packed_size, text, (size_t)len + body_size);
	free(text);
}

static void pack(unsigned char **packed_p, size_t *packed_size,
		 const char *data, size_t size)
{
	const char *zero;
	size_t len;

	while (size > 0) {
		zero = memchr(data, '\0', size);
		len = zero ? (size_t)(zero - data) : size;
		if (*data == '@')
			pack_section(packed_p, packed_size, data + 1, len - 1);
		else
			pack_member(packed_p, packed_size, data, len);
		len += zero != NULL;
		data += len;
		size -= len;
	}
}

/* Asks for every field, and for some that are not there. */
static void walk(const struct record_table *table, const char *columns)
{
	const int known = record_column(table, columns);

	for (size_t row = 0; row < record_rows(table); row++)
		for (int c = -1; c < 66; c++)
			fail_if(record_u64(table, row, c) > 0 &&
				*record_str(table, row, c) == '\0');
	fail_if(known < -1 || known > 63);
}

static void check_record(const struct record *record, const char *why)
{
	fail_if((record_state(record) == RECORD_PARTIAL) != (*why != '\0'));
	fail_if(record_state(record) == RECORD_WHOLE &&
		!record_table(record, "end"));
	/* Compared as a number, which may begin with zeros. */
	fail_if(strtoul(record_value(record, "record", "format"), NULL, 10) !=
		RECORD_FORMAT);
	for (int i = 0; i < RECORD_TABLES; i++)
		walk(record_table(record, record_schema[i].table),
		     record_schema[i].columns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const bool packed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
	unsigned char *file = NULL;
	size_t file_size = 0;
	struct record *record;
	char why[128];
	int rc;

	if (!packed)
		pack(&file, &file_size, (const char *)data, size);
	rc = record_parse(&record, packed ? data : file,
			  packed ? size : file_size, "file", why, sizeof(why));
	free(file);
	fail_if(rc < 0 && *why == '\0');
	if (rc == 0) {
		check_record(record, why);
		record_free(record);
	}
	return 0;
}
