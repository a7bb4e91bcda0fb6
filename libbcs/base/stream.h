/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STREAM_H
#define BCS_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * How a large message goes while both sides wait for it, each on a core of its
 * own: the sender copies it into these pieces while the receiver copies what
 * came out of them.  They stay in the caches, and nobody asks the kernel, which
 * takes longer to find a page of another process than to copy it.
 *
 * A slot has one, for what its owner sends; a receiver takes it for a message,
 * and gives it back when it has all.  It is zero at first.
 */
#define STREAM_PIECES 4u
#define STREAM_PIECE  65536u

struct stream {
	_Alignas(64) _Atomic uint32_t taken;
	_Alignas(64) _Atomic uint64_t filled; /* pieces of the message so far */
	_Alignas(64) _Atomic uint64_t emptied;
	_Alignas(64) unsigned char pieces[STREAM_PIECES][STREAM_PIECE];
};

/* For the receiver; false if it is taken. */
bool stream_take(struct stream *stream);
void stream_give(struct stream *stream);

/*
 * One piece of a message of `length` bytes, of which `moved` were, goes in, or
 * comes out.  Returns its bytes; 0 if there is no room, or nothing came.
 */
uint64_t stream_fill(struct stream *stream, const unsigned char *from,
		     uint64_t moved, uint64_t length);
uint64_t stream_empty(struct stream *stream, unsigned char *to, uint64_t moved,
		      uint64_t length);

#endif
