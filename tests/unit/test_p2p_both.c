/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A large message while both sides wait.  It goes through the stream, in
 * halves, or all of it is read.  Either side may leave or come meanwhile.
 */
#include <pthread.h>
#include <unistd.h>

#include "libbcs/demand/coll_post.h"
#include "tests/unit/p2p_pair.h"

static struct tuner *both_tuner(struct both *both)
{
	return board_tuner(both->slots[0], 1, both->recv.both_ways, BOTH_BYTES);
}

/* The receiver finds out how, and tells the sender. */
static void both_share(struct both *both)
{
	both_match(both);
	ck_assert(p2p_move(both->receiver));
	ck_assert(engine_turn(both->sender));
}

/* It goes through the sender's stream, as far as there is room. */
START_TEST(test_stream)
{
	struct both both;

	both_start(&both);
	both_share(&both);
	ck_assert(!p2p_stream(both.receiver)); /* nothing came */
	ck_assert(p2p_stream(both.sender));
	ck_assert(!p2p_stream(both.sender)); /* it is full */
	ck_assert(p2p_stream(both.receiver));
	ck_assert(!p2p_stream(both.receiver));
	ck_assert(p2p_stream(both.sender));
	ck_assert(!op_is_done(&both.recv));
	ck_assert(!stream_take(&both.slots[0]->stream));
	ck_assert(p2p_stream(both.receiver));
	ck_assert(op_is_done(&both.recv));
	ck_assert(!op_is_done(&both.send));
	ck_assert(engine_turn(both.sender));
	ck_assert(stream_take(&both.slots[0]->stream));
	ck_assert_uint_eq(both_tuner(&both)->cost[0], 0);
	ck_assert_uint_gt(both_tuner(&both)->cost[1], 0);
	both_stop(&both);
}
END_TEST

/*
 * Another thread of the sender gives the rest, and has not said so yet when the
 * receiver tells that it has all.
 */
START_TEST(test_stream_early)
{
	uint64_t moved = STREAM_PIECES * STREAM_PIECE;
	struct both both;

	both_start(&both);
	both_share(&both);
	ck_assert(p2p_stream(both.sender));
	ck_assert(p2p_stream(both.receiver));
	while (moved < BOTH_BYTES - 1)
		moved += stream_fill(&both.slots[0]->stream, both.out, moved,
				     BOTH_BYTES - 1);
	ck_assert(p2p_stream(both.receiver));
	ck_assert(op_is_done(&both.recv));
	ck_assert(engine_turn(both.sender));
	ck_assert(!op_is_done(&both.send));
	ck_assert(p2p_stream(both.sender));
	both_stop(&both);
}
END_TEST

/* The last thread that leaves does first what there is to do for it. */
START_TEST(test_stream_leave)
{
	struct both both;

	both_start(&both);
	both_share(&both);
	engine_block(both.sender);
	engine_unblock(both.sender);
	ck_assert_uint_eq(both.slots[0]->stream.filled, 0);
	engine_unblock(both.sender);
	ck_assert_uint_eq(both.slots[0]->stream.filled, STREAM_PIECES);
	engine_block(both.sender);
	ck_assert(p2p_stream(both.receiver));
	ck_assert(p2p_stream(both.sender));
	ck_assert(p2p_stream(both.receiver));
	ck_assert(engine_turn(both.sender));
	both_stop(&both);
}
END_TEST

/*
 * A broadcast of both, begun and not waited for: a thread that leaves has the
 * last bytes of it, and so ends it.
 */
START_TEST(test_stream_leave_coll)
{
	struct both both;
	const uint32_t each[2] = { 0, 1 };
	const struct rank_map peers = { .each = (uint32_t *)each };
	struct coll *colls[2] = { coll_new(2), coll_new(2) };

	both_start(&both);
	for (int i = 0; i < 2; i++) {
		colls[i]->kind = COLL_BCAST;
		colls[i]->context = 7;
		colls[i]->signature = 1;
		colls[i]->peers = &peers;
		colls[i]->rank = i;
		colls[i]->in = i ? both.in : both.out;
		colls[i]->bytes = BOTH_BYTES;
		colls[i]->method.algorithm = COLL_LINEAR;
		ck_assert_int_eq(coll_post(&both.ranks[i].engine, colls[i]), 0);
	}
	engine_turn(both.sender);
	engine_turn(both.receiver);
	ck_assert(p2p_move(both.receiver));
	ck_assert(engine_turn(both.sender));
	ck_assert(p2p_stream(both.sender));
	ck_assert(p2p_stream(both.receiver));
	ck_assert(p2p_stream(both.sender));
	ck_assert(!coll_is_done(colls[1]));
	engine_unblock(both.receiver);
	ck_assert(coll_is_done(colls[1]));
	ck_assert_int_eq(memcmp(both.in, both.out, BOTH_BYTES), 0);
	engine_block(both.receiver);
	both_finish(&both);
	ck_assert(coll_is_done(colls[0]));
	for (int i = 0; i < 2; i++)
		coll_free(colls[i]);
	both_free(&both);
}
END_TEST

