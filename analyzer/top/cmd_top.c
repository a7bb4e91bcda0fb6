/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs top`: a live view of a running job. */
#include <stdio.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/hang/hang_job.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"
#include "analyzer/top/top_slices.h"
#include "analyzer/top/top_table.h"
#include "analyzer/top/top_terminal.h"

#define LINES_AROUND  10 /* of a picture, beside its rows */
#define LINES_SLICES  3  /* likewise, of the table of slices */
#define NODES_OF_VIEW 4

static bool once;

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "once", '1', NULL, NULL,
		  "print one snapshot and end; rates are averages since the "
		  "start",
		  OPTION_FLAG(&once) },
		REPORT_OPTION_TOP("what the terminal has room for, or all"),
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_COLOR,
		REPORT_OPTION_JSON("print one snapshot as JSON"),
		REPORT_OPTION_CSV("print one snapshot as CSV"),
		{ 0 },
	};

	return list;
}

/* How many rows are shown, with so many lines around; 0: all. */
static size_t rows_shown(bool live, size_t around)
{
	const unsigned lines = top_terminal_lines();

	if (report_choice.options.top_given)
		return report_choice.options.top;
	if (!live)
		return 0;
	return lines > around ? lines - around : 1;
}

/* Returns the lines that it takes. */
static size_t add_slices(const struct top_picture *picture, bool live,
			 struct table *tables[], size_t *n)
{
	const size_t most = live ? NODES_OF_VIEW : 0;

	if (!picture->n_slices || report_choice.format == REPORT_AS_CSV)
		return 0;
	tables[*n] = top_slices_table(picture);
	table_cut(tables[(*n)++], most);
	return LINES_SLICES + (picture->n_slices > NODES_OF_VIEW
				       ? NODES_OF_VIEW + 1
				       : picture->n_slices);
}

static void show(const struct top_picture *picture, bool live)
{
	const bool machine = report_choice.format != REPORT_AS_TEXT;
	struct table *tables[3];
	size_t around = LINES_AROUND;
	size_t n = 0;

	if (!machine)
		tables[n++] = top_table_head(picture);
	around += add_slices(picture, live, tables, &n);
	tables[n] = top_table_rows(picture, machine);
	if (!machine)
		table_cut(tables[n], rows_shown(live, around));
	n++;
	report_choice_tables(tables, n);
	while (n > 0)
		table_free(tables[--n]);
}

/* Until the job ends, or the user leaves. */
static void watch(const char *dir, struct top_picture *picture,
		  struct top_places *places)
{
	struct top_picture next = { .n = 0 };
	bool leaves = false;

	top_terminal_begin();
	while (picture->n_living && !leaves) {
		report_choice_look();
		top_terminal_clear();
		show(picture, true);
		fputs("\nq leaves the view; the job goes on.\n", stdout);
		top_terminal_flush();
		leaves = top_terminal_wait();
		top_picture_take(&next, dir, picture, places);
		top_picture_clear(picture);
		*picture = next;
	}
	top_terminal_end();
	if (!picture->n_living)
		puts("The job has ended.");
}

static int show_job(struct hang_job *job)
{
	static const struct top_picture none;
	struct top_places *places = top_places_new();
	struct top_picture picture = { .n = 0 };
	int rc = 0;

	top_picture_take(&picture, job->dir, &none, places);
	if (!picture.n_living) {
		hang_job_say_none(job);
		rc = 2;
	} else if (once || report_choice.format != REPORT_AS_TEXT) {
		report_choice_look();
		show(&picture, false);
	} else {
		watch(job->dir, &picture, places);
	}
	top_picture_clear(&picture);
	top_places_free(places);
	return rc;
}

static bool can_be_shown(void)
{
	if (once || report_choice.format != REPORT_AS_TEXT ||
	    isatty(STDOUT_FILENO))
		return true;
	say_error("the output is no terminal: use --once, --json or --csv");
	return false;
}

static int top(int argc, char **argv)
{
	struct hang_job job;
	int rc = 2;

	if (argc != 1) {
		say_error("takes one operand: a process or a record's folder");
		return 2;
	}
	if (!options_one_at_most(OPTIONS("csv", "json")) || !can_be_shown())
		return 2;
	options_drop_slashes(argv[0]);
	if (hang_job_find(&job, argv[0]) == 0)
		rc = show_job(&job);
	hang_job_end(&job);
	return rc ? rc : output_end();
}

const struct verb verb_top = {
	.name = "top",
	.summary = "watch a running job",
	.operands = "PID|DIR",
	.about = "Shows each rank of a running job once a second: its state, "
		 "the call of MPI that it\nis in, for how long, where and for "
		 "whom, its share of time in MPI, calls and bytes\na second.  "
		 "PID is a rank, mpiexec or bcs run; DIR is the folder of the "
		 "record.\nIn BCS_MODE=fixed it also shows the slices of each "
		 "node and how full they are.\nq ends the view.  The job is "
		 "not touched: only its flight recorders (BCS_FLIGHT)\nare "
		 "read.\n",
	.options = options,
	.run = top,
};
