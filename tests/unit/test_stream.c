/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A stream between a sender and a receiver: how it is taken, and when it is
 * full or empty.  All bytes come in order while both sides copy at once.
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/stream.h"

#define FULL ((uint64_t)STREAM_PIECES * STREAM_PIECE)

static struct stream stream;
static unsigned char out[10 * FULL + 4321];
static unsigned char in[sizeof(out)];

static void fill_out(unsigned round)
{
	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (unsigned char)(i * 2654435761u >> 24 ^ round);
	memset(in, 0, sizeof(in));
}

START_TEST(test_take)
{
	ck_assert(stream_take(&stream));
	ck_assert(!stream_take(&stream));
	stream_give(&stream);
	ck_assert(stream_take(&stream));
	stream_give(&stream);
}
END_TEST

START_TEST(test_full_and_empty)
{
	uint64_t moved = 0;

	fill_out(0);
	ck_assert(stream_take(&stream));
	ck_assert_uint_eq(stream_empty(&stream, in, 0, sizeof(in)), 0);
	for (; moved < FULL; moved += STREAM_PIECE)
		ck_assert_uint_eq(stream_fill(&stream, out, moved, sizeof(out)),
				  STREAM_PIECE);
	ck_assert_uint_eq(stream_fill(&stream, out, moved, sizeof(out)), 0);
	ck_assert_uint_eq(stream_empty(&stream, in, 0, sizeof(in)),
			  STREAM_PIECE);
	/* Room for one piece, which is no longer than the message. */
	ck_assert_uint_eq(stream_fill(&stream, out, moved, moved + 7), 7);
	ck_assert_uint_eq(
		stream_fill(&stream, out, moved + STREAM_PIECE, sizeof(out)),
		0);
	for (moved = STREAM_PIECE; moved < FULL; moved += STREAM_PIECE)
		ck_assert_uint_eq(stream_empty(&stream, in, moved, FULL + 7),
				  STREAM_PIECE);
	ck_assert_uint_eq(stream_empty(&stream, in, moved, FULL + 7), 7);
	ck_assert_mem_eq(in, out, FULL + 7);
	stream_give(&stream);
}
END_TEST

/* The next message begins with an empty stream, wherever the last one ended. */
START_TEST(test_next_message)
{
	fill_out(1);
	for (uint64_t pieces = 1; pieces <= 2 * STREAM_PIECES; pieces++) {
		ck_assert(stream_take(&stream));
		ck_assert_uint_eq(stream_empty(&stream, in, 0, sizeof(in)), 0);
		for (uint64_t i = 0; i < pieces; i++) {
			const uint64_t at = i * STREAM_PIECE;

			ck_assert_uint_gt(
				stream_fill(&stream, out, at, sizeof(out)), 0);
			ck_assert_uint_gt(
				stream_empty(&stream, in, at, sizeof(in)), 0);
		}
		stream_give(&stream);
	}
}
END_TEST

static void *sender(void *unused)
{
	uint64_t n;

	for (uint64_t moved = 0; moved < sizeof(out); moved += n) {
		n = stream_fill(&stream, out, moved, sizeof(out));
		if (!n)
			sched_yield();
	}
	return unused;
}

static void receive(void)
{
	uint64_t n;

	for (uint64_t moved = 0; moved < sizeof(in); moved += n) {
		n = stream_empty(&stream, in, moved, sizeof(in));
		if (!n)
			sched_yield();
	}
}

START_TEST(test_both_at_once)
{
	pthread_t thread;

	for (unsigned round = 0; round < 20; round++) {
		fill_out(round);
		ck_assert(stream_take(&stream));
		pthread_create(&thread, NULL, sender, NULL);
		receive();
		pthread_join(thread, NULL);
		stream_give(&stream);
		ck_assert_int_eq(memcmp(in, out, sizeof(in)), 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stream");
	TCase *tcase = tcase_create("stream");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 100);
	tcase_add_test(tcase, test_take);
	tcase_add_test(tcase, test_full_and_empty);
	tcase_add_test(tcase, test_next_message);
	tcase_add_test(tcase, test_both_at_once);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
