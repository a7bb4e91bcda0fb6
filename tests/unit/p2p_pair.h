/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_P2P_PAIR_H
#define BCS_P2P_PAIR_H

/* For the tests of libbcs/demand/p2p: a large message from one to another. */
#include <errno.h>

#include "libbcs/demand/p2p/p2p_protocol.h"
#include "tests/unit/engine_ranks.h"

struct both {
	struct board_slot **slots;
	unsigned char *out;
	unsigned char *in;
	struct op recv;
	struct op send;
	struct rank ranks[2];
	struct engine *sender;
	struct engine *receiver;
};

#define BOTH_BYTES (2u * STREAM_PIECES * STREAM_PIECE - 100)

/* Both wait for a message, which is longer than what it is received in. */
static inline void both_start(struct both *both)
{
	const struct engine_options roomy = { .budget = 1000000 };

	both->slots = slots_make(2);
	both->sender = &both->ranks[0].engine;
	both->receiver = &both->ranks[1].engine;
	both->out = malloc(BOTH_BYTES);
	both->in = calloc(1, BOTH_BYTES);
	both->recv = recv_op(both->in, BOTH_BYTES - 1, 0, 5);
	both->send = (struct op){ .kind = OP_SEND,
				  .buf = both->out,
				  .bytes = BOTH_BYTES,
				  .peer = 1,
				  .key = { 1, 0, 5 } };
	for (uint32_t i = 0; i < BOTH_BYTES; i++)
		both->out[i] = (unsigned char)mix(i, 9);
	for (uint32_t i = 0; i < 2; i++) {
		rank_start(&both->ranks[i], both->slots, 2, i, &roomy);
		helper_stop(&both->ranks[i].engine);
		engine_block(&both->ranks[i].engine);
	}
}

static inline void both_match(struct both *both)
{
	engine_post(both->receiver, &both->recv);
	engine_post(both->sender, &both->send);
	ck_assert(engine_turn(both->receiver));
}

static inline void both_free(struct both *both)
{
	for (uint32_t i = 0; i < 2; i++) {
		engine_unblock(&both->ranks[i].engine);
		engine_stop(&both->ranks[i].engine);
	}
	slots_free(both->slots, 2);
	free(both->out);
	free(both->in);
}

static inline void both_stop(struct both *both)
{
	ck_assert(op_is_done(&both->send));
	ck_assert(op_is_done(&both->recv));
	ck_assert_uint_eq(both->sender->outboxes[1].n_offers, 0);
	ck_assert_int_eq(both->recv.error, -EMSGSIZE);
	ck_assert_int_eq(memcmp(both->in, both->out, BOTH_BYTES - 1), 0);
	ck_assert_uint_eq(both->in[BOTH_BYTES - 1], 0);
	both_free(both);
}

static inline struct tuner_turns *both_turns(struct both *both)
{
	return p2p_turns(both->receiver, 0, both->recv.both_ways, BOTH_BYTES);
}

static inline void both_finish(struct both *both)
{
	while (engine_turn(both->sender) || engine_turn(both->receiver) ||
	       engine_work(both->receiver, ENGINE_WHOLE) ||
	       engine_work(both->sender, ENGINE_WHOLE))
		;
}

#endif
