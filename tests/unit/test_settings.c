/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of mds/settings/settings.h: values, defaults and warnings. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/emds/emds.h"
#include "mds/settings/settings.h"

static struct settings settings;
static int n_warnings;
static char warning[256];

static void warn(const char *line)
{
	n_warnings++;
	snprintf(warning, sizeof(warning), "%s", line);
}

static void load(void)
{
	n_warnings = 0;
	warning[0] = '\0';
	memset(&settings, 0xff, sizeof(settings));
	settings_load(&settings, warn);
}

static void setup(void)
{
	for (const struct setting *s = settings_table; s->name; s++)
		unsetenv(s->name);
	load();
}

/* Loads with one variable set; false if it was not taken. */
static bool set(const char *name, const char *value)
{
	setenv(name, value, 1);
	load();
	unsetenv(name);
	ck_assert_int_le(n_warnings, 1);
	return n_warnings == 0;
}

START_TEST(the_defaults)
{
	ck_assert_int_eq(n_warnings, 0);
	ck_assert_int_eq(settings.mode, SETTINGS_DEMAND);
	ck_assert_int_eq(settings.polite, SETTINGS_AUTO);
	ck_assert(settings.mmds);
	ck_assert_int_eq(settings.emds, SETTINGS_EMDS_OFF);
	ck_assert_uint_eq(settings.emds_from, 0);
	ck_assert_uint_eq(settings.emds_to, UINT64_MAX);
	ck_assert_uint_eq(settings.emds_columns, EMDS_ALL);
	ck_assert_uint_eq(settings.emds_resolution, 1);
	ck_assert_uint_eq(settings.depth, 8);
	ck_assert_uint_eq(settings.resolution, 3);
	ck_assert_uint_eq(settings.metrics,
			  SETTINGS_TIME | SETTINGS_SIZE | SETTINGS_ACCOUNT |
				  SETTINGS_COMMS | SETTINGS_PEERS);
	ck_assert_int_eq(settings.dump_signal, SIGUSR2);
	ck_assert_int_eq(settings.quiesce_signal, SIGURG);
	ck_assert_uint_eq(settings.quiesce_wait_s, 60);
	ck_assert_uint_eq(settings.memory, 16 << 20);
	ck_assert_str_eq(settings.out, ".");
	ck_assert_uint_eq(settings.umask, 077);
	ck_assert_str_eq(settings.trees, "");
	ck_assert_str_eq(settings.job, "");
	ck_assert_str_eq(settings.ranks, "all");
	ck_assert_str_eq(settings.calls, "all");
}
END_TEST

START_TEST(permissions)
{
	ck_assert(set("BCS_UMASK", "022"));
	ck_assert_uint_eq(settings.umask, 022);
	ck_assert(set("BCS_UMASK", "0"));
	ck_assert_uint_eq(settings.umask, 0);
	ck_assert(!set("BCS_UMASK", "1000"));
	ck_assert(!set("BCS_UMASK", "8"));
	ck_assert(!set("BCS_UMASK", ""));
	ck_assert_uint_eq(settings.umask, 077);
}
END_TEST

START_TEST(slices)
{
	ck_assert(set("BCS_EMDS", "on"));
	ck_assert_int_eq(settings.emds, SETTINGS_EMDS_ON);
	ck_assert(set("BCS_EMDS", "every"));
	ck_assert_int_eq(settings.emds, SETTINGS_EMDS_EVERY);
	ck_assert(!set("BCS_EMDS", "1"));

	ck_assert(set("BCS_EMDS_SLICES", "7500-12500"));
	ck_assert_uint_eq(settings.emds_from, 7500);
	ck_assert_uint_eq(settings.emds_to, 12500);
	ck_assert(!set("BCS_EMDS_SLICES", "7500"));
	ck_assert(!set("BCS_EMDS_SLICES", "-7"));
	ck_assert(!set("BCS_EMDS_SLICES", "9-8"));
	ck_assert(!set("BCS_EMDS_SLICES", "8-9,10-11"));
	ck_assert_uint_eq(settings.emds_to, UINT64_MAX);

	ck_assert(set("BCS_EMDS_METRICS", "ltts,bytes"));
	ck_assert_uint_eq(settings.emds_columns,
			  EMDS_BIT(EMDS_SLICE) | EMDS_BIT(EMDS_BEGIN) |
				  EMDS_BIT(EMDS_SLICES) | EMDS_BIT(EMDS_TIME) |
				  EMDS_BIT(EMDS_BYTES));
	ck_assert(!set("BCS_EMDS_METRICS", "ltt"));
	ck_assert(!set("BCS_EMDS_METRICS", "ltts_ticks"));

	ck_assert(set("BCS_EMDS_RESOLUTION", "100"));
	ck_assert_uint_eq(settings.emds_resolution, 100);
	ck_assert(!set("BCS_EMDS_RESOLUTION", "0"));
}
END_TEST

