/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Sentences about changes: from blocking to non-blocking calls or back, and
 * from MPI's own messages to ours.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

static const struct table_column columns[] = {
	{ "text", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static char *part_text(const struct diff *diff, enum diff_part part)
{
	const struct diff_change change = diff_change_of(
		diff, diff->parts.rows[part].times);
	char *how = diff_change_text(&change);
	char *text = mem_print("%s to %s (%s)",
			       diff_time_text(change.median[DIFF_A]),
			       diff_time_text(change.median[DIFF_B]), how);

	free(how);
	return text;
}

static void add_modes(const struct diff *diff, struct table *table,
		      const char *title)
{
	char *communication = part_text(diff, DIFF_COMMUNICATION);
	char *computation = part_text(diff, DIFF_COMPUTATION);
	char *wall = part_text(diff, DIFF_WALL);

	report_note(table,
		    mem_print("%s: communication went from %s and computation "
			      "from %s over all ranks, the wall time from %s.",
			      title, communication, computation, wall));
	free(wall);
	free(computation);
	free(communication);
}

static bool is_scheduled(const char *mode)
{
	return strcmp(mode, "demand") == 0 || strcmp(mode, "fixed") == 0;
}

static void note_modes(const struct diff *diff, struct table *table)
{
	char *a = diff_modes(diff, DIFF_A);
	char *b = diff_modes(diff, DIFF_B);
	char *title = NULL;

	if (strcmp(a, "observe") == 0 && is_scheduled(b))
		title = mem_print("From MPI's own way to scheduling (%s)", b);
	else if (is_scheduled(a) && strcmp(b, "observe") == 0)
		title = mem_print("From scheduling (%s) to MPI's own way", a);
	else if (is_scheduled(a) && is_scheduled(b) && strcmp(a, b) != 0)
		title = mem_print("From scheduling by %s to %s", a, b);
	if (title)
		add_modes(diff, table, title);
	free(title);
	free(b);
	free(a);
}

struct table *diff_summary(const struct diff *diff,
			   const struct report_options *options)
{
	struct table *table = table_new("summary", "What changed", columns,
					TABLE_PLAIN);

	(void)options;
	diff_note_moves(diff, table);
	note_modes(diff, table);
	return table;
}
