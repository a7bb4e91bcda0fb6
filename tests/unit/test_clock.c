/* SPDX-License-Identifier: BSD-3-Clause */
#include <check.h>
#include <stdlib.h>
#include <unistd.h>

#include "mds/base/clock.h"

#define SLEEP_US 50000

/* Ticks of the chosen clock, as ns, beside the system's. */
static void run_beside_system(void)
{
	uint64_t ticks[2];
	uint64_t ns[2];
	double ratio;

	clock_pair(&ticks[0], &ns[0]);
	usleep(SLEEP_US);
	clock_calibrate();
	clock_pair(&ticks[1], &ns[1]);
	ck_assert_uint_gt(ticks[1], ticks[0]);
	ratio = (double)clock_to_ns(ticks[1] - ticks[0]) /
		(double)(ns[1] - ns[0]);
	ck_assert_double_gt(ratio, 0.99);
	ck_assert_double_lt(ratio, 1.01);
}

START_TEST(test_chosen)
{
	clock_start();
	run_beside_system();
}
END_TEST

/* The processor's counter, also where the kernel does not use it. */
START_TEST(test_counter)
{
	const uint64_t before = cpu_counter();

	if (!cpu_counter_even())
		return;
	usleep(SLEEP_US);
	ck_assert_uint_gt(cpu_counter(), before);
	clock_start();
	if (clock_self.counter) {
		ck_assert_str_eq(clock_name(), CPU_COUNTER);
		return;
	}
	ck_assert_str_eq(clock_name(), "monotonic");
}
END_TEST

START_TEST(test_counter_hz)
{
	uint64_t ticks;
	uint64_t ns;

	if (!cpu_counter_even())
		return;
	ticks = cpu_counter();
	ns = clock_monotonic_ns();
	usleep(SLEEP_US);
	ticks = cpu_counter() - ticks;
	ns = clock_monotonic_ns() - ns;
	/* Between 1 MHz and 10 GHz. */
	ck_assert_uint_gt(ticks, ns / 1000);
	ck_assert_uint_lt(ticks, ns * 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock");
	TCase *tests = tcase_create("clock");
	SRunner *runner;
	int n_failed;

	tcase_add_test(tests, test_chosen);
	tcase_add_test(tests, test_counter);
	tcase_add_test(tests, test_counter_hz);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	n_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n_failed != 0;
}
