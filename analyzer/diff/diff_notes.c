/* SPDX-License-Identifier: BSD-3-Clause */

/* The notes of `bcs diff`: limits of the comparison, in sentences. */
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

static bool is_one_program(const struct diff *diff, enum diff_side side)
{
	const size_t first = diff_first(diff, side);

	for (size_t i = first + 1; i < diff_end(diff, side); i++)
		if (strcmp(diff->runs[i].program, diff->runs[first].program))
			return false;
	return true;
}

/* Different programs in A and B are intended, but not within one group. */
static void note_programs(const struct diff *diff, struct table *table)
{
	static const char *const names[DIFF_SIDES] = { "A", "B" };

	for (enum diff_side side = DIFF_A; side < DIFF_SIDES; side++)
		if (!is_one_program(diff, side))
			report_note(table,
				    mem_print("The runs of %s are not all of "
					      "one program: their medians may "
					      "mean nothing.",
					      names[side]));
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
		report_note(table, mem_print("%s: the exit status was %s: the "
					     "program may have failed.",
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
