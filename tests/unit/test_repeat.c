/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of benchmarks/mpib/repeat.h: when repetitions end. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "benchmarks/mpib/repeat.h"
#include "benchmarks/mpib/sample.h"

#define CLOSE 1e-3

static struct mpib_rules rules(int min_reps, int max_reps, double error)
{
	struct mpib_rules made = mpib_rules_usual;

	made.min_reps = min_reps;
	made.max_reps = max_reps;
	made.error = error;
	return made;
}

/* Runs what it says, each `seconds` or half as much again; how many in all. */
static int runs(const struct mpib_rules *by, double seconds)
{
	struct repeat repeat;
	double elapsed = 0;
	int done = 0;
	int n;

	ck_assert_int_eq(repeat_begin(&repeat, by), 0);
	while ((n = repeat_next(&repeat, elapsed)) > 0)
		for (int i = 0; i < n; i++) {
			const double one = seconds * (done++ % 2 ? 1.5 : 1);

			elapsed += one;
			repeat_add(&repeat, one);
		}
	ck_assert_int_eq(repeat.n, done);
	repeat_end(&repeat);
	return done;
}

/* Printed tables: 12.706, 2.776 and 2.093 for 1, 4 and 19 degrees of freedom.
 */
START_TEST(intervals_are_two_sided)
{
	const double two[] = { 1, 2 };
	const double five[] = { 1, 2, 3, 4, 5 };
	double twenty[20];

	ck_assert_double_eq_tol(sample_error(two, 2, 0.95),
				12.706 * sqrt(0.5 / 2), CLOSE);
	ck_assert_double_eq_tol(sample_error(five, 5, 0.95),
				2.776 * sqrt(2.5 / 5), CLOSE);
	ck_assert_double_eq_tol(sample_error(five, 5, 0.99),
				4.604 * sqrt(2.5 / 5), CLOSE);
	for (int i = 0; i < 20; i++)
		twenty[i] = i % 2;
	ck_assert_double_eq_tol(sample_error(twenty, 20, 0.95),
				2.093 * sqrt(5.0 / 19 / 20), CLOSE);
	ck_assert(isinf(sample_error(two, 1, 0.95)));
}
END_TEST

START_TEST(medians_bear_outliers)
{
	const double samples[] = { 5, 1, 4, 2, 3, 2, 4, 3, 1000 };
	struct mpib_result result;

	ck_assert_int_eq(sample_median(samples, 9, 0.95, 1, &result), 0);
	ck_assert_double_eq(result.median, 3);
	ck_assert_double_eq(result.least, 1);
	ck_assert_double_eq(result.most, 1000);
	ck_assert_double_ge(result.low, 1);
	ck_assert_double_le(result.low, 3);
	ck_assert_double_ge(result.high, 3);
	ck_assert_double_le(result.high, 5);
}
END_TEST

START_TEST(resampling_goes_by_its_seed)
{
	struct mpib_result results[3];
	double samples[30];
	int differ = 0;

	for (int i = 0; i < 30; i++)
		samples[i] = (i * 7919) % 31;
	for (unsigned seed = 1; seed < 20; seed++) {
		sample_median(samples, 30, 0.95, seed, &results[0]);
		sample_median(samples, 30, 0.95, seed, &results[1]);
		sample_median(samples, 30, 0.95, seed + 1, &results[2]);
		ck_assert_double_eq(results[0].low, results[1].low);
		ck_assert_double_eq(results[0].high, results[1].high);
		differ += results[0].low != results[2].low ||
			  results[0].high != results[2].high;
	}
	ck_assert_int_gt(differ, 0);
}
END_TEST

START_TEST(equal_bounds_fix_the_number)
{
	const struct mpib_rules fixed = rules(7, 7, 10);
	const struct mpib_rules once = rules(1, 1, 0);

	ck_assert_int_eq(runs(&fixed, 1e-6), 7);
	ck_assert_int_eq(runs(&once, 1e-6), 1);
}
END_TEST

/* Half a step about 1.25: 0.05 of it takes some 60. */
START_TEST(an_error_ends_them)
{
	const struct mpib_rules wide = rules(10, 1000, 0.5);
	const struct mpib_rules close = rules(10, 1000, 0.05);
	const struct mpib_rules none = rules(10, 1000, 0);
	const struct mpib_rules few = rules(10, 20, 0.0001);

	ck_assert_int_eq(runs(&wide, 1e-6), 10);
	ck_assert_int_ge(runs(&close, 1e-6), 62);
	ck_assert_int_le(runs(&close, 1e-6), 90);
	ck_assert_int_eq(runs(&none, 1e-6), 1000);
	ck_assert_int_eq(runs(&few, 1e-6), 20);
}
END_TEST

/* At 1.25 s each: what it takes is no more than one too many. */
START_TEST(a_budget_ends_them)
{
	struct mpib_rules by = rules(4, 1000, 0);
	struct repeat repeat;

	by.budget = 100;
	ck_assert_int_ge(runs(&by, 1), 80);
	ck_assert_int_le(runs(&by, 1), 82);
	by.budget = 1;
	ck_assert_int_eq(runs(&by, 1), 4);
	ck_assert_int_eq(repeat_begin(&repeat, &by), 0);
	for (int i = 0; i < 4; i++)
		repeat_add(&repeat, 0.25);
	ck_assert_int_eq(repeat_next(&repeat, 0.5), 2);
	ck_assert_int_eq(repeat_next(&repeat, 1), 0);
	repeat_end(&repeat);
}
END_TEST

/* A missed repetition costs its own time. */
START_TEST(missed_ones_do_not_count)
{
	const struct mpib_rules by = rules(4, 4, 0);
	struct mpib_result result;
	struct repeat repeat;

	ck_assert_int_eq(repeat_begin(&repeat, &by), 0);
	ck_assert_int_eq(repeat_next(&repeat, 0), 4);
	repeat_add(&repeat, NAN);
	ck_assert_int_eq(repeat_result(&repeat, 1, &result), -ETIME);
	repeat_add(&repeat, 2);
	repeat_add(&repeat, 4);
	repeat_add(&repeat, NAN);
	ck_assert_int_eq(repeat_next(&repeat, 0), 0);
	ck_assert_int_eq(repeat_result(&repeat, 1, &result), 0);
	ck_assert_int_eq(result.reps, 2);
	ck_assert_int_eq(result.missed, 2);
	ck_assert_double_eq(result.mean, 3);
	ck_assert_double_eq(result.cost, 1);
	repeat_end(&repeat);
}
END_TEST

START_TEST(rules_make_sense)
{
	struct mpib_rules by[] = { rules(0, 1, 0), rules(2, 1, 0),
				   rules(1, 1, -1), rules(1, 1, 0),
				   rules(1, 1, 0) };
	struct repeat repeat;

	by[3].confidence = 1;
	by[4].budget = -1;
	for (size_t i = 0; i < sizeof(by) / sizeof(by[0]); i++)
		ck_assert_int_eq(repeat_begin(&repeat, &by[i]), -EINVAL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("repeat");
	TCase *tcase = tcase_create("repeat");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, intervals_are_two_sided);
	tcase_add_test(tcase, medians_bear_outliers);
	tcase_add_test(tcase, resampling_goes_by_its_seed);
	tcase_add_test(tcase, equal_bounds_fix_the_number);
	tcase_add_test(tcase, an_error_ends_them);
	tcase_add_test(tcase, a_budget_ends_them);
	tcase_add_test(tcase, missed_ones_do_not_count);
	tcase_add_test(tcase, rules_make_sense);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
