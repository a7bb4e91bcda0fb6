/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The protocol of a message.  One that fits into a descriptor may be offered as
 * well, and both ways are measured.  One that was offered is matched.
 */
#include "tests/unit/p2p_pair.h"

#define WAY_BYTES 65536u

/* Both are known, as fast as that; none is tried, and what comes next counts.
 */
static struct tuner *ways_set(struct both *both, unsigned next,
			      uint32_t descriptor, uint32_t offer)
{
	struct tuner *tuner = board_tuner(both->slots[0], 1, false, WAY_BYTES);

	both->recv.bytes = WAY_BYTES;
	both->send.bytes = WAY_BYTES;
	tuner->cost[0] = descriptor;
	tuner->cost[1] = offer;
	p2p_turns(both->sender, 1, false, WAY_BYTES)->n = TUNER_TRIAL;
	board_tuner(both->slots[0], 1, false, 8246)->cost[1] = 1;
	*p2p_turns(both->receiver, 0, false,
		   WAY_BYTES) = (struct tuner_turns){ 0, TUNER_WARM, next };
	return tuner;
}

static void ways_check(struct both *both)
{
	while (engine_turn(both->receiver) || engine_turn(both->sender) ||
	       p2p_move(both->receiver) || p2p_move(both->sender))
		;
	ck_assert(op_is_done(&both->send));
	ck_assert(op_is_done(&both->recv));
	ck_assert_int_eq(both->recv.error, 0);
	ck_assert_int_eq(memcmp(both->in, both->out, WAY_BYTES), 0);
	memset(both->in, 0, WAY_BYTES);
}

static void ways_stop(struct both *both)
{
	atomic_store(&both->slots[1]->blocked, 1);
	both->recv = recv_op(both->in, BOTH_BYTES - 1, 0, 5);
	both->send.bytes = BOTH_BYTES;
	both_match(both);
	while (engine_turn(both->receiver) || engine_turn(both->sender) ||
	       engine_work(both->receiver, ENGINE_WHOLE) ||
	       engine_work(both->sender, ENGINE_WHOLE))
		;
	both_stop(both);
}

/*
 * A message that fits into a descriptor is sent in it if that is faster, or if
 * nobody waits for it.  Otherwise it is offered.  A message is offered, too, if
 * the receiver waited for the last offer.
 */
START_TEST(test_ways)
{
	/* Nobody waits when it is sent; it is not even received until then. */
	static const struct {
		bool away;
		bool late;
		bool offered;
	} cases[] = {
		{ true, false, false }, { false, false, true },
		{ true, false, true },  { true, false, false },
		{ false, false, true }, { true, true, true },
		{ true, false, false },
	};
	struct both both;

	both_start(&both);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ways_set(&both, 1, 200, 100);
		atomic_store(&both.slots[1]->blocked, !cases[i].away);
		if (!cases[i].late)
			engine_post(both.receiver, &both.recv);
		ck_assert(p2p_may_offer(both.sender, 1, WAY_BYTES));
		/* A message that MPICH would buffer is never offered. */
		ck_assert(!p2p_may_offer(both.sender, 1, 8246));
		engine_post(both.sender, &both.send);
		ck_assert_int_eq(!op_is_done(&both.send), cases[i].offered);
		engine_turn(both.receiver);
		atomic_store(&both.slots[1]->blocked, 1);
		if (cases[i].late)
			engine_post(both.receiver, &both.recv);
		ways_check(&both);
	}
	ways_stop(&both);
}
END_TEST

/* A way is timed if both sides waited. */
START_TEST(test_ways_timed)
{
	struct tuner *tuner;
	struct both both;

	both_start(&both);
	tuner = ways_set(&both, 0, 100, 200);
	ck_assert(!p2p_may_offer(both.sender, 1, WAY_BYTES));
	engine_post(both.receiver, &both.recv);
	engine_post(both.sender, &both.send);
	ck_assert(op_is_done(&both.send));
	ways_check(&both);
	ck_assert_uint_eq(tuner->cost[0], 100); /* it was all there */
	/* The last of an offer of which nothing is known yet. */
	for (unsigned i = 0; i < 3; i++) {
		const uint32_t offer = i < 2 ? 100 : 0;

		ways_set(&both, 1, 200, offer);
		engine_post(both.receiver, &both.recv);
		engine_post(both.sender, &both.send);
		atomic_store(&both.slots[1]->blocked, i == 1);
		ways_check(&both);
		ck_assert_uint_eq(tuner->cost[0], 200);
		ck_assert_int_eq(tuner->cost[1] != offer, i > 0);
		atomic_store(&both.slots[1]->blocked, 1);
	}
	ways_stop(&both);
}
END_TEST

/*
 * An offer that is matched is read, unless only its sender waits, which then
 * writes it.  Where the kernel forbids both it is pushed, whoever waits.
 */
START_TEST(test_matched)
{
	static const struct {
		const struct p2p_protocol *protocol;
		signed char copies;
		bool sender_waits;
		bool receiver_waits;
	} cases[] = {
		{ &p2p_protocol_read, 0, false, false },
		{ &p2p_protocol_read, 1, false, true },
		{ &p2p_protocol_read, 1, true, true },
		{ &p2p_protocol_write, 1, true, false },
		{ &p2p_protocol_push, -1, true, false },
		{ &p2p_protocol_push, -1, true, true },
	};
	struct both both;

	both_start(&both);
	both.receiver->copies[0] = cases[_i].copies;
	atomic_store(&both.slots[0]->blocked, cases[_i].sender_waits);
	atomic_store(&both.slots[1]->blocked, cases[_i].receiver_waits);
	both_match(&both);
	ck_assert_ptr_eq(both.recv.offer.protocol, cases[_i].protocol);
	both_finish(&both);
	atomic_store(&both.slots[0]->blocked, 1);
	atomic_store(&both.slots[1]->blocked, 1);
	both_stop(&both);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("p2p_choose");
	TCase *tcase = tcase_create("p2p_choose");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, test_ways);
	tcase_add_test(tcase, test_ways_timed);
	tcase_add_loop_test(tcase, test_matched, 0, 6);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