/*
 * Three ways through a stream.  The receiver takes a part, and then another. Or
 * the sender has left, and the receiver reads the rest.  Or a copy is faster,
 * and each side makes a half.
 */
START_TEST(test_stream_parts)
{
	struct both both;

	both_start(&both);
	both.receiver->options.budget = 4 * STREAM_PIECE;
	both_share(&both);
	ck_assert(p2p_stream(both.sender));
	ck_assert(p2p_stream(both.receiver));
	ck_assert(!p2p_stream(both.receiver));
	atomic_store(&both.slots[0]->blocked, _i != 1);
	both_turns(&both)->n = _i == 2 ? TUNER_TRIAL : 0;
	ck_assert(p2p_move(both.receiver));
	ck_assert_uint_eq(op_is_done(&both.recv), _i == 1);
	ck_assert(engine_turn(both.sender));
	ck_assert_uint_eq(p2p_stream(both.sender), _i == 0);
	ck_assert_uint_eq(p2p_move(both.sender), _i == 2);
	ck_assert_uint_eq(p2p_stream(both.receiver), _i == 0);
	ck_assert_uint_eq(engine_turn(both.receiver), _i == 2);
	ck_assert_uint_eq(engine_turn(both.sender), _i == 0);
	atomic_store(&both.slots[0]->blocked, 1);
	ck_assert_uint_eq(both_tuner(&both)->cost[0] > 0, _i == 2);
	both_stop(&both);
}
END_TEST

/*
 * The stream has another message, or is the slower: the receiver reads the
 * first half, the sender writes the rest.
 */
START_TEST(test_halves)
{
	struct both both;

	both_start(&both);
	if (_i == 0)
		ck_assert(stream_take(&both.slots[0]->stream));
	else
		both_turns(&both)->n = TUNER_TRIAL;
	both_match(&both);
	ck_assert(p2p_move(both.receiver));
	ck_assert_uint_eq(both.in[0], both.out[0]);
	ck_assert_uint_eq(both.in[BOTH_BYTES - 2], 0);
	ck_assert_uint_eq(both_tuner(&both)->cost[0], 0);
	ck_assert(engine_turn(both.sender));
	ck_assert(!op_is_done(&both.send));
	both.out[0]++; /* no longer the sender's to copy */
	ck_assert(p2p_move(both.sender));
	both.out[0]--;
	ck_assert(!op_is_done(&both.recv));
	ck_assert(engine_turn(both.receiver));
	ck_assert_uint_eq(both_tuner(&both)->cost[0] > 0, _i == 1);
	ck_assert_uint_eq(both_tuner(&both)->cost[1], 0);
	both_stop(&both);
}
END_TEST

/*
 * One side does something else, or both have such copies to make: the receiver
 * reads it all.  Only then is it one of two ways that there were.
 */
START_TEST(test_alone)
{
	struct both both;

	both_start(&both);
	both.recv.both_ways = _i == 2;
	if (_i == 0)
		atomic_store(&both.slots[0]->blocked, 0);
	else if (_i == 1)
		atomic_store(&both.slots[0]->asleep, 1);
	else
		both_turns(&both)->n = TUNER_TRIAL;
	both_match(&both);
	ck_assert(p2p_move(both.receiver));
	ck_assert(op_is_done(&both.recv));
	atomic_store(&both.slots[0]->blocked, 1);
	ck_assert(engine_turn(both.sender));
	ck_assert_uint_eq(both_tuner(&both)->cost[0] > 0, _i == 2);
	both_stop(&both);
}
END_TEST

