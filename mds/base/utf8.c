/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Characters of UTF-8: their length, width and cutting, and escapes for those
 * that could drive a terminal.
 */
#include <stdint.h>
#include <string.h>

#include "mds/base/utf8.h"

/* Length of a character, by its first byte. */
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

/* Whether the character is overlong, half of a surrogate pair, or above
 * U+10FFFF. */
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

uint32_t utf8_number(const char *text, unsigned length)
{
	const unsigned char *c = (const unsigned char *)text;
	uint32_t number = length > 1 ? c[0] & (0x7fu >> length) : c[0];

	for (unsigned i = 1; i < length; i++)
		number = number << 6 | (c[i] & 0x3fu);
	return number;
}

bool utf8_is_harmless(const char *text, unsigned length)
{
	const uint32_t c = utf8_number(text, length);

	if (c < 0x20 || (c >= 0x7f && c < 0xa0))
		return false;
	/* U+2028 and U+2029 end a line. */
	return c != 0x61c && c != 0x200e && c != 0x200f &&
	       !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069);
}

/* Writes an escape, without stdio, for signal handlers.  Returns its length. */
static unsigned put_escape(char *to, char kind, uint32_t number, int digits)
{
	*to++ = '\\';
	*to++ = kind;
	for (int i = digits - 1; i >= 0; i--)
		*to++ = "0123456789abcdef"[number >> (4 * i) & 0xf];
	return (unsigned)digits + 2;
}

/* Writes the escape of the first character of `text`; returns its length. */
static unsigned escape_one(char *to, const char *text, unsigned length)
{
	if (length == 0 || (length == 1 && !utf8_is_harmless(text, 1)))
		return put_escape(to, 'x', (unsigned char)*text, 2);
	if (!utf8_is_harmless(text, length))
		return put_escape(to, 'u', utf8_number(text, length), 4);
	memcpy(to, text, length);
	return length;
}

void utf8_escape(char *to, size_t size, const char *text)
{
	char one[8];
	unsigned length;
	unsigned n;

	for (; *text; text += length ? length : 1) {
		length = utf8_length(text);
		n = escape_one(one, text, length);
		if (n >= size)
			break;
		memcpy(to, one, n);
		to += n;
		size -= n;
	}
	if (size > 0)
		*to = '\0';
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
