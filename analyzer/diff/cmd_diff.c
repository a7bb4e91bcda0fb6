/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs diff`: splits the paths into two groups at the ':' and shows how their
 * runs differ.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/diff/diff_choice.h"
#include "analyzer/diff/diff_csv.h"
#include "analyzer/diff/stats.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"

static int add_path(struct diff *diff, char *path)
{
	struct run *run;
	int rc;

	options_drop_slashes(path);
	rc = run_load(&run, path, NULL);
	if (rc != 0)
		return rc;
	diff_add(diff, run);
	run_free(run);
	return 0;
}

/* Loads all records, even after an error, so that every bad one is reported. */
static int load(struct diff *diff, int argc, char **argv)
{
	int rc = 0;

	for (int i = 0; i < argc; i++)
		if (strcmp(argv[i], ":") != 0 && add_path(diff, argv[i]) != 0)
			rc = -ENOENT;
	say_rest();
	return rc;
}

static void show_table(const struct table *table, bool first)
{
	switch (report_choice.format) {
	case REPORT_AS_TEXT:
		report_choice_show(table);
		break;
	case REPORT_AS_JSON:
		fputs(first ? "  {" : ",\n   ", stdout);
		table_json(table);
		break;
	case REPORT_AS_CSV:
		table_csv(table, NULL, true);
		break;
	}
}

static void show(const struct diff *diff)
{
	const bool json = report_choice.format == REPORT_AS_JSON;
	bool first = true;

	if (json)
		printf("{\"format\": 1, \"bcs\": \"%s\", \"diff\":\n",
		       BCS_VERSION);
	for (size_t i = 0; diff_sections[i].name; i++) {
		struct table *table;

		if (!diff_choice.sections[i])
			continue;
		table = diff_sections[i].build(diff, &report_choice.options);
		show_table(table, first);
		first = false;
		table_free(table);
	}
	if (json)
		fputs("}}\n", stdout);
}

/* The exit status that --fail-over asks for. */
static int judge(const struct diff *diff)
{
	const struct diff_change wall = diff_change_of(
		diff, diff->parts.rows[DIFF_WALL].times);
	const double a = wall.median[DIFF_A];
	const double b = wall.median[DIFF_B];
	char *change;

	if (!diff_choice.may_fail || b <= a * (1 + diff_choice.limit / 100) ||
	    (wall.tested && wall.p >= STATS_LEVEL))
		return 0;
	change = diff_change_text(&wall);
	say_error("B's wall time is longer by more than %g %%: %s",
		  diff_choice.limit, change);
	free(change);
	return 1;
}

int diff_groups(int argc, char **argv)
{
	size_t n_a;
	size_t n_b;
	struct diff *diff;
	int status = 2;

	if (diff_choice_finish() != 0)
		return 2;
	if (diff_split(argc, argv, &n_a, &n_b) != 0) {
		say_error("it compares two runs, or two groups of runs with a "
			  "':' in between (see --help)");
		return 2;
	}
	if (n_a + n_b > 2 && diff_twice(argc, argv) != 0)
		return 2;
	diff = diff_new(n_a, n_b);
	if (load(diff, argc, argv) == 0) {
		diff_match(diff);
		show(diff);
		status = judge(diff);
	}
	diff_free(diff);
	return status;
}

/* Points of measurements, in place of runs. */
static int diff_measured(int argc, char **argv)
{
	const bool json = report_choice.format == REPORT_AS_JSON;
	struct table *table;
	double slower;

	if (diff_choice_finish() != 0)
		return 2;
	table = diff_csv(argc, argv, &slower);
	if (!table)
		return 2;
	if (json)
		printf("{\"format\": 1, \"bcs\": \"%s\", \"diff\":\n",
		       BCS_VERSION);
	show_table(table, true);
	if (json)
		fputs("}}\n", stdout);
	table_free(table);
	if (!diff_choice.may_fail || slower <= diff_choice.limit)
		return 0;
	say_error("a point is slower in B by more than %g %%",
		  diff_choice.limit);
	return 1;
}

static int run(int argc, char **argv)
{
	const int status = diff_csv_is(argc, argv) ? diff_measured(argc, argv)
						   : diff_groups(argc, argv);
	const int rc = output_end();

	return rc ? rc : status;
}

const struct verb verb_diff = {
	.name = "diff",
	.summary = "compare two runs, or two groups of runs",
	.operands = "A B\n       bcs diff [options] A... : B...",
	.about =
		"Shows what got slower or faster from the run in folder A to "
		"the run in folder B:\nin total, by primitive, by call site "
		"and by rank.\n\nIt also compares two groups of runs with a "
		"':' between them, by their medians.\nThe Mann-Whitney test "
		"tells changes from noise (p below 0.05).  It needs 4 runs\nin "
		"each group.  Use it to compare blocking with non-blocking "
		"calls, or two modes.\n\nFiles of `mpib_run --csv` or of `bcs "
		"bench mpi run --launches N` (FILE.csv) are\ncompared point by "
		"point; the test is of their launches.\n",
	.options = diff_choice_options,
	.run = run,
};