/* Copies may wait while the other side of each computes. */
START_TEST(test_jobs_can_wait)
{
	struct both both;

	both_start(&both);
	ck_assert(!p2p_jobs_can_wait(both.receiver)); /* there are none */
	atomic_store(&both.slots[0]->blocked, 0);
	both_match(&both);
	ck_assert(p2p_jobs_can_wait(both.receiver));
	atomic_store(&both.slots[0]->blocked, 1);
	ck_assert(!p2p_jobs_can_wait(both.receiver));
	both.recv.offer.protocol = &p2p_protocol_push;
	atomic_store(&both.slots[0]->blocked, 0);
	ck_assert(!p2p_jobs_can_wait(both.receiver));
	both.recv.offer.protocol = &p2p_protocol_read;
	while (engine_work(both.receiver, ENGINE_WHOLE) ||
	       engine_turn(both.sender))
		;
	atomic_store(&both.slots[0]->blocked, 1);
	both_stop(&both);
}
END_TEST

/* It races with the copy, as it is meant to. */
__attribute__((no_sanitize("thread"))) static bool
has_begun(const struct both *both)
{
	return *(volatile unsigned char *)both->in;
}

/* Comes to wait for its message as soon as some of that is there. */
static void *sender_comes(void *arg)
{
	struct both *both = arg;

	while (!has_begun(both))
		;
	atomic_store(&both->slots[0]->blocked, 1);
	return NULL;
}

/*
 * A rank that copies alone stops for one that comes, to share the rest.  It may
 * be through before it sees that.
 */
START_TEST(test_copy_until_both_wait)
{
	bool is_left = false;
	pthread_t sender;
	struct both both;

	while (!is_left) {
		both_start(&both);
		both.out[0] = 1;
		atomic_store(&both.slots[0]->blocked, 0);
		both_match(&both);
		pthread_create(&sender, NULL, sender_comes, &both);
		usleep(1000); /* it looks */
		ck_assert(p2p_move(both.receiver));
		is_left = !op_is_done(&both.recv);
		pthread_join(sender, NULL);
		both_finish(&both);
		both_stop(&both);
	}
}
END_TEST

/* The receiver posts, and leaves it to the sender, which waits. */
static void both_leave_to_sender(struct both *both)
{
	both_start(both);
	both->out[0] = 1;
	atomic_store(&both->slots[1]->blocked, 0);
	both_match(both);
	ck_assert(engine_turn(both->sender));
}

/* Which gives it back if the receiver waits as well by then. */
START_TEST(test_give_back)
{
	struct both both;

	both_leave_to_sender(&both);
	atomic_store(&both.slots[1]->blocked, _i);
	ck_assert(p2p_move(both.sender));
	ck_assert_uint_eq(has_begun(&both), !_i);
	ck_assert_uint_eq(op_is_done(&both.send), !_i);
	atomic_store(&both.slots[1]->blocked, 1);
	ck_assert(engine_turn(both.receiver));
	ck_assert_uint_eq(p2p_move(both.receiver), _i);
	both_finish(&both);
	both_stop(&both);
}
END_TEST

/* The sender has something to receive as well, and took that first. */
static void both_cross(struct both *both, struct op *recv, struct op *send)
{
	engine_post(both->sender, recv);
	atomic_store(&both->slots[1]->blocked, 0);
	both_match(both);
	*send = both->send;
	send->peer = 0;
	send->key = (struct match_key){ 1, 1, 6 };
	engine_post(both->receiver, send);
	ck_assert(engine_turn(both->sender));
	ck_assert_uint_eq(both->sender->n_jobs, 2);
}

/*
 * Before it copies what it has to receive itself; but where nothing is given
 * back all have their turn.
 */
START_TEST(test_give_back_first)
{
	static unsigned char more[BOTH_BYTES];
	struct op recv = recv_op(more, BOTH_BYTES, 1, 6);
	struct both both;
	struct op send;

	both_start(&both);
	both.sender->options.crowded = _i;
	both_cross(&both, &recv, &send);
	ck_assert_ptr_eq(both.sender->jobs.first, _i ? &recv : &both.send);
	atomic_store(&both.slots[1]->blocked, 1);
	ck_assert(p2p_move(both.sender));
	ck_assert(engine_turn(both.receiver));
	ck_assert_uint_eq(both.receiver->n_jobs, !_i);
	both_finish(&both);
	ck_assert(op_is_done(&send));
	ck_assert_int_eq(memcmp(more, both.out, BOTH_BYTES), 0);
	both_stop(&both);
}
END_TEST

static void *receiver_comes(void *arg)
{
	struct both *both = arg;

	while (!has_begun(both))
		;
	atomic_store(&both->slots[1]->blocked, 1);
	return NULL;
}

