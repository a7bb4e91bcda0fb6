/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Memory allocation that never fails: without memory, the command ends with
 * status 2.  Also text made by printf, and text made safe for a terminal.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "mds/base/utf8.h"

#define FIRST_ROOM 16

static void *must(void *memory)
{
	if (memory)
		return memory;
	say_error("there is no memory left");
	exit(2);
}

void *mem_alloc(size_t n, size_t size)
{
	return must(calloc(n ? n : 1, size));
}

char *mem_text(const char *text)
{
	return must(strdup(text));
}

char *mem_shown(const char *text)
{
	const size_t size = UTF8_ESCAPED * strlen(text) + 1;
	char *shown = mem_alloc(size, 1);

	utf8_escape(shown, size, text);
	return shown;
}

char *mem_print(const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	return must(len < 0 ? NULL : text);
}

FILE *mem_stream(char **text, size_t *size)
{
	return must(open_memstream(text, size));
}

void *mem_grow(void *array, size_t *room, size_t n, size_t size)
{
	size_t more = *room ? *room : FIRST_ROOM;

	if (n < *room)
		return array;
	while (more <= n && more <= SIZE_MAX / 2)
		more *= 2;
	array = must(reallocarray(array, more, size));
	*room = more;
	return array;
}
