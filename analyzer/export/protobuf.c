/* SPDX-License-Identifier: BSD-3-Clause */

/* Messages of Protocol Buffers, byte by byte. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/protobuf.h"

/* Kinds of fields. */
enum { VARINT = 0, FIXED64 = 1, BYTES = 2 };

void protobuf_clear(struct protobuf *message)
{
	message->n = 0;
}

void protobuf_free(struct protobuf *message)
{
	free(message->bytes);
	*message = (struct protobuf){ 0 };
}

/* Room for `n` bytes more; returns where they go. */
static char *grow(struct protobuf *message, size_t n)
{
	if (message->n + n > message->room)
		message->bytes = mem_grow(message->bytes, &message->room,
					  message->n + n, 1);
	return message->bytes + message->n;
}

static void put_varint(struct protobuf *message, uint64_t value)
{
	char *to = grow(message, 10);

	for (; value >= 0x80; value >>= 7)
		*to++ = (char)((value & 0x7f) | 0x80);
	*to++ = (char)value;
	message->n = (size_t)(to - message->bytes);
}

static void put_bytes(struct protobuf *message, unsigned field,
		      const char *bytes, size_t n)
{
	put_varint(message, (uint64_t)field << 3 | BYTES);
	put_varint(message, n);
	if (n)
		memcpy(grow(message, n), bytes, n);
	message->n += n;
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value)
{
	put_varint(message, (uint64_t)field << 3 | VARINT);
	put_varint(message, value);
}

void protobuf_fixed64(struct protobuf *message, unsigned field, uint64_t value)
{
	char *to;

	put_varint(message, (uint64_t)field << 3 | FIXED64);
	to = grow(message, 8);
	for (unsigned i = 0; i < 8; i++)
		to[i] = (char)(value >> 8 * i & 0xff);
	message->n += 8;
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
	put_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct protobuf *message, unsigned field,
		      const struct protobuf *inner)
{
	put_bytes(message, field, inner->bytes, inner->n);
}
