/* SPDX-License-Identifier: BSD-3-Clause */

/* The reader of files of slices; for inputs see fuzz_sections.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/emds/emds_read.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_sections.h"

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

static void read_file(struct emds_reader *reader)
{
	const uint64_t columns = emds_columns(reader);
	struct emds_row row;
	int rc;

	do
		rc = emds_next(reader, &row);
	while (rc == 1);
	fail_if(rc != 0);
	fail_if(columns & ~emds_columns(reader));
	fail_if(emds_next(reader, &row) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct emds_reader *reader;
	const char *path = fuzz_sections_file((const char *)data, size);
	char why[128] = "";

	if (emds_open(&reader, path, why, sizeof(why)) != 0) {
		fail_if(*why == '\0');
		return 0;
	}
	read_file(reader);
	emds_close(reader);
	return 0;
}
