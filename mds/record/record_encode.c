/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes numbers and texts as the fields of a record. */
#include <string.h>

#include "mds/record/record.h"
#include "mds/record/record_encode.h"

static size_t count_digits(uint64_t value)
{
	uint64_t limit = 10;
	size_t n = 1;

	for (; n < RECORD_DIGITS && value >= limit; n++)
		limit *= 10;
	return n;
}

/* Two digits at a time: a record has a hundred thousand numbers. */
size_t record_encode_decimal(char *to, uint64_t value)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";
	const size_t len = count_digits(value);
	char *p = to + len;

	for (; value >= 100; value /= 100) {
		p -= 2;
		memcpy(p, pairs + 2 * (value % 100), 2);
	}
	if (value >= 10)
		memcpy(to, pairs + 2 * value, 2);
	else
		*to = (char)('0' + value);
	return len;
}

size_t record_encode_hex(char *to, uint64_t value)
{
	const unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
	const size_t len = (bits + 3) / 4;

	for (char *p = to + len; p > to; value >>= 4)
		*--p = "0123456789abcdef"[value & 15];
	return len;
}

size_t record_encode_length(const char *text)
{
	size_t len = strnlen(text, RECORD_TEXT_MAX + 1);

	if (len <= RECORD_TEXT_MAX)
		return len;
	/* Bytes 10xxxxxx continue a UTF-8 character: no cut before one. */
	for (len = RECORD_TEXT_MAX; len > RECORD_TEXT_MAX - 4; len--)
		if (((unsigned char)text[len] & 0xc0) != 0x80)
			return len;
	return RECORD_TEXT_MAX;
}

static bool is_plain(unsigned char c)
{
	return c > 0x20 && c != 0x7f && c != '%';
}

bool record_encode_copies(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_plain((unsigned char)text[i]))
			return false;
	return true;
}

size_t record_encode_byte(char *to, char byte)
{
	static const char hex[] = "0123456789ABCDEF";
	const unsigned char c = (unsigned char)byte;

	to[0] = byte;
	if (is_plain(c))
		return 1;
	to[0] = '%';
	to[1] = hex[c >> 4];
	to[2] = hex[c & 15];
	return 3;
}
