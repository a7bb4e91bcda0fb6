/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Stream: both sides wait, each on a core of its own.  The sender copies the
 * bytes into its stream (stream.h) while the receiver copies them out.  A part
 * is at most the budget, so that a side that leaves its wait has little to
 * finish first.  After a part, the rest is a job of the receiver again.
 *
 * Streams have a list and a loop of their own.  Both sides look at them in each
 * turn, also where no other bytes may be moved.
 */
#include "libbcs/base/copy.h"
#include "libbcs/base/stream.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/p2p/p2p_protocol.h"

static struct stream *stream_of(struct engine *engine, const struct op *op)
{
	return &engine->slots[op->kind == OP_SEND ? engine->me : op->peer]
			->stream;
}

bool p2p_stream_take(struct engine *engine, struct op *op)
{
	return stream_take(stream_of(engine, op));
}

static void add(struct engine *engine, struct op *op, uint64_t begin,
		uint64_t end)
{
	op->stream.begin = begin;
	op->stream.end = end;
	op_list_add(&engine->streams, op);
	atomic_fetch_add_explicit(&engine->n_streams, 1, memory_order_relaxed);
}

/* The receiver has taken the stream. */
static void begin(struct engine *engine, struct op *op)
{
	const uint64_t moved = op->offer.moved;
	const uint64_t part = copy_at_most(op->offer.length - moved,
					   engine->options.budget);

	add(engine, op, moved, moved + part);
	p2p_tell_part(engine, op, BOARD_STREAM, moved, moved + part);
}

/* A job that the receiver gives the sender next has a protocol of its own. */
void p2p_stream_told(struct engine *engine, struct op *op,
		     const struct board_cell *cell)
{
	op->offer.parts++;
	op->offer.moved = cell->begin;
	add(engine, op, cell->begin, cell->bytes);
}

/*
 * Copies as far as there is room, or as bytes came.  Returns how far.  The
 * operation is not read after the last piece: a sender's may have its next part
 * as soon as the receiver has all of this one.
 */
static uint64_t pass(struct engine *engine, const struct op *op)
{
	struct stream *stream = stream_of(engine, op);
	unsigned char *at = op->buf + op->stream.begin;
	const uint64_t length = op->stream.end - op->stream.begin;
	uint64_t moved = op->offer.moved - op->stream.begin;
	uint64_t n;

	do {
		n = op->kind == OP_SEND
			    ? stream_fill(stream, at, moved, length)
			    : stream_empty(stream, at, moved, length);
		moved += n;
	} while (n && moved < length);
	return moved;
}

static void receiver_end(struct engine *engine, struct op *op)
{
	stream_give(stream_of(engine, op));
	p2p_tune_end(&op->both.run);
	op->offer.moved = op->stream.end;
	op->offer.protocol = &p2p_protocol_read;
	if (op->offer.moved == op->offer.length)
		p2p_offer_taken(engine, op, 0);
	else
		p2p_job_put(engine, op);
}

/* The receiver tells the sender, too, when it has the whole message. */
static void end(struct engine *engine, struct op *op)
{
	atomic_fetch_sub_explicit(&engine->n_streams, 1, memory_order_relaxed);
	if (op->kind == OP_SEND)
		p2p_offer_part_done(engine, op, 0);
	else
		receiver_end(engine, op);
}

static void again(struct engine *engine, struct op *op, uint64_t moved)
{
	op->offer.moved = op->stream.begin + moved;
	op_list_add(&engine->streams, op);
}

static struct op *take(struct engine *engine)
{
	struct op *op;

	if (!atomic_load_explicit(&engine->n_streams, memory_order_relaxed))
		return NULL;
	token_take(engine);
	op = op_list_take(&engine->streams);
	token_give(engine);
	return op;
}

bool p2p_stream(struct engine *engine)
{
	struct op *op = take(engine);
	uint64_t before;
	uint64_t length;
	uint64_t since;
	uint64_t moved;

	if (!op)
		return false;
	since = row_stamp(engine);
	before = op->offer.moved - op->stream.begin;
	length = op->stream.end - op->stream.begin;
	moved = pass(engine, op);
	token_take(engine);
	if (moved != before)
		row_spent(engine, EMDS_COPY, since);
	if (moved == length)
		end(engine, op);
	else
		again(engine, op, moved);
	token_give(engine);
	if (moved == length)
		wake_slot(engine->slot);
	return moved != before || moved == length;
}

const struct p2p_protocol p2p_protocol_stream = { .begin = begin };
