/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PROTOBUF_H
#define BCS_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes messages of Protocol Buffers: fields one after the other.  A message
 * within another one is made in a struct of its own first.  A zeroed struct is
 * empty.
 */
struct protobuf {
	char *bytes;
	size_t n;
	size_t room;
};

void protobuf_clear(struct protobuf *message); /* keeps the memory */
void protobuf_free(struct protobuf *message);

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_fixed64(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_text(struct protobuf *message, unsigned field, const char *text);
void protobuf_message(struct protobuf *message, unsigned field,
		      const struct protobuf *inner);

#endif
