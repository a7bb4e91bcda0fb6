/* SPDX-License-Identifier: BSD-3-Clause */

/* Energy from a folder of files like that of Linux. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmarks/power/rapl.h"

static char root[] = "/tmp/test_rapl.XXXXXX";

static void put(const char *zone, const char *file, const char *text)
{
	char path[256];
	FILE *to;

	snprintf(path, sizeof(path), "%s/%s", root, zone);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/%s", root, zone, file);
	to = fopen(path, "w");
	ck_assert_ptr_nonnull(to);
	fputs(text, to);
	ck_assert_int_eq(fclose(to), 0);
}

static void zone(const char *zone, const char *name, const char *energy)
{
	put(zone, "name", name);
	put(zone, "max_energy_range_uj", "1000\n");
	put(zone, "energy_uj", energy);
}

static void setup(void)
{
	strcpy(root, "/tmp/test_rapl.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}

static uint64_t energy_of(struct rapl *rapl)
{
	uint64_t energy = 0;

	ck_assert_msg(rapl_read(rapl, &energy) == 0, "%s", rapl->fault);
	return energy;
}

START_TEST(counters_add_up_and_wrap)
{
	struct rapl rapl;

	zone("intel-rapl:0", "package-0\n", "900\n");
	zone("intel-rapl:1", "package-1\n", "10\n");
	zone("intel-rapl:0:2", "dram\n", "5\n");
	ck_assert_int_eq(rapl_open(&rapl, root), 0);
	ck_assert_int_eq(rapl.n, 3);
	ck_assert_uint_eq(energy_of(&rapl), 0);
	put("intel-rapl:0", "energy_uj", "40\n");
	put("intel-rapl:1", "energy_uj", "17\n");
	put("intel-rapl:0:2", "energy_uj", "8\n");
	ck_assert_uint_eq(energy_of(&rapl), 140 + 7 + 3);
	put("intel-rapl:1", "energy_uj", "16\n");
	ck_assert_uint_eq(energy_of(&rapl), 999);
	rapl_close(&rapl);
}
END_TEST

/* The core is in its package, psys has all, and mmio shows the same again. */
START_TEST(nothing_counts_twice)
{
	struct rapl rapl;

	zone("intel-rapl:0", "package-0\n", "0\n");
	zone("intel-rapl:0:0", "core\n", "0\n");
	zone("intel-rapl:2", "psys\n", "0\n");
	zone("intel-rapl-mmio:0", "package-0\n", "0\n");
	ck_assert_int_eq(rapl_open(&rapl, root), 0);
	ck_assert_int_eq(rapl.n, 1);
	rapl_close(&rapl);
}
END_TEST

START_TEST(what_is_lacking_is_told)
{
	struct rapl rapl;
	uint64_t energy;

	ck_assert_int_eq(rapl_open(&rapl, "/none"), -ENODEV);
	ck_assert_ptr_nonnull(strstr(rapl.fault, "/none: "));
	ck_assert_int_eq(rapl_open(&rapl, root), -ENODEV);
	put("intel-rapl:0", "name", "package-0\n");
	ck_assert_int_eq(rapl_open(&rapl, root), -ENOENT);
	ck_assert_ptr_nonnull(strstr(rapl.fault, "max_energy_range_uj: No"));
	zone("intel-rapl:0", "package-0\n", "1e9\n");
	ck_assert_int_eq(rapl_open(&rapl, root), -EINVAL);
	ck_assert_ptr_nonnull(strstr(rapl.fault, "energy_uj: '1e9' is no"));
	put("intel-rapl:0", "energy_uj", "1\n");
	ck_assert_int_eq(rapl_open(&rapl, root), 0);
	put("intel-rapl:0", "energy_uj", "");
	ck_assert_int_eq(rapl_read(&rapl, &energy), -ENODATA);
	rapl_close(&rapl);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("rapl");
	Suite *suite = suite_create("rapl");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, counters_add_up_and_wrap);
	tcase_add_test(tcase, nothing_counts_twice);
	tcase_add_test(tcase, what_is_lacking_is_told);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
