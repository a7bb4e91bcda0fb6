/* SPDX-License-Identifier: BSD-3-Clause */

/* The reader of schedules; for inputs see fuzz_sections.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mds/schedule/schedule.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_sections.h"

#define OUTCOMES 1000000 /* a few bytes may stand for 2^64 */

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

/* All was checked when the file was opened. */
static void read_file(struct schedule *schedule)
{
	struct schedule_outcome o;
	uint64_t source;
	int rc = 1;

	for (int i = 0; i < OUTCOMES && rc == 1; i++) {
		rc = schedule_next(schedule, &o);
		fail_if(rc < 0);
		if (rc == 1) {
			fail_if(strlen(o.call) > 1 << 24 || !o.place);
			schedule_list_next(schedule);
		}
	}
	while ((rc = schedule_next_source(schedule, &source)) == 1)
		continue;
	fail_if(rc < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct schedule *schedule;
	const char *path = fuzz_sections_file((const char *)data, size);
	char why[128] = "";

	if (schedule_open(&schedule, path, why, sizeof(why)) != 0) {
		fail_if(*why == '\0');
		return 0;
	}
	read_file(schedule);
	schedule_free(schedule);
	return 0;
}
