/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests which sizes mpib measures next. */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/mpib/mpib.h"

#define MOST 100

static double straight(int size)
{
	return 1 + size * 0.001;
}

/* A step, as where a protocol changes. */
static double stepped(int size)
{
	return straight(size) + (size > 5000 ? 20 : 0);
}

/* All sizes of a curve; how many. */
static int walk(struct mpib_sizes *sizes, double (*curve)(int), int *asked)
{
	int n = 0;
	int size;

	while ((size = mpib_sizes_next(sizes)) >= 0) {
		ck_assert_int_lt(n, MOST);
		for (int i = 0; i < n; i++)
			ck_assert_int_ne(asked[i], size);
		asked[n++] = size;
		mpib_sizes_tell(sizes, curve(size));
	}
	mpib_sizes_free(sizes);
	return n;
}

START_TEST(strides_are_even)
{
	const int expected[] = { 0, 300, 600, 900 };
	struct mpib_sizes *sizes;
	int asked[MOST];

	ck_assert_int_eq(mpib_sizes_strided(0, 1000, 300, &sizes), 0);
	ck_assert_int_eq(walk(sizes, stepped, asked), 4);
	ck_assert_int_eq(memcmp(asked, expected, sizeof(expected)), 0);
	ck_assert_int_eq(
		mpib_sizes_strided(INT_MAX - 1, INT_MAX, INT_MAX, &sizes), 0);
	ck_assert_int_eq(walk(sizes, straight, asked), 1);
}
END_TEST

static int rising(const void *one, const void *other)
{
	return *(const int *)one - *(const int *)other;
}

/* All of them once, in orders that differ by seed. */
START_TEST(sizes_are_shuffled)
{
	struct mpib_sizes *sizes;
	int orders[3][MOST];

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(mpib_sizes_strided(0, 49, 1, &sizes), 0);
		ck_assert_int_eq(mpib_sizes_shuffle(sizes, (uint64_t)i / 2), 0);
		ck_assert_int_eq(walk(sizes, stepped, orders[i]), 50);
	}
	ck_assert_int_eq(memcmp(orders[0], orders[1], 50 * sizeof(int)), 0);
	ck_assert_int_ne(memcmp(orders[0], orders[2], 50 * sizeof(int)), 0);
	qsort(orders[2], 50, sizeof(int), rising);
	for (int i = 0; i < 50; i++)
		ck_assert_int_eq(orders[2][i], i);
	ck_assert_int_ne(orders[0][0] + orders[0][1] + orders[0][2], 3);
	ck_assert_int_eq(mpib_sizes_adaptive(0, 100, 0.1, MOST, &sizes), 0);
	ck_assert_int_eq(mpib_sizes_shuffle(sizes, 1), -EINVAL);
	mpib_sizes_free(sizes);
}
END_TEST

START_TEST(a_line_takes_powers_of_two)
{
	const int expected[] = { 0, 1, 2, 4, 8, 16, 32, 64, 100 };
	struct mpib_sizes *sizes;
	int asked[MOST];

	ck_assert_int_eq(mpib_sizes_adaptive(0, 100, 0.05, MOST, &sizes), 0);
	ck_assert_int_eq(walk(sizes, straight, asked), 9);
	ck_assert_int_eq(memcmp(asked, expected, sizeof(expected)), 0);
	ck_assert_int_eq(mpib_sizes_adaptive(7, 7, 0.05, MOST, &sizes), 0);
	ck_assert_int_eq(walk(sizes, straight, asked), 1);
}
END_TEST

static int nearest(const int *asked, int n, int from, int step)
{
	int best = INT_MAX;

	for (int i = 0; i < n; i++)
		if ((asked[i] - from) * step > 0 && abs(asked[i] - from) < best)
			best = abs(asked[i] - from);
	return best;
}

/* Both sides of the step are known to a sixteenth. */
START_TEST(a_step_is_found)
{
	struct mpib_sizes *sizes;
	int asked[MOST];
	int n;

	ck_assert_int_eq(mpib_sizes_adaptive(1, 65536, 0.05, MOST, &sizes), 0);
	n = walk(sizes, stepped, asked);
	ck_assert_int_gt(n, 17);
	ck_assert_int_lt(n, 50);
	ck_assert_int_lt(nearest(asked, n, 5000, -1) +
				 nearest(asked, n, 5000, 1),
			 5000 / 16 + 2);
}
END_TEST

START_TEST(there_are_no_more_than_allowed)
{
	struct mpib_sizes *sizes;
	int asked[MOST];

	ck_assert_int_eq(mpib_sizes_adaptive(1, 65536, 0.05, 20, &sizes), 0);
	ck_assert_int_eq(walk(sizes, stepped, asked), 20);
	ck_assert_int_eq(mpib_sizes_adaptive(1, 65536, 0.05, 3, &sizes), 0);
	ck_assert_int_eq(walk(sizes, stepped, asked), 3);
	ck_assert_int_eq(asked[2], 65536);
}
END_TEST

START_TEST(arguments_make_sense)
{
	struct mpib_sizes *sizes;

	ck_assert_int_eq(mpib_sizes_strided(-1, 1, 1, &sizes), -EINVAL);
	ck_assert_int_eq(mpib_sizes_strided(2, 1, 1, &sizes), -EINVAL);
	ck_assert_int_eq(mpib_sizes_strided(1, 2, 0, &sizes), -EINVAL);
	ck_assert_int_eq(mpib_sizes_adaptive(2, 1, 1, 9, &sizes), -EINVAL);
	ck_assert_int_eq(mpib_sizes_adaptive(1, 2, 0, 9, &sizes), -EINVAL);
	ck_assert_int_eq(mpib_sizes_adaptive(1, 2, 1, 1, &sizes), -EINVAL);
	mpib_sizes_free(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sizes");
	TCase *tcase = tcase_create("sizes");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, strides_are_even);
	tcase_add_test(tcase, sizes_are_shuffled);
	tcase_add_test(tcase, a_line_takes_powers_of_two);
	tcase_add_test(tcase, a_step_is_found);
	tcase_add_test(tcase, there_are_no_more_than_allowed);
	tcase_add_test(tcase, arguments_make_sense);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
