/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests of benchmarks/mpib/circle.h: all pairs meet, in as few rounds as can
 * be.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/mpib/circle.h"

#define MOST 65

START_TEST(rounds_are_as_few_as_can_be)
{
	ck_assert_int_eq(circle_rounds(0), 0);
	ck_assert_int_eq(circle_rounds(1), 0);
	ck_assert_int_eq(circle_rounds(2), 1);
	ck_assert_int_eq(circle_rounds(3), 3);
	ck_assert_int_eq(circle_rounds(6), 5);
	ck_assert_int_eq(circle_rounds(10), 9);
}
END_TEST

START_TEST(partners_are_each_others)
{
	for (int n = 2; n < MOST; n++)
		for (int round = 0; round < circle_rounds(n); round++)
			for (int one = 0; one < n; one++) {
				const int other = circle_partner(n, round, one);

				if (other < 0)
					continue;
				ck_assert_int_lt(other, n);
				ck_assert_int_ne(other, one);
				ck_assert_int_eq(
					circle_partner(n, round, other), one);
			}
}
END_TEST

/* Only an odd number leaves somebody alone in a round. */
START_TEST(every_two_meet_once)
{
	static int met[MOST][MOST];

	for (int n = 2; n < MOST; n++) {
		memset(met, 0, sizeof(met));
		for (int round = 0; round < circle_rounds(n); round++) {
			int alone = 0;

			for (int one = 0; one < n; one++) {
				const int other = circle_partner(n, round, one);

				alone += other < 0;
				if (other >= 0)
					met[one][other]++;
			}
			ck_assert_int_eq(alone, n % 2);
		}
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				ck_assert_int_eq(met[i][j], i != j);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("circle");
	TCase *tcase = tcase_create("circle");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, rounds_are_as_few_as_can_be);
	tcase_add_test(tcase, partners_are_each_others);
	tcase_add_test(tcase, every_two_meet_once);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
