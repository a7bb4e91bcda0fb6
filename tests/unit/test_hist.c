/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of mds/base/hist.h: the bounds and counts of buckets. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#include "mds/base/hist.h"

/* The greatest value of a bucket. */
static uint64_t high(unsigned bucket, unsigned bits)
{
	return hist_low(bucket + 1, bits) - 1;
}

START_TEST(buckets_follow_without_gap_or_overlap)
{
	const unsigned bits = (unsigned)_i;
	const unsigned last = hist_bucket(UINT64_MAX, bits);

	ck_assert_uint_eq(hist_low(0, bits), 0);
	for (unsigned b = 0; b <= last; b++) {
		ck_assert_uint_eq(hist_bucket(hist_low(b, bits), bits), b);
		if (b == last)
			break;
		ck_assert_uint_lt(hist_low(b, bits), hist_low(b + 1, bits));
		ck_assert_uint_eq(hist_bucket(high(b, bits), bits), b);
	}
}
END_TEST

START_TEST(the_last_bucket_ends_at_the_greatest_value)
{
	const unsigned bits = (unsigned)_i;
	const unsigned last = hist_bucket(UINT64_MAX, bits);

	ck_assert_uint_eq(last, (65 - bits) * (1u << bits) - 1);
	ck_assert_uint_eq(high(last, bits), UINT64_MAX);
}
END_TEST

START_TEST(a_bucket_is_narrow)
{
	const unsigned bits = (unsigned)_i;
	const unsigned last = hist_bucket(UINT64_MAX, bits);
	uint64_t low;

	for (unsigned b = 1; b < last; b++) {
		low = hist_low(b, bits);
		ck_assert_uint_le(high(b, bits) - low, low >> bits);
		if (low < 1u << bits)
			ck_assert_uint_eq(high(b, bits), low);
	}
}
END_TEST

/* Around each power of two and each step within: where an error would be. */
START_TEST(a_value_lies_in_its_bucket)
{
	const unsigned bits = (unsigned)_i;
	unsigned bucket;
	unsigned before;

	for (int power = 0; power < 64; power++) {
		for (int off = -33; off <= 33; off++) {
			const uint64_t value = (UINT64_C(1) << power) +
					       (uint64_t)off;

			bucket = hist_bucket(value, bits);
			ck_assert_uint_le(hist_low(bucket, bits), value);
			if (bucket < hist_bucket(UINT64_MAX, bits))
				ck_assert_uint_ge(high(bucket, bits), value);
			before = value ? hist_bucket(value - 1, bits) : 0;
			ck_assert_uint_le(bucket - before, 1);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("hist");
	TCase *tcase = tcase_create("hist");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, buckets_follow_without_gap_or_overlap, 0,
			    HIST_BITS_MAX + 1);
	tcase_add_loop_test(tcase, the_last_bucket_ends_at_the_greatest_value,
			    0, HIST_BITS_MAX + 1);
	tcase_add_loop_test(tcase, a_bucket_is_narrow, 0, HIST_BITS_MAX + 1);
	tcase_add_loop_test(tcase, a_value_lies_in_its_bucket, 0,
			    HIST_BITS_MAX + 1);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
