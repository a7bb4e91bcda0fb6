/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests of analyzer/diff/stats.h: medians, the test of Mann and Whitney,
 * intervals.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "analyzer/diff/stats.h"

#define CLOSE    1e-9
#define N(a)     (sizeof(a) / sizeof((a)[0]))
#define MW(a, b) stats_mann_whitney(a, N(a), b, N(b))

START_TEST(medians_are_in_the_middle)
{
	const double odd[] = { 9, 1, 5 };
	const double even[] = { 8, 2, 4, 1 };

	ck_assert_double_eq(stats_median(odd, 3), 5);
	ck_assert_double_eq(stats_median(even, 4), 3);
	ck_assert_double_eq(stats_median(odd, 1), 9);
	ck_assert_double_eq(odd[0], 9);
}
END_TEST

/* The numbers of arrangements are those of printed tables of U. */
START_TEST(small_samples_are_exact)
{
	const double a[] = { 1, 2, 3, 4 };
	const double apart[] = { 5, 6, 7, 8 };
	const double once[] = { 3.5, 6, 7, 8 };
	const double twice[] = { 2.5, 6, 7, 8 };
	const double five[] = { 5, 6, 7, 8, 9 };
	const double among[] = { 0.5, 2.5, 3.5, 4.5 };

	ck_assert_double_eq_tol(MW(a, apart), 2.0 / 70, CLOSE);
	ck_assert_double_eq_tol(MW(apart, a), 2.0 / 70, CLOSE);
	ck_assert_double_eq_tol(MW(a, once), 4.0 / 70, CLOSE);
	ck_assert_double_eq_tol(MW(a, twice), 8.0 / 70, CLOSE);
	ck_assert_double_eq_tol(MW(a, five), 2.0 / 126, CLOSE);
	/* U = 7 of 16: 31 of 70 arrangements have no more. */
	ck_assert_double_eq_tol(MW(a, among), 62.0 / 70, CLOSE);
}
END_TEST

/* 4 of the 252 arrangements of 5 and 5 runs have a U of 2 or less. */
START_TEST(sizes_need_not_be_small)
{
	const double a[] = { 1, 2, 3, 4, 5.5 };
	const double b[] = { 4.5, 5, 6, 7, 8 };
	double low[25];
	double high[25];

	ck_assert_double_eq_tol(MW(a, b), 8.0 / 252, CLOSE);
	for (int i = 0; i < 25; i++) {
		low[i] = i;
		high[i] = 25 + i;
	}
	/* 50 over 25 */
	ck_assert_double_eq_tol(MW(low, high) * 126410606437752.0, 2, 1e-6);
}
END_TEST

/*
 * U = 2.5, 16 pairs, ties of 2 and 3.  The variance is 16 / 12 * (9 - 30 / 56),
 * z = (8 - 2.5 - 0.5) / 3.359422 = 1.488351.
 */
START_TEST(ties_are_corrected)
{
	const double a[] = { 1, 2, 3, 5 };
	const double b[] = { 3, 5, 5, 8 };
	const double same[] = { 4, 4, 4, 4 };

	ck_assert_double_eq_tol(MW(a, b), 0.1366582, 1e-6);
	ck_assert_double_eq_tol(MW(b, a), 0.1366582, 1e-6);
	ck_assert_double_eq_tol(MW(same, same), 1, CLOSE);
}
END_TEST

/* The approximation alone would say 0.047. */
START_TEST(no_p_is_less_than_can_be)
{
	const double a[] = { 1, 1, 1 };
	const double b[] = { 2, 2, 2 };

	ck_assert_double_eq_tol(stats_least_p(1, 1), 1, CLOSE);
	ck_assert_double_eq_tol(stats_least_p(3, 3), 0.1, CLOSE);
	ck_assert_double_eq_tol(stats_least_p(3, 5), 2.0 / 56, CLOSE);
	ck_assert_double_eq_tol(stats_least_p(4, 4), 2.0 / 70, CLOSE);
	ck_assert_double_eq_tol(MW(a, b), 0.1, CLOSE);
}
END_TEST

START_TEST(ratios_have_an_interval)
{
	const double a[] = { 10, 10.1, 9.9, 10.05 };
	const double b[] = { 20, 20.2, 19.8, 20.1 };
	const double none[] = { 0, 1, 2, 3 };
	double low[2];
	double high[2];

	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(stats_ratio(a, 4, b, 4, &low[i], &high[i]), 0);
	ck_assert_double_lt(low[0], 2);
	ck_assert_double_gt(low[0], 19.8 / 10.1 - CLOSE);
	ck_assert_double_gt(high[0], 2);
	ck_assert_double_lt(high[0], 20.2 / 9.9 + CLOSE);
	ck_assert_double_eq(low[0], low[1]);
	ck_assert_double_eq(high[0], high[1]);
	ck_assert_int_eq(stats_ratio(none, 4, b, 4, &low[0], &high[0]), -EDOM);
	ck_assert_double_eq(low[0], low[1]);
}
END_TEST

static Suite *stats_suite(void)
{
	Suite *suite = suite_create("stats");
	TCase *tcase = tcase_create("all");

	tcase_add_test(tcase, medians_are_in_the_middle);
	tcase_add_test(tcase, small_samples_are_exact);
	tcase_add_test(tcase, sizes_need_not_be_small);
	tcase_add_test(tcase, ties_are_corrected);
	tcase_add_test(tcase, no_p_is_less_than_can_be);
	tcase_add_test(tcase, ratios_have_an_interval);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(stats_suite());
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
