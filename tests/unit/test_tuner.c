/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests that the tuner finds the faster alternative, and finds it again after a
 * change.
 */
#include <check.h>
#include <stdlib.h>

#include "libbcs/base/tuner.h"

static unsigned times[2]; /* each way was chosen */
static struct tuner tuner;
static struct tuner_turns turns;

static void tuner_took(unsigned way, uint64_t ticks, uint64_t bytes)
{
	struct tuner_run run = { &tuner, &turns, way, 1000, bytes };

	tuner_end(&run, 1000 + ticks);
	ck_assert_ptr_null(run.tuner);
}

/* So many things are done, which take so long each, by the way. */
static void tuner_do(unsigned n, const uint64_t ticks[2])
{
	times[0] = times[1] = 0;
	for (unsigned i = 0; i < n; i++) {
		const unsigned way = tuner_choose(&tuner, &turns);

		times[way]++;
		tuner_took(way, ticks[way], 1 << 20);
	}
}

/* Both are tried at first, and the better stays. */
START_TEST(test_better)
{
	uint64_t ticks[2] = { 100000, 100000 };

	ticks[_i] -= 20000;
	tuner_do(TUNER_ROUND, ticks);
	ck_assert_uint_ge(times[!_i], 1);
	ck_assert_uint_le(times[!_i], TUNER_TRIAL);
	tuner_do(10 * TUNER_ROUND, ticks);
	ck_assert_uint_eq(times[!_i], 10 * TUNER_TRIAL);
}
END_TEST

/* An alternative that takes much longer is not tried for long. */
START_TEST(test_glance)
{
	uint64_t ticks[2] = { 100000, 100000 };

	ticks[_i] = 300000;
	tuner_do(TUNER_ROUND, ticks);
	tuner_do(10 * TUNER_ROUND, ticks);
	ck_assert_uint_eq(times[_i], 10 * TUNER_GLANCE);
}
END_TEST

/* The better gets worse, and soon is not taken any more. */
START_TEST(test_worse)
{
	uint64_t ticks[2] = { 100000, 100000 };

	ticks[_i] = 80000;
	tuner_do(TUNER_ROUND, ticks);
	ticks[_i] = 300000;
	tuner_do(TUNER_ROUND, ticks);
	ck_assert_uint_le(times[_i], 12);
}
END_TEST

/* The worse gets better, which is seen when it is tried again, some times. */
START_TEST(test_tried_again)
{
	uint64_t ticks[2] = { 100000, 100000 };

	ticks[_i] = 300000;
	tuner_do(TUNER_ROUND, ticks);
	ticks[_i] = 80000;
	tuner_do(4 * TUNER_ROUND, ticks);
	tuner_do(TUNER_ROUND, ticks);
	ck_assert_uint_ge(times[_i], TUNER_ROUND - TUNER_TRIAL);
}
END_TEST

/* An unknown alternative is tried for longer: its first times may be odd. */
START_TEST(test_unknown)
{
	const uint64_t ticks[2] = { 100000, 300000 };

	tuner_do(TUNER_TRIAL, ticks);
	ck_assert_uint_eq(times[1], TUNER_TRIAL);
	tuner_do(TUNER_TRIAL, ticks);
	ck_assert_uint_eq(times[0], TUNER_TRIAL);
}
END_TEST

/* The first of the better one finds pages that are not there yet. */
START_TEST(test_first)
{
	uint64_t ticks[2] = { 100000, 100000 };

	ticks[_i] = 80000;
	tuner_took(_i, 30 * ticks[_i], 1 << 20);
	tuner_do(TUNER_ROUND, ticks);
	tuner_do(TUNER_ROUND, ticks);
	ck_assert_uint_ge(times[_i], TUNER_ROUND - TUNER_TRIAL);
}
END_TEST

/*
 * The better alternative is slow just after the other.  The other is fast as
 * long as it finds the state in which the better one left the caches.
 */
START_TEST(test_cold)
{
	static const uint64_t cold[2] = { 50000, 300000 };
	static const uint64_t warm[2] = { 100000, 80000 };
	unsigned same = 0;
	unsigned last = 2;

	for (unsigned i = 0; i < 10 * TUNER_ROUND; i++) {
		const unsigned way = tuner_choose(&tuner, &turns);

		same = way == last ? same + 1 : 0;
		last = way;
		times[way] += i >= 9 * TUNER_ROUND;
		tuner_took(way, same < TUNER_WARM ? cold[way] : warm[way],
			   1 << 20);
	}
	ck_assert_uint_eq(times[0], TUNER_TRIAL);
}
END_TEST

/* A known cost is seldom written, for others read it. */
START_TEST(test_seldom)
{
	static const uint64_t ticks[2] = { 80000, 100000 };
	unsigned n = 0;
	uint32_t before;

	tuner_do(TUNER_ROUND, ticks);
	for (unsigned i = 0; i < TUNER_ROUND; i++) {
		const unsigned way = tuner_choose(&tuner, &turns);

		before = tuner.cost[way];
		tuner_took(way, ticks[way] + i % 7 * 10000, 1 << 20);
		n += tuner.cost[way] != before;
	}
	ck_assert_uint_ge(n, TUNER_TRIAL);
	ck_assert_uint_le(n, TUNER_ROUND / TUNER_EVERY + 2 * TUNER_TRIAL);
}
END_TEST

/* A single long time changes nothing. */
START_TEST(test_outlier)
{
	const uint64_t ticks[2] = { 80000, 100000 };

	tuner_do(TUNER_TRIAL + 8 * TUNER_EVERY, ticks); /* the next counts */
	tuner_took(0, UINT64_MAX / 4096, 1 << 20);
	tuner_do(TUNER_ROUND / 4, ticks);
	ck_assert_uint_eq(times[1], 0);
}
END_TEST

/* Times too short or too long to be counted still count as something. */
START_TEST(test_extremes)
{
	tuner_took(0, 0, 1 << 20);
	tuner_took(1, UINT64_MAX / 4096, 1);
	ck_assert_uint_gt(tuner.cost[0], 0);
	ck_assert_uint_gt(tuner.cost[1], tuner.cost[0]);
	for (unsigned i = 0; i < 100; i++)
		tuner_took(1, UINT64_MAX / 4096, 1);
	ck_assert_uint_gt(tuner.cost[1], tuner.cost[0]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tuner");
	TCase *tcase = tcase_create("tuner");
	SRunner *runner;
	int failed;

	tcase_add_loop_test(tcase, test_better, 0, 2);
	tcase_add_loop_test(tcase, test_glance, 0, 2);
	tcase_add_loop_test(tcase, test_worse, 0, 2);
	tcase_add_loop_test(tcase, test_tried_again, 0, 2);
	tcase_add_test(tcase, test_unknown);
	tcase_add_loop_test(tcase, test_first, 0, 2);
	tcase_add_test(tcase, test_cold);
	tcase_add_test(tcase, test_seldom);
	tcase_add_test(tcase, test_outlier);
	tcase_add_test(tcase, test_extremes);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
