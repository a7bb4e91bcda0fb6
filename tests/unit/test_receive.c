/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Receives: their order, cancelling, and looking for a message.  Messages that
 * are cut, that came long before, or that find the inbox full.
 */
#include <errno.h>
#include <unistd.h>

#include "libbcs/base/wake.h"
#include "tests/unit/engine_ranks.h"

/* A payload is shown while it is written, unless its reader writes as much. */
START_TEST(test_crossed)
{
	static unsigned char out[COPY_WHOLE] = { 1, [COPY_WHOLE - 1] = 2 };
	const bool both_ways = _i;
	const struct board_cell head = { .kind = BOARD_EAGER,
					 .context = 1,
					 .bytes = sizeof(out) };
	struct engine_options roomy = demand;
	struct board_slot **slots = slots_make(2);
	unsigned char in[sizeof(out)];
	struct rank ranks[2];
	struct op recv;

	roomy.crowded = false;
	for (uint32_t i = 0; i < 2; i++)
		rank_start(&ranks[i], slots, 2, i, &roomy);
	ck_assert(outbox_put(&ranks[0].engine, 1, &head, out, sizeof(out),
			     both_ways));
	ck_assert_int_ne(board_is_early(board_at(slots[1], 0)), both_ways);
	recv = recv_op(in, sizeof(in), 0, 0);
	engine_post(&ranks[1].engine, &recv);
	engine_wait(&ranks[1].engine, &recv);
	ck_assert_mem_eq(in, out, sizeof(out));
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 2);
}
END_TEST

/*
 * A synchronous send is done when its message is received, and not before.
 * Short messages travel in their descriptors, long ones do not.
 */
START_TEST(test_synchronous)
{
	const uint64_t sizes[] = { 0, 8, 17, 2048, 8448, 8449 };
	const bool known = _i & 1; /* the receive is posted before */
	const uint64_t bytes = sizes[_i / 2];
	struct board_slot **slots = slots_make(2);
	unsigned char out[8449] = { 1, [8448] = 2 };
	unsigned char in[sizeof(out)];
	struct rank ranks[2];
	struct op recv = recv_op(in, bytes, 0, 0);
	struct op send = { .kind = OP_SEND,
			   .synchronous = true,
			   .buf = out,
			   .bytes = bytes,
			   .peer = 1,
			   .key = { 1, 0, 0 } };

	for (uint32_t i = 0; i < 2; i++)
		rank_start(&ranks[i], slots, 2, i, &demand);
	if (known)
		engine_post(&ranks[1].engine, &recv);
	engine_post(&ranks[0].engine, &send);
	ck_assert_uint_eq(board_at(slots[1], 0)->kind,
			  bytes > 8448 ? BOARD_OFFER : BOARD_SYNC);
	if (!known) {
		engine_turn(&ranks[1].engine);
		engine_turn(&ranks[0].engine);
		ck_assert(!op_is_done(&send));
		engine_post(&ranks[1].engine, &recv);
	}
	engine_wait(&ranks[1].engine, &recv);
	engine_wait(&ranks[0].engine, &send);
	ck_assert_int_eq(recv.error, 0);
	ck_assert_uint_eq(recv.got, bytes);
	ck_assert_mem_eq(in, out, bytes);
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 2);
}
END_TEST

/*
 * A process sends to itself, and cuts what does not fit.  The cut is in the
 * last piece of what is shown early, at its end, or in a piece before.
 */
