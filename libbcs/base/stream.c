/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/base/stream.h"
#include "libbcs/base/copy.h"

bool stream_take(struct stream *stream)
{
	if (atomic_load_explicit(&stream->taken, memory_order_relaxed) ||
	    atomic_exchange_explicit(&stream->taken, 1, memory_order_acquire))
		return false;
	/* The sender sees them with the descriptor that tells it to begin. */
	atomic_store_explicit(&stream->filled, 0, memory_order_relaxed);
	atomic_store_explicit(&stream->emptied, 0, memory_order_relaxed);
	return true;
}

void stream_give(struct stream *stream)
{
	/* Orders what was read of it before what is next written into it. */
	atomic_store_explicit(&stream->taken, 0, memory_order_release);
}

static unsigned char *piece_at(struct stream *stream, uint64_t piece)
{
	return stream->pieces[piece % STREAM_PIECES];
}

uint64_t stream_fill(struct stream *stream, const unsigned char *from,
		     uint64_t moved, uint64_t length)
{
	const uint64_t piece = moved / STREAM_PIECE;
	const uint64_t bytes = copy_at_most(length - moved, STREAM_PIECE);

	/* Acquires what the receiver is done with, */
	if (piece - atomic_load_explicit(&stream->emptied,
					 memory_order_acquire) ==
	    STREAM_PIECES)
		return 0;
	copy_away(piece_at(stream, piece), from + moved, bytes);
	/* and shows what is there now. */
	atomic_store_explicit(&stream->filled, piece + 1, memory_order_release);
	return bytes;
}

uint64_t stream_empty(struct stream *stream, unsigned char *to, uint64_t moved,
		      uint64_t length)
{
	const uint64_t piece = moved / STREAM_PIECE;
	const uint64_t bytes = copy_at_most(length - moved, STREAM_PIECE);

	if (atomic_load_explicit(&stream->filled, memory_order_acquire) ==
	    piece)
		return 0;
	copy_here(to + moved, piece_at(stream, piece), bytes);
	atomic_store_explicit(&stream->emptied, piece + 1,
			      memory_order_release);
	return bytes;
}
