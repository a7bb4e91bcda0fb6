/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STREAM_H
#define BCS_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/base/tuning.h"

/*
 * A pipeline for a large message while both sides wait for it, each on its own
 * core.  The sender copies into the pieces while the receiver copies out of
 * them.  The pieces stay in the caches, and no system call is needed.  The
 * kernel takes longer to find a page of another process than to copy it.
 *
 * Each slot has one stream, for messages that its owner sends.  A receiver
 * takes it for one message and gives it back after the last piece.  A stream is
 * zero at first.
 */

struct stream {
	_Alignas(64) _Atomic uint32_t taken;
	_Alignas(64) _Atomic uint64_t filled; /* pieces of the message so far */
	_Alignas(64) _Atomic uint64_t emptied;
	_Alignas(64) unsigned char pieces[STREAM_PIECES][STREAM_PIECE];
};

/* For the receiver; false if another has taken it. */
bool stream_take(struct stream *stream);
void stream_give(struct stream *stream);

/*
 * Copies the next piece of a message of `length` bytes in, or out; `moved`
 * bytes were copied before.  Returns the bytes of the piece; 0 if the stream is
 * full, or empty.
 */
uint64_t stream_fill(struct stream *stream, const unsigned char *from,
		     uint64_t moved, uint64_t length);
uint64_t stream_empty(struct stream *stream, unsigned char *to, uint64_t moved,
		      uint64_t length);

#endif