START_TEST(test_truncation)
{
	const uint64_t sizes[] = { 10,   1023, 1024, 1061,   1064,
				   4096, 8000, 8261, 131072, 200000 };
	struct engine_options options = demand;
	const struct match_key key = { 1, 0, 5 };
	struct board_slot **slots = slots_make(1);
	unsigned char *in = calloc(1, 200001);
	unsigned char *out = calloc(1, 200000);
	struct rank rank;
	struct op send;
	struct op recv;

	options.crowded = _i < 3;
	rank_start(&rank, slots, 1, 0, &options);
	for (int i = 0; i < 200000; i++)
		out[i] = (unsigned char)(i % 251);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const uint64_t fits = _i % 3 == 0   ? sizes[i]
				      : _i % 3 == 1 ? sizes[i] - 5
						    : sizes[i] / 3;

		memset(in, 252, 200001);
		recv = recv_op(in, fits, MATCH_ANY, MATCH_ANY);
		send = (struct op){ .kind = OP_SEND,
				    .buf = out,
				    .bytes = sizes[i],
				    .key = key };
		engine_post(&rank.engine, &send);
		engine_post(&rank.engine, &recv);
		engine_wait(&rank.engine, &recv);
		engine_wait(&rank.engine, &send);
		ck_assert_int_eq(recv.error, _i % 3 ? -EMSGSIZE : 0);
		ck_assert_int_eq(send.error, 0);
		ck_assert_uint_eq(recv.got, fits);
		ck_assert_mem_eq(in, out, fits);
		ck_assert_uint_eq(in[fits], 252);
	}
	engine_stop(&rank.engine);
	slots_free(slots, 1);
	free(out);
	free(in);
}
END_TEST

/* Its helper runs slices, too. */
static bool rank_has_posted(struct rank *rank)
{
	bool has;

	token_take(&rank->engine);
	has = rank->engine.posted.first;
	token_give(&rank->engine);
	return has;
}

