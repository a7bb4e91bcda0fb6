/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

static const struct table_column columns[] = {
	{ "text", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static void note_noise(const struct diff *diff, struct table *table)
{
	if (diff_can_tell(diff))
		report_note(table,
			    mem_text("Times are medians of the runs.  Of rows "
				     "in which nothing changed one in twenty "
				     "stands out by chance."));
	else
		report_note(table,
			    mem_text("It needs at least 4 runs of each to tell "
				     "a difference from noise."));
}

static void note_sizes(const struct diff *diff, struct table *table)
{
	if (diff_same_ranks(diff))
		return;
	report_note(table,
		    mem_text("The runs do not have the same ranks: sums over "
			     "all of them compare only so far, and the "
			     "comparison by rank is left out."));
}

static bool same_program(const struct diff *diff)
{
	for (size_t i = 1; i < diff->n_runs; i++)
		if (strcmp(diff->runs[i].program, diff->runs[0].program) != 0)
			return false;
	return true;
}

static void note_programs(const struct diff *diff, struct table *table)
{
	if (!same_program(diff))
		report_note(table, mem_text("The runs are not all of one "
					    "program: what is compared may "
					    "have nothing in common."));
}

static void note_run(const struct diff_run *run, struct table *table)
{
	if (run->n_missing)
		report_note(table,
			    mem_print("%s: %" PRIu64 " of %" PRIu64
				      " ranks left no record.",
				      run->path, run->n_missing, run->size));
	if (run->n_cut)
		report_note(table,
			    mem_print("%s: the record of %zu of %zu ranks is "
				      "cut off or damaged: some numbers are "
				      "too small.",
				      run->path, run->n_cut, run->n_ranks));
	if (run->reasons)
		report_note(table, mem_print("%s: the record does not reach to "
					     "MPI_Finalize: %s.",
					     run->path, run->reasons));
	if (run->statuses)
		report_note(table,
			    mem_print("%s: the exit status was %s: the program "
				      "may have told of an error instead of "
				      "doing its work.",
				      run->path, run->statuses));
}

struct table *diff_notes(const struct diff *diff,
			 const struct report_options *options)
{
	struct table *table = table_new("notes", "Notes", columns, TABLE_PLAIN);

	(void)options;
	for (size_t i = 0; i < diff->n_runs; i++)
		note_run(&diff->runs[i], table);
	note_programs(diff, table);
	note_sizes(diff, table);
	note_noise(diff, table);
	for (size_t i = 0; i < diff->nameless.n; i++)
		report_note(table, mem_text(intern_key(&diff->nameless, i)));
	return table;
}