/* Metrics that the help names can be asked for. */
START_TEST(slices_metrics)
{
	const struct setting *setting = settings_find("BCS_EMDS_METRICS");
	const char *some = strstr(setting->values, "ltts");

	ck_assert_ptr_nonnull(some);
	ck_assert(set("BCS_EMDS_METRICS", some));
	ck_assert_uint_eq(settings.emds_columns, EMDS_ALL);
}
END_TEST

START_TEST(the_table_is_whole)
{
	struct settings scratch;

	for (const struct setting *s = settings_table; s->name; s++) {
		ck_assert_int_eq(strncmp(s->name, "BCS_", 4), 0);
		ck_assert_ptr_eq(settings_find(s->name), s);
		ck_assert_uint_gt(strlen(s->values), 0);
		ck_assert_uint_gt(strlen(s->doc), 0);
		ck_assert_ptr_null(strchr(s->doc, '\n'));
		ck_assert_msg(s->set(&scratch, s->fallback), "%s=%s", s->name,
			      s->fallback);
	}
	ck_assert_ptr_null(settings_find("BCS_COLOUR"));
	ck_assert_ptr_null(settings_find(""));
}
END_TEST

START_TEST(methods)
{
	ck_assert(set("BCS_BCAST", "binomial"));
	ck_assert_int_eq(settings.bcast.algorithm, SETTINGS_BINOMIAL);
	ck_assert_uint_eq(settings.bcast.segment, 0);
	ck_assert(set("BCS_REDUCE", "split-binary:32K"));
	ck_assert_int_eq(settings.reduce.algorithm, SETTINGS_SPLIT_BINARY);
	ck_assert_uint_eq(settings.reduce.segment, 32768);
	ck_assert(set("BCS_REDUCE", "nodes"));
	ck_assert_int_eq(settings.reduce.algorithm, SETTINGS_NODES);
	for (const char *const *bad =
		     (const char *const[]){
			     "", "split", "pipeline:", "pipeline:K",
			     "pipeline:0K", "pipeline:8", "pipeline:8M",
			     "auto:8K", "striped", NULL };
	     *bad; bad++) {
		ck_assert(!set("BCS_BCAST", *bad));
		ck_assert_int_eq(settings.bcast.algorithm,
				 SETTINGS_ALGORITHM_AUTO);
		ck_assert_uint_eq(settings.bcast.segment, 0);
	}
}
END_TEST

START_TEST(values_that_are_taken)
{
	ck_assert(set("BCS_MODE", "demand"));
	ck_assert_int_eq(settings.mode, SETTINGS_DEMAND);
	ck_assert(set("BCS_MODE", "fixed"));
	ck_assert_int_eq(settings.mode, SETTINGS_FIXED);
	ck_assert(set("BCS_MODE", "observe"));
	ck_assert_int_eq(settings.mode, SETTINGS_OBSERVE);
	ck_assert(set("BCS_SLICE", "500us"));
	ck_assert_uint_eq(settings.slice_ns, 500000);
	ck_assert(set("BCS_SLICE", "1ms"));
	ck_assert_uint_eq(settings.slice_ns, 1000000);
	for (const char *const *bad =
		     (const char *const[]){ "", "5", "us", "0us", "5s",
					    "2000ms", "-1us", NULL };
	     *bad; bad++) {
		ck_assert(!set("BCS_SLICE", *bad));
		ck_assert_uint_eq(settings.slice_ns, 250000);
	}
	ck_assert_uint_eq(settings.budget, 0);
	ck_assert(set("BCS_BUDGET", "100000"));
	ck_assert_uint_eq(settings.budget, 100000);
	ck_assert(set("BCS_BUDGET", "64K"));
	ck_assert_uint_eq(settings.budget, 65536);
	ck_assert(set("BCS_BUDGET", "auto"));
	ck_assert_uint_eq(settings.budget, 0);
	for (const char *const *bad =
		     (const char *const[]){ "", "0", "K", "-1", "1T", "17G",
					    NULL };
	     *bad; bad++)
		ck_assert(!set("BCS_BUDGET", *bad));
	ck_assert(set("BCS_POLITE", "on"));
	ck_assert_int_eq(settings.polite, SETTINGS_ON);
	ck_assert(set("BCS_POLITE", "off"));
	ck_assert_int_eq(settings.polite, SETTINGS_OFF);
	ck_assert(set("BCS_MMDS", "off"));
	ck_assert(!settings.mmds);
	ck_assert(set("BCS_CALLSITE_DEPTH", "0"));
	ck_assert_uint_eq(settings.depth, 0);
	ck_assert(set("BCS_CALLSITE_DEPTH", "32"));
	ck_assert_uint_eq(settings.depth, 32);
	ck_assert(set("BCS_RESOLUTION", "5"));
	ck_assert_uint_eq(settings.resolution, 5);
	ck_assert(set("BCS_DUMP_SIGNAL", "none"));
	ck_assert_int_eq(settings.dump_signal, 0);
	ck_assert(set("BCS_DUMP_SIGNAL", "PROF"));
	ck_assert_int_eq(settings.dump_signal, SIGPROF);
	ck_assert(set("BCS_OUT", "/some/where"));
	ck_assert_str_eq(settings.out, "/some/where");
	ck_assert(set("BCS_JOB", "night run"));
	ck_assert_str_eq(settings.job, "night run");
	ck_assert(set("BCS_RANKS", "0,4-7"));
	ck_assert_str_eq(settings.ranks, "0,4-7");
	ck_assert(set("BCS_CALLS", "MPI_Send,MPI_I*"));
	ck_assert_str_eq(settings.calls, "MPI_Send,MPI_I*");
}
END_TEST

