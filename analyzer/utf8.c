/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <string.h>

#include "analyzer/utf8.h"

/* Bytes that a character has by its first one. */
static unsigned expected(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	if (first >= 0xf0 && first < 0xf5)
		return 4;
	return 0;
}

/* Longer than need be, half of a pair, or past the last one. */
static int is_forbidden(const unsigned char *c)
{
	return (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
	       (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
}

unsigned utf8_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	const unsigned n = expected(c[0]);

	for (unsigned i = 1; i < n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	return n > 2 && is_forbidden(c) ? 0 : n;
}

size_t utf8_width(const char *text)
{
	size_t width = 0;
	unsigned len;

	for (; *text; text += len) {
		len = utf8_length(text);
		len = len ? len : 1;
		width++;
	}
	return width;
}

static char *skip(char *text, size_t n)
{
	unsigned len;

	for (; n > 0 && *text; n--) {
		len = utf8_length(text);
		text += len ? len : 1;
	}
	return text;
}

void utf8_cut(char *text, size_t width)
{
	if (utf8_width(text) > width)
		memcpy(skip(text, width - 3), "...", 4);
}

void utf8_cut_to_tail(char *text, size_t width)
{
	const size_t too_many = utf8_width(text);
	const char *tail;

	if (too_many <= width)
		return;
	tail = skip(text, too_many - width + 3);
	memmove(text + 3, tail, strlen(tail) + 1);
	memcpy(text, "...", 3);
}
