/* SPDX-License-Identifier: BSD-3-Clause */

/* The reader of traces; for inputs see fuzz_sections.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/record/record.h"
#include "mds/trace/trace_read.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_sections.h"

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

/* A name that an event has is a text, if it is there. */
static void look(struct trace_reader *reader, const struct trace_event *event)
{
	const char *call = trace_call_name(reader, event->call);
	const char *phase = trace_phase_name(reader, event->phase);
	struct trace_comm comm;

	fail_if(event->kind >= TRACE_KINDS || event->end < event->begin);
	fail_if(call && strlen(call) > RECORD_TEXT_MAX);
	fail_if(phase && strlen(phase) > RECORD_TEXT_MAX);
	trace_comm(reader, event->comm, &comm);
}

static void read_file(struct trace_reader *reader)
{
	struct trace_event event;
	int rc;

	do {
		rc = trace_next(reader, &event);
		if (rc == 1)
			look(reader, &event);
	} while (rc == 1);
	fail_if(rc != 0);
	fail_if(trace_next(reader, &event) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_reader *reader;
	const char *path = fuzz_sections_file((const char *)data, size);
	char why[128] = "";

	if (trace_open(&reader, path, why, sizeof(why)) != 0) {
		fail_if(*why == '\0');
		return 0;
	}
	read_file(reader);
	trace_close(reader);
	return 0;
}
