/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of options of `bcs report`. */
#include <string.h>

#include "analyzer/report/report_choice.h"
#include "mds/settings/settings.h"

#define TOP_MAX 1000000000
#define SECTIONS                                                          \
	"run, now, tail, findings, notes, account, efficiencies, ranks, " \
	"threads, primitives, sites, peers, matrix, communicators, "      \
	"traffic, sizes, phases, waits, windows, distributions"

bool report_choice_rank(const struct option_spec *option, const char *value)
{
	struct settings scratch;

	(void)option;
	report_choice.filter.ranks = value;
	return settings_find("BCS_RANKS")->set(&scratch, value);
}

bool report_choice_top(const struct option_spec *option, const char *value)
{
	unsigned long top;

	(void)option;
	if (!options_number(value, 0, TOP_MAX, &top))
		return false;
	report_choice.options.top = top;
	report_choice.options.top_given = true;
	return true;
}

static bool set_one_section(const char *name, size_t len)
{
	for (size_t i = 0; report_sections[i].name; i++) {
		if (strlen(report_sections[i].name) != len ||
		    strncmp(report_sections[i].name, name, len) != 0)
			continue;
		report_choice.sections[i] = true;
		report_choice.any_section = true;
		return true;
	}
	return false;
}

static bool set_section(const struct option_spec *option, const char *value)
{
	(void)option;
	return options_each(value, set_one_section);
}

const struct option_spec *report_choice_options(void)
{
	static const struct option_spec options[] = {
		REPORT_OPTION_RANK,
		{ "primitive", 'p', "PATTERN", "a list like MPI_Send,MPI_I*",
		  "show only these primitives: a list like MPI_Send,MPI_I*",
		  OPTION_TEXT(&report_choice.filter.calls) },
		{ "call", 0, "PATTERN", "a list like MPI_Send,MPI_I*",
		  "the same as --primitive",
		  OPTION_TEXT(&report_choice.filter.calls) },
		REPORT_OPTION_SECTION(SECTIONS, set_section),
		{ "sort", 0, "KEY", "time, count, bytes, max or name",
		  "sort tables by time, count, bytes, max or name; default: a "
		  "useful key for each table",
		  OPTION_WORD(&report_choice.options.sort, TABLE_BY_TIME) },
		REPORT_OPTION_TOP("10 rows of the tables that can be long"),
		{ "reference", 0, "DIR", "a record",
		  "compare the computation with that of another run on the "
		  "same problem, mostly with fewer ranks",
		  OPTION_TEXT(&report_choice.reference) },
		{ "talp", 0, "FILE", "a file",
		  "write the efficiencies into FILE, too, as JSON that "
		  "TALP-Pages reads",
		  OPTION_TEXT(&report_choice.talp) },
		{ "ranks", 0, NULL, NULL,
		  "add a table with a line for each rank",
		  OPTION_FLAG(&report_choice.ranks) },
		{ "paths", 0, NULL, NULL,
		  "show call sites with the functions that led to them",
		  OPTION_FLAG(&report_choice.options.paths) },
		{ "matrix", 0, NULL, NULL,
		  "add the matrix of bytes from rank to rank",
		  OPTION_FLAG(&report_choice.matrix) },
		{ "timeline", 0, NULL, NULL,
		  "draw the run's trace instead: ranks over time, a letter "
		  "for what each did",
		  OPTION_FLAG(&report_choice.timeline) },
		{ "percent", 0, NULL, NULL,
		  "show times as percentages of the ranks' time",
		  OPTION_FLAG(&report_choice.percent) },
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_COLOR,
		REPORT_OPTION_JSON("print everything as one JSON document, "
				   "numbers as recorded"),
		REPORT_OPTION_CSV("print one section as CSV, numbers as "
				  "recorded; default: primitives"),
		{ 0 },
	};

	return options;
}