/* It met its message, in memory that was something else's before. */
START_TEST(test_cancel_too_late)
{
	struct board_slot **slots = slots_make(1);
	struct rank rank;
	static unsigned char out[200000] = "abc";
	static char in[sizeof(out)];
	struct op send = { .kind = OP_SEND,
			   .buf = out,
			   .bytes = sizeof(out),
			   .key = { 1, 0, 5 } };
	struct op recv = recv_op(in, sizeof(in), 0, 5);

	rank_start(&rank, slots, 1, 0, &demand);
	memset(&recv.recv, 0xff, sizeof(recv.recv));
	engine_post(&rank.engine, &recv);
	engine_post(&rank.engine, &send);
	while (rank_has_posted(&rank))
		engine_turn(&rank.engine);
	ck_assert(!engine_cancel(&rank.engine, &recv));
	engine_wait(&rank.engine, &recv);
	engine_wait(&rank.engine, &send);
	ck_assert_str_eq(in, "abc");
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

START_TEST(test_probe_and_cancel)
{
	const struct match_key key = { 1, 0, 5 };
	const struct match_key any = { 1, MATCH_ANY, MATCH_ANY };
	struct board_slot **slots = slots_make(1);
	struct engine_found found;
	struct rank rank;
	unsigned char abc[] = "abc";
	struct op send = {
		.kind = OP_SEND, .buf = abc, .bytes = 4, .key = key
	};
	struct op recv;
	char in[8];

	rank_start(&rank, slots, 1, 0, &demand);
	ck_assert(!engine_probe(&rank.engine, &any, &found));

	recv = recv_op(in, sizeof(in), 0, 5);
	engine_post(&rank.engine, &recv);
	ck_assert(engine_cancel(&rank.engine, &recv));
	ck_assert(op_is_done(&recv));
	ck_assert_int_eq(recv.error, -ECANCELED);
	engine_post(&rank.engine, &recv);
	engine_turn(&rank.engine);
	ck_assert(engine_cancel(&rank.engine, &recv));
	ck_assert(op_is_done(&recv));

	engine_post(&rank.engine, &send);
	ck_assert(engine_probe(&rank.engine, &any, &found));
	ck_assert_int_eq(found.tag, 5);
	ck_assert_uint_eq(found.bytes, 4);
	engine_post(&rank.engine, &recv);
	ck_assert(!engine_cancel(&rank.engine, &recv));
	engine_wait(&rank.engine, &recv);
	engine_wait(&rank.engine, &send);
	ck_assert_str_eq(in, "abc");
	ck_assert(!engine_cancel(&rank.engine, &recv));
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

/* A message that a receive which was posted before matches is not for a look.
 */
START_TEST(test_probe_after_receive)
{
	const struct match_key key = { 1, 0, 5 };
	struct board_slot **slots = slots_make(1);
	struct engine_found found;
	struct op send;
	struct op recv;
	struct rank rank;
	char in[8];

	rank_start(&rank, slots, 1, 0, &demand);
	send = (struct op){
		.kind = OP_SEND, .buf = (void *)"abc", .bytes = 4, .key = key
	};
	engine_run(&rank.engine, &send);
	while (!engine_probe(&rank.engine, &key, &found))
		usleep(100);
	recv = recv_op(in, sizeof(in), 0, MATCH_ANY);
	engine_post(&rank.engine, &recv);
	ck_assert(!engine_probe(&rank.engine, &key, &found));
	ck_assert_ptr_null(engine_take(&rank.engine, &key, &found));
	engine_wait(&rank.engine, &recv);
	ck_assert_str_eq(in, "abc");
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

static void send_to_self(struct rank *rank, const void *buf, uint64_t bytes,
			 int tag)
{
	const struct match_key key = { 1, 0, tag };

	ck_assert(engine_send_now(&rank->engine, 0, &key, 0, buf, bytes));
}

/* Receives are posted in another order than their messages come in. */
START_TEST(test_out_of_order)
{
	static const int posted[] = { 2, MATCH_ANY, 1, 0 };
	static const char *const expected[] = { "2", "0", "1", "0" };
	static const int sent[] = { 0, 1, 0, 2 };
	struct board_slot **slots = slots_make(1);
	struct op recvs[4];
	struct rank rank;
	char in[4][2];
	char out[2] = "";

	rank_start(&rank, slots, 1, 0, &demand);
	for (int i = 0; i < 4; i++) {
		recvs[i] = recv_op(in[i], 2, 0, posted[i]);
		engine_post(&rank.engine, &recvs[i]);
	}
	for (int i = 0; i < 4; i++) {
		out[0] = (char)('0' + sent[i]);
		send_to_self(&rank, out, 2, sent[i]);
		if (_i)
			engine_turn(&rank.engine);
	}
	for (int i = 0; i < 4; i++) {
		engine_wait(&rank.engine, &recvs[i]);
		ck_assert_str_eq(in[i], expected[i]);
	}
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

/*
 * Bytes that a message left in the ring are not taken for another a round
 * later.
 */
START_TEST(test_old_payload)
{
	struct board_slot **slots = slots_make(1);
	unsigned char out[BOARD_INLINE];
	unsigned char in[BOARD_INLINE];
	struct rank rank;
	struct op recv;
	uint64_t n;

	memset(out, 0xff, sizeof(out));
	rank_start(&rank, slots, 1, 0, &demand);
	for (unsigned i = 0; i < 5 * BOARD_LINES / 16; i++) {
		n = i % 3 ? i % 100 : sizeof(out) - i % 200;
		recv = recv_op(in, sizeof(in), 0, 7);
		send_to_self(&rank, out, n, 7);
		/* So that the ring is not begun again when it is empty. */
		if (i % 2)
			send_to_self(&rank, out, n, 7);
		for (unsigned k = 0; k <= i % 2; k++) {
			engine_run(&rank.engine, &recv);
			ck_assert_uint_eq(recv.got, n);
			ck_assert_int_eq(memcmp(in, out, n), 0);
		}
	}
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

/*
 * A receiver that has a MiB of unexpected messages gets offers until it has
 * received them.
 */
START_TEST(test_behind)
{
	const uint64_t n = BOARD_INLINE;
	const unsigned much = ENGINE_ROOMS + 2;
	struct board_slot **slots = slots_make(1);
	unsigned char *out = calloc(1, n);
	unsigned char *in = calloc(1, n);
	struct op recv = recv_op(in, n, 0, 5);
	struct op send = {
		.kind = OP_SEND, .buf = out, .bytes = n, .key = { 1, 0, 5 }
	};
	struct rank rank;

	rank_start(&rank, slots, 1, 0, &demand);
	helper_stop(&rank.engine);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i <= ENGINE_ROOMS; i++) {
			out[0] = (unsigned char)i;
			send_to_self(&rank, out, n, 5);
			engine_turn(&rank.engine);
		}
		out[0] = much;
		engine_post(&rank.engine, &send);
		engine_turn(&rank.engine);
		ck_assert(!op_is_done(&send));
		send_to_self(&rank, out, 100, 6);
		for (unsigned i = 0; i <= ENGINE_ROOMS; i++) {
			engine_run(&rank.engine, &recv);
			ck_assert_uint_eq(in[0], i);
		}
		engine_run(&rank.engine, &recv);
		ck_assert_uint_eq(in[0], much);
		engine_wait(&rank.engine, &send);
		recv = recv_op(in, n, 0, 6);
		engine_run(&rank.engine, &recv);
		recv = recv_op(in, n, 0, 5);
	}
	engine_stop(&rank.engine);
	free(in);
	free(out);
	slots_free(slots, 1);
}
END_TEST

/*
 * An inbox takes so much; what is over goes when there is room, and what comes
 * later does not overtake it then.
 */
START_TEST(test_full_inbox)
{
	const unsigned n = 3 * BOARD_LINES;
	struct board_slot **slots = slots_make(2);
	struct op *ops = calloc(n, sizeof(*ops));
	struct rank ranks[2];
	struct op recv;
	struct op last;
	uint32_t in;

	/* The inbox is to stay full until this test empties it. */
	for (uint32_t i = 0; i < 2; i++) {
		rank_start(&ranks[i], slots, 2, i, &demand);
		helper_stop(&ranks[i].engine);
	}
	for (uint32_t i = 0; i < n; i++)
		post_number(&ranks[0], &ops[i], i);
	ck_assert(op_is_done(&ops[0]));
	ck_assert(!op_is_done(&ops[n - 1]));
	for (uint32_t i = 0; i < n; i++) {
		recv = recv_op(&in, 4, 0, 0);
		engine_post(&ranks[1].engine, &recv);
		engine_wait(&ranks[1].engine, &recv);
		ck_assert_uint_eq(in, i);
		if (i == BOARD_LINES / 2)
			post_number(&ranks[0], &last, n);
		if (i > BOARD_LINES / 2)
			engine_turn(&ranks[0].engine);
	}
	for (uint32_t i = 0; i < n; i++) {
		ck_assert(op_is_done(&ops[i]));
		free(ops[i].buf);
	}
	free(last.buf);
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	free(ops);
	slots_free(slots, 2);
}
END_TEST

static unsigned n_lasts;

static void lasts(void)
{
	n_lasts++;
}

/*
 * A call that only posts something is not slow; one that wakes or receives is.
 */
START_TEST(test_lasts)
{
	const struct match_key key = { 1, 0, 0 };
	struct board_slot **slots = slots_make(2);
	struct rank ranks[2];
	struct op recvs[3];
	uint32_t in = 0;

	for (uint32_t i = 0; i < 2; i++)
		rank_start(&ranks[i], slots, 2, i, &demand);
	for (unsigned i = 0; i < 3; i++)
		recvs[i] = recv_op(&in, sizeof(in), 0, 0);
	wake_before_slow = lasts;
	engine_post(&ranks[1].engine, &recvs[0]);
	ck_assert(
		engine_send_now(&ranks[0].engine, 1, &key, 0, &in, sizeof(in)));
	ck_assert_uint_eq(n_lasts, 0);
	engine_wait(&ranks[1].engine, &recvs[0]);
	n_lasts = 0;
	atomic_store(&slots[1]->asleep, 1);
	ck_assert(
		engine_send_now(&ranks[0].engine, 1, &key, 0, &in, sizeof(in)));
	ck_assert_uint_eq(n_lasts, 1);
	ck_assert(!engine_probe(&ranks[1].engine,
				&(struct match_key){ 1, 0, 1 },
				&(struct engine_found){ 0 }));
	n_lasts = 0;
	engine_post(&ranks[1].engine, &recvs[1]);
	ck_assert_uint_eq(n_lasts, 1);
	engine_wait(&ranks[1].engine, &recvs[1]);
	wake_before_slow = NULL;
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("receive");
	TCase *tcase = tcase_create("receive");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, test_crossed, 0, 2);
	tcase_add_loop_test(tcase, test_synchronous, 0, 12);
	tcase_add_loop_test(tcase, test_truncation, 0, 6);
	tcase_add_test(tcase, test_cancel_too_late);
	tcase_add_test(tcase, test_probe_and_cancel);
	tcase_add_test(tcase, test_probe_after_receive);
	tcase_add_loop_test(tcase, test_out_of_order, 0, 2);
	tcase_add_test(tcase, test_old_payload);
	tcase_add_test(tcase, test_behind);
	tcase_add_test(tcase, test_full_inbox);
	tcase_add_test(tcase, test_lasts);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
