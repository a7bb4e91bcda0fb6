/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cores of a process, by control groups of both versions that a test lays
 * out.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pmpi-shim/job/cores.h"

/* The folder in which a test lays out what the kernel would show. */
static char root[64];

static void setup(void)
{
	strcpy(root, "/tmp/test_cores.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	ck_assert_int_eq(system(command), 0);
}

static void make_folders(char *path)
{
	for (char *c = strchr(path + 1, '/'); c; c = strchr(c + 1, '/')) {
		*c = '\0';
		ck_assert(mkdir(path, 0755) == 0 || errno == EEXIST);
		*c = '/';
	}
}

static void put(const char *file, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, file);
	make_folders(path);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

static void in_groups(const char *lines)
{
	put("proc/self/cgroup", lines);
}

/* Version 2: one tree; "" is its root. */
static void limit(const char *group, const char *text)
{
	char file[256];

	snprintf(file, sizeof(file), "sys/fs/cgroup%s/cpu.max", group);
	put(file, text);
}

/* Version 1: a tree of the controller's own. */
static void limit_v1(const char *group, const char *quota, const char *period)
{
	char file[256];

	snprintf(file, sizeof(file), "sys/fs/cgroup/cpu%s/cpu.cfs_quota_us",
		 group);
	put(file, quota);
	snprintf(file, sizeof(file), "sys/fs/cgroup/cpu%s/cpu.cfs_period_us",
		 group);
	put(file, period);
}

START_TEST(without_groups)
{
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	in_groups("");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	in_groups("0::/\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	ck_assert_uint_eq(cores_quota("/nowhere"), UINT_MAX);
}
END_TEST

START_TEST(a_group)
{
	in_groups("0::/job\n");
	limit("/job", "150000 100000\n");
	ck_assert_uint_eq(cores_quota(root), 1500);
	limit("/job", "max 100000\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	limit("/job", "25000 50000\n");
	ck_assert_uint_eq(cores_quota(root), 500);
}
END_TEST

START_TEST(all_above_a_group_count)
{
	in_groups("0::/a/b/c\n");
	limit("/a/b/c", "400000 100000\n");
	limit("/a/b", "300000 100000\n");
	limit("/a", "max 100000\n");
	ck_assert_uint_eq(cores_quota(root), 3000);
	limit("/a", "200000 100000\n");
	ck_assert_uint_eq(cores_quota(root), 2000);
	limit("/a/b/c", "100000 100000\n");
	ck_assert_uint_eq(cores_quota(root), 1000);
	limit("/a/bb", "1000 100000\n");
	ck_assert_uint_eq(cores_quota(root), 1000);
}
END_TEST

/* In a container its own group looks like the root, or is named in full. */
START_TEST(the_root_counts)
{
	limit("", "250000 100000\n");
	in_groups("0::/\n");
	ck_assert_uint_eq(cores_quota(root), 2500);
	in_groups("0::/docker/not-to-be-seen-here\n");
	ck_assert_uint_eq(cores_quota(root), 2500);
	in_groups("0::/a\n");
	ck_assert_uint_eq(cores_quota(root), 2500);
}
END_TEST

START_TEST(version_1)
{
	in_groups("4:memory:/\n3:cpu,cpuacct:/job/step\n1:name=systemd:/\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	limit_v1("/job/step", "-1\n", "100000\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	limit_v1("/job/step", "50000\n", "20000\n");
	ck_assert_uint_eq(cores_quota(root), 2500);
	limit_v1("/job", "175000\n", "100000\n");
	ck_assert_uint_eq(cores_quota(root), 1750);
	limit_v1("", "30000\n", "100000\n");
	ck_assert_uint_eq(cores_quota(root), 300);
}
END_TEST

/* A group of these names says nothing about the time on cores. */
START_TEST(other_controllers)
{
	limit_v1("/job", "50000\n", "100000\n");
	in_groups("4:cpuset:/job\n3:cpuacct:/job\n2:name=cpu:/job\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	in_groups("4:cpuacct,cpu:/job\n");
	ck_assert_uint_eq(cores_quota(root), 500);
}
END_TEST

START_TEST(both_versions)
{
	in_groups("3:cpu:/one\n0::/two\n");
	limit_v1("/one", "300000\n", "100000\n");
	limit("/two", "400000 100000\n");
	ck_assert_uint_eq(cores_quota(root), 3000);
	limit("/two", "200000 100000\n");
	ck_assert_uint_eq(cores_quota(root), 2000);
}
END_TEST

START_TEST(the_least_and_the_most)
{
	in_groups("0::/job\n");
	limit("/job", "1 1000000\n");
	ck_assert_uint_eq(cores_quota(root), 1);
	limit("/job", "9223372036854775807 100000\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	limit("/job", "9000000000000000 1\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
}
END_TEST

static void told_to_go_by_sessions(const char *text)
{
	put("proc/sys/kernel/sched_autogroup_enabled", text);
}

START_TEST(by_sessions_if_told_to)
{
	in_groups("0::/\n");
	ck_assert(!cores_go_by_session(root));
	told_to_go_by_sessions("1\n");
	ck_assert(cores_go_by_session(root));
	told_to_go_by_sessions("0\n");
	ck_assert(!cores_go_by_session(root));
}
END_TEST

/* Groups above count, but not the root of all, which has no weight. */
START_TEST(not_by_sessions_in_a_group)
{
	told_to_go_by_sessions("1\n");
	in_groups("0::/a/b\n");
	limit("/a", "max 100000\n");
	ck_assert(cores_go_by_session(root));
	put("sys/fs/cgroup/a/cpu.weight", "100\n");
	ck_assert(!cores_go_by_session(root));
	in_groups("0::/b\n");
	ck_assert(cores_go_by_session(root));
	put("sys/fs/cgroup/cpu.weight", "100\n");
	ck_assert(!cores_go_by_session(root));
}
END_TEST

/* Here the root has shares as well; only its folder has the agent. */
START_TEST(not_by_sessions_in_version_1)
{
	told_to_go_by_sessions("1\n");
	in_groups("4:memory:/job\n3:cpu,cpuacct:/\n");
	put("sys/fs/cgroup/cpu/release_agent", "\n");
	put("sys/fs/cgroup/cpu/cpu.shares", "1024\n");
	ck_assert(cores_go_by_session(root));
	in_groups("4:memory:/\n3:cpu,cpuacct:/job\n");
	ck_assert(cores_go_by_session(root));
	put("sys/fs/cgroup/cpu/job/cpu.shares", "1024\n");
	ck_assert(!cores_go_by_session(root));
}
END_TEST

static const char *const nonsense[] = {
	"",
	"\n",
	"100000\n",
	"-1 100000\n",
	"0 100000\n",
	"100000 0\n",
	"100000 -1\n",
	"much 100000\n",
	"100000 much\n",
};

START_TEST(nonsense_is_no_limit)
{
	in_groups("0::/job\n");
	limit("/job", nonsense[_i]);
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
}
END_TEST

START_TEST(nonsense_in_version_1)
{
	in_groups("3:cpu:/job\n");
	limit_v1("/job", "much\n", "100000\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	limit_v1("/job", "100000\n", "\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	limit_v1("/job", "100000\n", "0\n");
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
}
END_TEST

static const char *const odd_lines[] = {
	"0::job\n", "0:\n", "0\n",      ":\n",
	"::\n",     "\n\n", "0:/job\n", "cpu:/job\n",
};

START_TEST(odd_lines_are_passed_over)
{
	char lines[64];

	limit("/job", "100000 100000\n");
	limit_v1("/job", "100000\n", "100000\n");
	put("sys/fs/cgroupjob/cpu.max", "50000 100000");
	in_groups(odd_lines[_i]);
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	snprintf(lines, sizeof(lines), "%s0::/job", odd_lines[_i]);
	in_groups(lines);
	ck_assert_uint_eq(cores_quota(root), 1000);
}
END_TEST

START_TEST(a_path_that_is_too_long)
{
	static char lines[3 * PATH_MAX];

	limit("", "100000 100000\n");
	strcpy(lines, "0::/");
	memset(lines + 4, 'x', PATH_MAX);
	strcpy(lines + 4 + PATH_MAX, "\n");
	in_groups(lines);
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
	memset(lines + 4, 'x', sizeof(lines) - 5);
	in_groups(lines);
	ck_assert_uint_eq(cores_quota(root), UINT_MAX);
}
END_TEST

START_TEST(cores_are_counted)
{
	struct cores cores = { .quota = UINT_MAX };

	ck_assert_uint_eq(cores_millicores(&cores), 1);
	cores.mask[0] = 0x05;
	ck_assert_uint_eq(cores_millicores(&cores), 2000);
	cores.mask[CORES_MAX / 8 - 1] = 0x80;
	ck_assert_uint_eq(cores_millicores(&cores), 3000);
	memset(cores.mask, 0xff, sizeof(cores.mask));
	ck_assert_uint_eq(cores_millicores(&cores), CORES_MAX * 1000);
}
END_TEST

START_TEST(the_smaller_limit_holds)
{
	struct cores cores = { .mask = { 0x0f }, .quota = 1500 };

	ck_assert_uint_eq(cores_millicores(&cores), 1500);
	cores.quota = 4000;
	ck_assert_uint_eq(cores_millicores(&cores), 4000);
	cores.quota = 8000;
	ck_assert_uint_eq(cores_millicores(&cores), 4000);
}
END_TEST

/* The last core that we have, since the first may be what is there anyhow. */
static int pin_to_last(cpu_set_t *before)
{
	int last = CPU_SETSIZE - 1;
	cpu_set_t one;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(*before), before), 0);
	while (!CPU_ISSET(last, before))
		last--;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	return last;
}

START_TEST(the_mask_of_this_thread)
{
	struct cores cores;
	cpu_set_t before;
	int last;

	memset(&cores, 0xff, sizeof(cores));
	last = pin_to_last(&before);
	cores_mine(&cores);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(before), &before), 0);
	for (int i = 0; i < CORES_MAX; i++)
		ck_assert_int_eq(cores.mask[i / 8] >> i % 8 & 1, i == last);
	ck_assert_uint_eq(cores.quota, cores_quota(""));
	ck_assert_uint_le(cores_millicores(&cores), 1000);
}
END_TEST

static TCase *quotas(void)
{
	TCase *tcase = tcase_create("quotas");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, without_groups);
	tcase_add_test(tcase, a_group);
	tcase_add_test(tcase, all_above_a_group_count);
	tcase_add_test(tcase, the_root_counts);
	tcase_add_test(tcase, version_1);
	tcase_add_test(tcase, other_controllers);
	tcase_add_test(tcase, both_versions);
	tcase_add_test(tcase, the_least_and_the_most);
	tcase_add_test(tcase, by_sessions_if_told_to);
	tcase_add_test(tcase, not_by_sessions_in_a_group);
	tcase_add_test(tcase, not_by_sessions_in_version_1);
	tcase_add_loop_test(tcase, nonsense_is_no_limit, 0,
			    sizeof(nonsense) / sizeof(nonsense[0]));
	tcase_add_test(tcase, nonsense_in_version_1);
	tcase_add_loop_test(tcase, odd_lines_are_passed_over, 0,
			    sizeof(odd_lines) / sizeof(odd_lines[0]));
	tcase_add_test(tcase, a_path_that_is_too_long);
	return tcase;
}

static TCase *masks(void)
{
	TCase *tcase = tcase_create("masks");

	tcase_add_test(tcase, cores_are_counted);
	tcase_add_test(tcase, the_smaller_limit_holds);
	tcase_add_test(tcase, the_mask_of_this_thread);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("cores");
	SRunner *runner;
	int failed;

	suite_add_tcase(suite, quotas());
	suite_add_tcase(suite, masks());
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
