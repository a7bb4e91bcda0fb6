/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes a file of sections of the input of a fuzz target. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_sections.h"

static char file_path[] = "/tmp/bcs-fuzz-XXXXXX";

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

const char *fuzz_sections_file(const char *data, size_t size)
{
	static bool made;
	FILE *to;

	if (!made) {
		close(mkstemp(file_path));
		atexit(remove_file);
		made = true;
	}
	to = fopen(file_path, "wb");
	if (!to)
		abort();
	if (size > 0 && *data == '@')
		put_sections(to, data, size);
	else
		fwrite(data, 1, size, to);
	fclose(to);
	return file_path;
}
