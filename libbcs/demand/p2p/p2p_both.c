/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Large messages that both sides wait for, each with a core of its own.  Each
 * copies a half, or a part of them goes through the sender's stream, whichever
 * is the faster between the two (tuner.h).  A part is at most the budget, so
 * that a side that leaves its wait has little to finish first.  The parts after
 * that are copied another way.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/p2p/p2p.h"

#define PAGE 4096u

enum protocol { PROTOCOL_COPY, PROTOCOL_STREAM };

static struct stream *stream_of(struct engine *engine, const struct op *op)
{
	return &engine->slots[op->kind == OP_SEND ? engine->me : op->peer]
			->stream;
}

static bool both_wait(struct engine *engine, const struct op *op)
{
	return !op->remote.tag && op->parts == 1 &&
	       op->length - op->moved >= P2P_BOTH_LEAST &&
	       op->peer != engine->me && engine_streams(engine) &&
	       board_is_blocked(engine->slot) &&
	       p2p_waits(engine->slots[op->peer],
			 op->moved ? 1 : P2P_BOTH_LOOKS);
}

/* With the token. */
static void stream_add(struct engine *engine, struct op *op, uint64_t begin,
		       uint64_t end)
{
	op->begin = begin;
	op->end = end;
	op_list_add(&engine->streams, op);
	atomic_fetch_add_explicit(&engine->n_streams, 1, memory_order_relaxed);
}

static void stream_begin(struct engine *engine, struct op *op, uint64_t bytes)
{
	stream_add(engine, op, op->moved, op->moved + bytes);
	p2p_tell_part(engine, op, BOARD_STREAM, op->begin, op->end);
}

void p2p_stream_send(struct engine *engine, struct op *op,
		     const struct board_cell *cell)
{
	op->parts++;
	op->moved = cell->begin;
	stream_add(engine, op, cell->begin, cell->bytes);
}

/* The second half of what is left is the sender's. */
static void halve(struct engine *engine, struct op *op)
{
	const uint64_t half = (op->length - op->moved) / 2 / PAGE * PAGE;

	op->parts = 2;
	p2p_tell_part(engine, op, BOARD_SHARE, op->moved + half, op->length);
	op->length = op->moved + half;
}

static bool is_both_ways(const struct op *op)
{
	return op->both_ways || op->ready;
}

/* Whether it goes by a stream. */
static bool share_large(struct engine *engine, struct op *op, uint64_t budget)
{
	const bool both_ways = is_both_ways(op);
	struct tuner *tuner = p2p_tuner(engine, op->peer, both_ways,
					op->length);
	struct tuner_turns *turns = p2p_turns(engine, op->peer, both_ways,
					      op->length);
	const enum protocol way = tuner_choose(tuner, turns);
	const uint64_t left = op->length - op->moved;
	const uint64_t part = copy_at_most(left, budget);
	const bool streams = way == PROTOCOL_STREAM &&
			     stream_take(stream_of(engine, op));

	if (streams || way == PROTOCOL_COPY)
		op->shared = (struct tuner_run){
			tuner, turns, way,
			op->ready ? op->ready : clock_ticks(),
			streams || both_ways ? part : left
		};
	if (streams)
		stream_begin(engine, op, part);
	return streams;
}

/*
 * Where both have such copies to make anyway, halves bring nothing; what fits
 * into a descriptor would have gone so if that were as fast as by a stream.
 */
static bool share(struct engine *engine, struct op *op, uint64_t budget)
{
	if (op->length > BOARD_INLINE && share_large(engine, op, budget))
		return true;
	if (!is_both_ways(op))
		halve(engine, op);
	return false;
}

bool p2p_share(struct engine *engine, struct op *op, uint64_t budget)
{
	bool streams;

	if (op->kind != OP_RECV || !both_wait(engine, op))
		return false;
	token_take(engine);
	streams = share(engine, op, budget);
	token_give(engine);
	return streams;
}

/*
 * Who posts a receive for what another waits to send lets that write, for it
 * may compute next.  But mostly it waits, too, once it posted the rest of an
 * exchange, while the other would write that and do nothing else.
 */
bool p2p_give_back(struct engine *engine, struct op *op)
{
	if (!op->alone || !both_wait(engine, op))
		return false;
	token_take(engine);
	p2p_tell_part(engine, op, BOARD_REST, op->moved, op->length);
	token_give(engine);
	return true;
}

/*
 * As far as there is room, or as it came.  Returns how far: a sender's
 * operation has its next part as soon as the receiver has all of this.
 */
static uint64_t pass(struct engine *engine, const struct op *op)
{
	struct stream *stream = stream_of(engine, op);
	unsigned char *at = op->buf + op->begin;
	const uint64_t length = op->end - op->begin;
	uint64_t moved = op->moved - op->begin;
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
	p2p_protocol_end(&op->shared);
	op->moved = op->end;
	if (op->moved == op->length)
		p2p_job_finish(engine, op, 0);
	else
		p2p_job_put(engine, op);
}

/* The receiver tells the sender, too, when it has the whole message. */
static void stream_end(struct engine *engine, struct op *op)
{
	atomic_fetch_sub_explicit(&engine->n_streams, 1, memory_order_relaxed);
	if (op->kind == OP_SEND)
		p2p_part_done(engine, op, 0);
	else
		receiver_end(engine, op);
}

static void stream_again(struct engine *engine, struct op *op, uint64_t moved)
{
	op->moved = op->begin + moved;
	op_list_add(&engine->streams, op);
}

static struct op *stream_get(struct engine *engine)
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
	struct op *op = stream_get(engine);
	uint64_t before;
	uint64_t length;
	uint64_t since;
	uint64_t moved;

	if (!op)
		return false;
	since = row_stamp(engine);
	before = op->moved - op->begin;
	length = op->end - op->begin;
	moved = pass(engine, op);
	token_take(engine);
	if (moved != before)
		row_spent(engine, EMDS_COPY, since);
	if (moved == length)
		stream_end(engine, op);
	else
		stream_again(engine, op, moved);
	token_give(engine);
	if (moved == length)
		wake_slot(engine->slot);
	return moved != before;
}
