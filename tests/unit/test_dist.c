/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of analyzer/base/dist.h: distributions made of histograms. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyzer/base/dist.h"
#include "analyzer/run/tally.h"
#include "mds/base/hist.h"

static struct dist dist;

static void setup(void)
{
	dist = (struct dist){ 0 };
}

static void teardown(void)
{
	dist_clear(&dist);
}

START_TEST(sums_do_not_wrap)
{
	ck_assert_uint_eq(sat_add(1, 2), 3);
	ck_assert_uint_eq(sat_add(UINT64_MAX, 1), UINT64_MAX);
	dist_add(&dist, 8, 9, UINT64_MAX);
	dist_add(&dist, 8, 9, 5);
	ck_assert_uint_eq(dist.count, UINT64_MAX);
	ck_assert_uint_eq(dist.buckets[0].count, UINT64_MAX);
}
END_TEST

START_TEST(buckets_are_sorted_and_put_together)
{
	dist_add(&dist, 512, 575, 1);
	dist_add(&dist, 64, 71, 2);
	dist_add(&dist, 512, 575, 3);
	dist_add(&dist, 0, 0, 4);
	ck_assert_uint_eq(dist.n, 3);
	ck_assert_uint_eq(dist.count, 10);
	ck_assert_uint_eq(dist.buckets[0].low, 0);
	ck_assert_uint_eq(dist.buckets[1].count, 2);
	ck_assert_uint_eq(dist.buckets[2].low, 512);
	ck_assert_uint_eq(dist.buckets[2].count, 4);
}
END_TEST

START_TEST(what_is_no_bucket_is_left_out)
{
	dist_add(&dist, 9, 8, 1);
	dist_add(&dist, 8, 9, 0);
	ck_assert_uint_eq(dist.n, 0);
	ck_assert_uint_eq(dist_percentile(&dist, 50, 0, 100), 0);
}
END_TEST

/* However many different buckets a file makes up. */
START_TEST(there_are_never_very_many_buckets)
{
	for (uint64_t low = 0; low < 100000; low++)
		dist_add(&dist, low * 1000003, UINT64_MAX, 1);
	ck_assert_uint_le(dist.n, 64 << HIST_BITS_MAX);
	ck_assert_uint_eq(dist.count, 100000);
}
END_TEST

/* Half a bucket at each resolution: what the report states. */
START_TEST(percentiles_are_within_the_stated_error)
{
	const double error = 1.0 / (2 << _i);

	for (uint64_t value = 1000; value <= 2000; value++) {
		const unsigned bucket = hist_bucket(value, (unsigned)_i);

		dist_add(&dist, hist_low(bucket, (unsigned)_i),
			 hist_low(bucket + 1, (unsigned)_i) - 1, 1);
	}
	for (int percent = 1; percent < 100; percent++) {
		const double is = 1000 + 10.0 * percent;
		const double told = (double)dist_percentile(&dist, percent,
							    1000, 2000);

		ck_assert_double_le(told, is * (1 + error) + 1);
		ck_assert_double_ge(told, is * (1 - error) - 1);
	}
}
END_TEST

START_TEST(percentiles_stay_between_min_and_max)
{
	dist_add(&dist, 1024, 2047, 10);
	ck_assert_uint_eq(dist_percentile(&dist, 50, 1100, 1200), 1200);
	ck_assert_uint_eq(dist_percentile(&dist, 50, 1600, 1700), 1600);
}
END_TEST

/* Rows of one rank count as one: it is ranks that are compared. */
START_TEST(tally_knows_who_spent_most)
{
	static const struct {
		uint64_t rank;
		uint64_t time;
	} rows[] = { { 4, 10 }, { 4, 10 }, { 5, 15 }, { 6, 8 }, { 6, 8 } };
	struct tally tally = { 0 };

	for (size_t i = 0; i < 5; i++)
		tally_add(&tally, rows[i].rank,
			  &(struct tally){ .count = 1,
					   .time = rows[i].time,
					   .min = 1 + i,
					   .max = 10 - i });
	tally_close(&tally);
	ck_assert_uint_eq(tally.ranks, 3);
	ck_assert_uint_eq(tally.most_rank, 4);
	ck_assert_uint_eq(tally.most_time, 20);
	ck_assert_uint_eq(tally.least_rank, 5);
	ck_assert_uint_eq(tally.least_time, 15);
	ck_assert_uint_eq(tally.min, 1);
	ck_assert_uint_eq(tally.max, 10);
	ck_assert_uint_eq(tally.time, 51);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dist");
	TCase *tcase = tcase_create("dist");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, sums_do_not_wrap);
	tcase_add_test(tcase, buckets_are_sorted_and_put_together);
	tcase_add_test(tcase, what_is_no_bucket_is_left_out);
	tcase_add_test(tcase, there_are_never_very_many_buckets);
	tcase_add_loop_test(tcase, percentiles_are_within_the_stated_error, 0,
			    HIST_BITS_MAX + 1);
	tcase_add_test(tcase, percentiles_stay_between_min_and_max);
	tcase_add_test(tcase, tally_knows_who_spent_most);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
