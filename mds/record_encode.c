/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "mds/record.h"
#include "mds/record_encode.h"

size_t record_encode_number(char *to, uint64_t value, unsigned base)
{
	char digits[RECORD_DIGITS];
	char *begin = digits + sizeof(digits);
	size_t len;

	do {
		*--begin = "0123456789abcdef"[value % base];
		value /= base;
	} while (value > 0);
	len = (size_t)(digits + sizeof(digits) - begin);
	memcpy(to, begin, len);
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

size_t record_encode_byte(char *to, char byte)
{
	static const char hex[] = "0123456789ABCDEF";
	const unsigned char c = (unsigned char)byte;

	to[0] = byte;
	if (c > 0x20 && c != 0x7f && c != '%')
		return 1;
	to[0] = '%';
	to[1] = hex[c >> 4];
	to[2] = hex[c & 15];
	return 3;
}