START_TEST(metrics)
{
	ck_assert(set("BCS_METRICS", "none"));
	ck_assert_uint_eq(settings.metrics, 0);
	ck_assert(set("BCS_METRICS", "peers,time"));
	ck_assert_uint_eq(settings.metrics, SETTINGS_PEERS | SETTINGS_TIME);
	ck_assert(set("BCS_METRICS", "account"));
	ck_assert_uint_eq(settings.metrics, SETTINGS_ACCOUNT);
	ck_assert(set("BCS_METRICS", "size,comms"));
	ck_assert_uint_eq(settings.metrics, SETTINGS_SIZE | SETTINGS_COMMS);
}
END_TEST

START_TEST(memory)
{
	ck_assert(set("BCS_MEMORY", "131072"));
	ck_assert_uint_eq(settings.memory, 128 << 10);
	ck_assert(set("BCS_MEMORY", "512K"));
	ck_assert_uint_eq(settings.memory, 512 << 10);
	ck_assert(set("BCS_MEMORY", "3M"));
	ck_assert_uint_eq(settings.memory, 3 << 20);
	ck_assert(set("BCS_MEMORY", "8G"));
	ck_assert_uint_eq(settings.memory, UINT64_C(8) << 30);
	ck_assert(!set("BCS_MEMORY", "127K"));
	ck_assert_uint_eq(settings.memory, 16 << 20);
}
END_TEST

static const char *const refused[][2] = {
	{ "BCS_MODE", "watch" },
	{ "BCS_MODE", "" },
	{ "BCS_POLITE", "yes" },
	{ "BCS_POLITE", "On" },
	{ "BCS_MMDS", "1" },
	{ "BCS_CALLSITE_DEPTH", "33" },
	{ "BCS_CALLSITE_DEPTH", "-1" },
	{ "BCS_CALLSITE_DEPTH", " 1" },
	{ "BCS_CALLSITE_DEPTH", "8x" },
	{ "BCS_CALLSITE_DEPTH", "99999999999999999999" },
	{ "BCS_CALLSITE_DEPTH", "" },
	{ "BCS_RESOLUTION", "6" },
	{ "BCS_METRICS", "time,colour" },
	{ "BCS_METRICS", "a word that is much longer than any metric" },
	{ "BCS_METRICS", "," },
	{ "BCS_DUMP_SIGNAL", "KILL" },
	{ "BCS_DUMP_SIGNAL", "12" },
	{ "BCS_MEMORY", "1MB" },
	{ "BCS_MEMORY", "much" },
	{ "BCS_MEMORY", "99999999999999999999" },
	{ "BCS_MEMORY", "99999999999G" },
	{ "BCS_OUT", "" },
	{ "BCS_JOB", "../elsewhere" },
	{ "BCS_RANKS", "first" },
	{ "BCS_RANKS", "" },
	{ "BCS_CALLS", "" },
};

/* One line that names the variable and the value; the default stays. */
START_TEST(values_that_are_refused)
{
	const char *name = refused[_i][0];
	const char *value = refused[_i][1];
	struct settings defaults = settings;

	ck_assert_msg(!set(name, value), "%s=%s", name, value);
	ck_assert_ptr_eq(strstr(warning, name), warning);
	ck_assert_ptr_nonnull(strstr(warning, value));
	ck_assert_ptr_null(strchr(warning, '\n'));
	ck_assert_mem_eq(&settings, &defaults, sizeof(settings));
}
END_TEST

