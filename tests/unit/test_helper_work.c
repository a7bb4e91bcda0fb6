/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Work that comes while no thread of the receiver waits.  Its helper sees to
 * it, and a thread that leaves at that moment leaves nothing behind.
 */
#include <unistd.h>

#include "libbcs/base/wake.h"
#include "tests/unit/engine_ranks.h"

/* A large message, sent while a thread of its receiver's waits. */
struct late {
	struct board_slot **slots;
	unsigned char *out;
	unsigned char *in;
	struct op recv;
	struct op send;
	struct rank ranks[2];
};

static void late_start(struct late *late, const struct engine_options *options)
{
	late->slots = slots_make(2);
	late->out = calloc(1, 200000);
	late->in = calloc(1, 200000);
	late->recv = recv_op(late->in, 200000, 0, 5);
	late->send = (struct op){ .kind = OP_SEND,
				  .buf = late->out,
				  .bytes = 200000,
				  .peer = 1,
				  .key = { 1, 0, 5 } };
	for (uint32_t i = 0; i < 2; i++)
		rank_start(&late->ranks[i], late->slots, 2, i, options);
}

/* By whoever sees to it, for this thread does not. */
static void late_stop(struct late *late)
{
	for (unsigned i = 0; i < 10000 && !op_is_done(&late->recv); i++)
		usleep(1000);
	ck_assert(op_is_done(&late->recv));
	engine_wait(&late->ranks[0].engine, &late->send);
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&late->ranks[i].engine);
	slots_free(late->slots, 2);
	free(late->out);
	free(late->in);
}

/*
 * It comes too late for that thread to notice: the helper has to see to it, for
 * the thread does not come back.
 */
START_TEST(test_offer_at_the_last_moment)
{
	struct late late;
	struct engine *receiver = &late.ranks[1].engine;

	late_start(&late, &demand);
	engine_post(receiver, &late.recv);
	usleep(20000); /* the helpers are idle, then */
	engine_block(receiver);
	engine_post(&late.ranks[0].engine, &late.send);
	engine_unblock(receiver);
	late_stop(&late);
}
END_TEST

/*
 * The thread had nothing open when it went, and posts the receive later, but
 * does not wait for it; behind what it waited for, too.
 */
START_TEST(test_offer_before_its_receive)
{
	const struct match_key first = { 1, 0, 1 };
	const bool behind = _i == 1;
	struct late late;
	struct engine *sender = &late.ranks[0].engine;
	struct engine *receiver = &late.ranks[1].engine;
	struct op few;

	late_start(&late, &demand);
	few = recv_op(late.in, 1, 0, 1);
	usleep(20000);
	engine_block(receiver);
	if (behind) {
		engine_post(receiver, &few);
		engine_send_now(sender, 1, &first, 0, late.out, 1);
	}
	engine_post(sender, &late.send);
	while (behind && !op_is_done(&few))
		engine_turn(receiver);
	engine_unblock(receiver);
	engine_post(receiver, &late.recv);
	late_stop(&late);
}
END_TEST

/* It leaves a payload that is still being written, and so does not wait for it
 * with the token. */
START_TEST(test_helper_waits_for_no_payload)
{
	const struct board_cell head = { .kind = BOARD_EAGER,
					 .context = 1,
					 .bytes = 1024 };
	const uint32_t lines = board_lines_early(BOARD_EAGER, 1024);
	const uint64_t first = BOARD_LINE - board_head(BOARD_EAGER);
	struct engine_options roomy = demand;
	struct board_slot **slots = slots_make(1);
	unsigned char out[1024];
	unsigned char in[1024];
	struct board_cell *cell;
	struct rank rank;
	uint64_t known = 0;
	struct op recv;

	roomy.crowded = false;
	memset(out, 3, sizeof(out));
	rank_start(&rank, slots, 1, 0, &roomy);
	recv = recv_op(in, sizeof(in), 0, 0);
	engine_post(&rank.engine, &recv);
	cell = board_reserve(slots[0], &known, lines);
	board_fill(cell, &head, out, first);
	board_show(cell, lines | BOARD_EARLY);
	usleep(20000); /* it is idle, then */
	wake_helper(slots[0]);
	usleep(20000);
	/* Until the test's time is over, if it keeps that. */
	token_take(&rank.engine);
	ck_assert(!op_is_done(&recv));
	memcpy((char *)cell + BOARD_LINE, out + first, sizeof(out) - first);
	atomic_store((_Atomic uint32_t *)board_at(slots[0], lines - 1), 1);
	token_give(&rank.engine);
	while (!op_is_done(&recv))
		usleep(1000);
	ck_assert_mem_eq(in, out, sizeof(out));
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("helper_work");
	TCase *tcase = tcase_create("helper_work");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, test_offer_at_the_last_moment);
	tcase_add_loop_test(tcase, test_offer_before_its_receive, 0, 2);
	tcase_add_test(tcase, test_helper_waits_for_no_payload);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
