/* SPDX-License-Identifier: BSD-3-Clause */

/* Readers of single fields: decimal and hexadecimal numbers, text, values. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "mds/record/record_field.h"

char *record_field_decimal(char *p)
{
	const char *begin = p;
	size_t len;

	while (*p >= '0' && *p <= '9')
		p++;
	len = (size_t)(p - begin);
	if (len == 0 || (len > 1 && *begin == '0') || len > 20)
		return NULL;
	if (len == 20 && memcmp(begin, "18446744073709551615", 20) > 0)
		return NULL;
	return p;
}

char *record_field_hex(char *p)
{
	const char *begin = p;
	size_t len;

	while ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'))
		p++;
	len = (size_t)(p - begin);
	return len == 0 || len > 16 || (len > 1 && *begin == '0') ? NULL : p;
}

static bool is_plain(char c)
{
	return (unsigned char)c > 0x20 && c != 0x7f && c != '%';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes the rest of a text from its first '%' on. *end_p is set to its
 * end. */
static char *decode(char *p, char **end_p)
{
	char *to = p;
	int high;
	int low;

	for (; *p == '%' || is_plain(*p); to++) {
		if (*p != '%') {
			*to = *p++;
			continue;
		}
		high = hex_digit(p[1]);
		low = high < 0 ? -1 : hex_digit(p[2]);
		if (low < 0 || high + low == 0)
			return NULL;
		*to = (char)(high << 4 | low);
		p += 3;
	}
	*end_p = to;
	return p;
}

char *record_field_text(char *p, char **end_p)
{
	const char *begin = p;

	while (is_plain(*p))
		p++;
	*end_p = p;
	if (*p != '%')
		return p == begin ? NULL : p;
	/* A single '%' is the empty text. */
	if (p == begin && (p[1] == ' ' || p[1] == '\n'))
		return p + 1;
	return decode(p, end_p);
}

uint64_t record_field_value(const char *text, unsigned base)
{
	uint64_t value = 0;
	int digit;

	for (; *text; text++) {
		digit = hex_digit(*text);
		if (digit < 0 || (unsigned)digit >= base ||
		    __builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, (unsigned)digit, &value))
			return 0;
	}
	return value;
}