/* Or the rest of it, if it sees that in time; also before anything else. */
START_TEST(test_give_back_rest)
{
	bool is_left = false;
	struct op_list *jobs;
	struct op other;
	pthread_t receiver;
	struct both both;

	while (!is_left) {
		both_leave_to_sender(&both);
		jobs = &both.sender->jobs;
		op_list_add(jobs, &other);
		pthread_create(&receiver, NULL, receiver_comes, &both);
		usleep(1000); /* it looks */
		ck_assert(p2p_move(both.sender));
		is_left = !op_is_done(&both.send);
		ck_assert_ptr_eq(jobs->first, is_left ? &both.send : &other);
		op_list_clear(jobs);
		if (is_left)
			op_list_add(jobs, &both.send);
		pthread_join(receiver, NULL);
		both.out[0] += is_left; /* what is there is not copied again */
		both_finish(&both);
		both.out[0] -= is_left;
		both_stop(&both);
	}
}
END_TEST

/*
 * The kernel refuses the receiver's copy after a piece.  The sender pushes the
 * rest: at once, or after the half that it is just writing.
 */
START_TEST(test_refused)
{
	struct both both;

	both_start(&both);
	both.receiver->options.budget = STREAM_PIECE;
	both_turns(&both)->n = TUNER_TRIAL;
	atomic_store(&both.slots[0]->blocked, _i);
	both_match(&both);
	ck_assert(p2p_move(both.receiver));
	ck_assert_uint_eq(both.recv.offer.parts, 1 + _i);
	ck_assert_ptr_eq(p2p_job_take(both.receiver), &both.recv);
	token_take(both.receiver);
	p2p_push_instead(both.receiver, &both.recv);
	token_give(both.receiver);
	ck_assert(engine_turn(both.sender));
	ck_assert_ptr_eq(both.send.offer.protocol,
			 _i ? &p2p_protocol_halves : &p2p_protocol_push);
	both_finish(&both);
	ck_assert_ptr_eq(both.send.offer.protocol, &p2p_protocol_push);
	atomic_store(&both.slots[0]->blocked, 1);
	both_stop(&both);
}
END_TEST

#define TICKS (UINT64_C(1) << 30)

/*
 * The receiver has a message for the sender, too.  It reads all of its own,
 * timed from the match on.  If it came to wait later, it is not timed.
 */
START_TEST(test_exchange)
{
	struct outbox *box;
	struct both both;

	both_start(&both);
	box = &both.receiver->outboxes[0];
	box->n_offers = 1;
	atomic_store(&both.slots[0]->blocked, 0);
	atomic_store(&both.slots[1]->blocked, _i);
	both_match(&both);
	ck_assert_uint_eq(both.recv.both.ready != 0, _i);
	if (_i)
		both.recv.both.ready -= TICKS;
	p2p_turns(both.receiver, 0, _i, BOTH_BYTES)->n = TUNER_TRIAL;
	atomic_store(&both.slots[0]->blocked, 1);
	atomic_store(&both.slots[1]->blocked, 1);
	ck_assert(p2p_move(both.receiver));
	ck_assert_uint_eq(op_is_done(&both.recv), _i);
	ck_assert_uint_eq(
		board_tuner(both.slots[0], 1, true, BOTH_BYTES)->cost[0] >=
			TICKS / BOTH_BYTES * 4096,
		_i);
	both_finish(&both);
	box->n_offers = 0;
	both_stop(&both);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("p2p_both");
	TCase *tcase = tcase_create("p2p_both");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, test_stream);
	tcase_add_test(tcase, test_stream_early);
	tcase_add_test(tcase, test_stream_leave);
	tcase_add_test(tcase, test_stream_leave_coll);
	tcase_add_loop_test(tcase, test_stream_parts, 0, 3);
	tcase_add_loop_test(tcase, test_halves, 0, 2);
	tcase_add_loop_test(tcase, test_alone, 0, 3);
	tcase_add_test(tcase, test_jobs_can_wait);
	tcase_add_test(tcase, test_copy_until_both_wait);
	tcase_add_loop_test(tcase, test_give_back, 0, 2);
	tcase_add_loop_test(tcase, test_give_back_first, 0, 2);
	tcase_add_test(tcase, test_give_back_rest);
	tcase_add_loop_test(tcase, test_refused, 0, 2);
	tcase_add_loop_test(tcase, test_exchange, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