START_TEST(a_warning_is_short)
{
	char value[4096];

	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	ck_assert(!set("BCS_MODE", value));
	ck_assert_uint_lt(strlen(warning), 160);
}
END_TEST

START_TEST(ranks_in_a_list)
{
	ck_assert(settings_rank_in("all", 0));
	ck_assert(settings_rank_in("all", 1000000));
	ck_assert(settings_rank_in("3", 3));
	ck_assert(!settings_rank_in("3", 0));
	ck_assert(!settings_rank_in("3", 33));
	ck_assert(settings_rank_in("0,4-7", 0));
	ck_assert(!settings_rank_in("0,4-7", 3));
	ck_assert(settings_rank_in("0,4-7", 4));
	ck_assert(settings_rank_in("0,4-7", 7));
	ck_assert(!settings_rank_in("0,4-7", 8));
	ck_assert(settings_rank_in("4-7,9", 9));
	ck_assert(!settings_rank_in("7-4", 5));
}
END_TEST

START_TEST(calls_in_a_list)
{
	ck_assert(settings_call_in("all", "MPI_Send"));
	ck_assert(settings_call_in("MPI_Send,MPI_I*", "MPI_Send"));
	ck_assert(settings_call_in("MPI_Send,MPI_I*", "MPI_Irecv"));
	ck_assert(!settings_call_in("MPI_Send,MPI_I*", "MPI_Sendrecv"));
	ck_assert(!settings_call_in("MPI_Send,MPI_I*", "MPI_Recv"));
	ck_assert(settings_call_in("MPI_*recv", "MPI_Sendrecv"));
	ck_assert(settings_call_in("MPI_Send,all", "MPI_Recv"));
	ck_assert(!settings_call_in("", "MPI_Send"));
}
END_TEST

static void unknown(const char *name)
{
	n_warnings = 0;
	setenv(name, "1", 1);
	settings_unknown(warn);
	unsetenv(name);
}

/* Only what resembles a setting: others use such names, too. */
START_TEST(mistyped_variables)
{
	unknown("BCS_MOED");
	ck_assert_int_eq(n_warnings, 1);
	ck_assert_str_eq(warning,
			 "BCS_MOED is no setting: did you mean BCS_MODE?");
	unknown("BCS_NODESIZE");
	ck_assert_int_eq(n_warnings, 1);
	unknown("BCS_MODE");
	unknown("BCS_BUILD");
	unknown("BCS_");
	unknown("ABCS_MOED");
	unknown("BCS_A_NAME_OF_MORE_LETTERS_THAN_ANYBODY_WOULD_CARE_TO_WRITE_"
		"FOR_A_"
		"SETTING");
	ck_assert_int_eq(n_warnings, 0);
}
END_TEST

START_TEST(mistyped_calls)
{
	const char *const calls[] = { "MPI_Send", "MPI_Recv", NULL };

	n_warnings = 0;
	settings_unknown_calls("MPI_Send,MPI_R*,all", calls, warn);
	settings_unknown_calls("", calls, warn);
	ck_assert_int_eq(n_warnings, 0);
	settings_unknown_calls("MPI_Send,MPI_Rceive", calls, warn);
	ck_assert_int_eq(n_warnings, 1);
	ck_assert_str_eq(warning, "BCS_CALLS: no call of MPI is MPI_Rceive: "
				  "did you mean MPI_Recv?");
	settings_unknown_calls("PVM_*", calls, warn);
	ck_assert_int_eq(n_warnings, 2);
	ck_assert_str_eq(warning, "BCS_CALLS: no call of MPI is PVM_*");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("settings");
	TCase *tcase = tcase_create("settings");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, the_defaults);
	tcase_add_test(tcase, slices);
	tcase_add_test(tcase, permissions);
	tcase_add_test(tcase, slices_metrics);
	tcase_add_test(tcase, the_table_is_whole);
	tcase_add_test(tcase, methods);
	tcase_add_test(tcase, values_that_are_taken);
	tcase_add_test(tcase, mistyped_variables);
	tcase_add_test(tcase, mistyped_calls);
	tcase_add_test(tcase, metrics);
	tcase_add_test(tcase, memory);
	tcase_add_loop_test(tcase, values_that_are_refused, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tcase, a_warning_is_short);
	tcase_add_test(tcase, ranks_in_a_list);
	tcase_add_test(tcase, calls_in_a_list);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
