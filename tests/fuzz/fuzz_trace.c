/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The reader of traces.  An input that begins with '@' is made of
 * sections: "@NAME VERSION\n..." up to the next "\n@" becomes one of the right
 * length.  Nothing is packed: what is not in gzip's form is read as it is.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mds/record.h"
#include "mds/trace_read.h"
#include "tests/fuzz/fuzz.h"

static char file_path[] = "/tmp/bcs-fuzz-trace-XXXXXX";

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

static void remove_file(void)
{
	unlink(file_path);
}

static void put_section(FILE *to, const char *head, size_t size)
{
	const char *body = memchr(head, '\n', size);
	const size_t head_size = body ? (size_t)(body - head) : size;
	const size_t body_size = body ? size - head_size - 1 : 0;

	fprintf(to, "section %.*s %zu\n", (int)head_size, head, body_size);
	if (body)
		fwrite(body + 1, 1, body_size, to);
}

static void put_sections(FILE *to, const char *data, size_t size)
{
	const char *next;
	size_t len;

	while (size > 0) {
		next = memmem(data, size, "\n@", 2);
		len = next ? (size_t)(next - data) : size;
		put_section(to, data + 1, len - 1);
		len += next != NULL;
		data += len;
		size -= len;
	}
}

static void write_file(const char *data, size_t size)
{
	static bool made;
	FILE *to;

	if (!made) {
		close(mkstemp(file_path));
		atexit(remove_file);
		made = true;
	}
	to = fopen(file_path, "wb");
	fail_if(!to);
	if (size > 0 && *data == '@')
		put_sections(to, data, size);
	else
		fwrite(data, 1, size, to);
	fclose(to);
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
	char why[128] = "";

	write_file((const char *)data, size);
	if (trace_open(&reader, file_path, why, sizeof(why)) != 0) {
		fail_if(*why == '\0');
		return 0;
	}
	read_file(reader);
	trace_close(reader);
	return 0;
}
