/* SPDX-License-Identifier: BSD-3-Clause */

/* The table of options of `bcs report`. */
#include <string.h>

#include "analyzer/report/report_choice.h"
#include "mds/settings.h"

#define WIDTH_MIN 60
#define WIDTH_MAX 10000
#define TOP_MAX   1000000000
#define SECTIONS                                                   \
	"run, now, notes, account, efficiencies, ranks, threads, " \
	"primitives, sites, peers, matrix, communicators, "        \
	"traffic, sizes, phases, distributions"

static int word_in(const char *const *words, const char *value)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], value) == 0)
			return i;
	return -1;
}

bool report_choice_rank(const struct option_spec *option, const char *value)
{
	struct settings scratch;

	(void)option;
	report_choice.filter.ranks = value;
	return settings_find("BCS_RANKS")->set(&scratch, value);
}

static bool set_calls(const struct option_spec *option, const char *value)
{
	(void)option;
	report_choice.filter.calls = value;
	return *value != '\0';
}

static bool set_sort(const struct option_spec *option, const char *value)
{
	static const char *const words[] = { "time", "count", "bytes",
					     "max",  "name",  NULL };
	const int i = word_in(words, value);

	(void)option;
	report_choice.options.sort = TABLE_BY_TIME + (unsigned)i;
	return i >= 0;
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

static bool set_reference(const struct option_spec *option, const char *value)
{
	(void)option;
	report_choice.reference = value;
	return *value != '\0';
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

bool report_choice_width(const struct option_spec *option, const char *value)
{
	unsigned long width;

	(void)option;
	if (!options_number(value, WIDTH_MIN, WIDTH_MAX, &width))
		return false;
	report_choice.options.width = (unsigned)width;
	return true;
}

bool report_choice_color(const struct option_spec *option, const char *value)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	const int i = word_in(words, value);

	(void)option;
	report_choice.color = (enum report_color)i;
	return i >= 0;
}

bool report_choice_flag(const struct option_spec *option, const char *value)
{
	(void)value;
	if (strcmp(option->name, "json") == 0)
		report_choice.format = REPORT_AS_JSON;
	else if (strcmp(option->name, "csv") == 0)
		report_choice.format = REPORT_AS_CSV;
	else if (strcmp(option->name, "ranks") == 0)
		report_choice.ranks = true;
	else if (strcmp(option->name, "paths") == 0)
		report_choice.options.paths = true;
	else if (strcmp(option->name, "matrix") == 0)
		report_choice.matrix = true;
	else
		report_choice.percent = true;
	return true;
}

const struct option_spec *report_choice_options(void)
{
	static const struct option_spec options[] = {
		{ "rank", 'r', "LIST", "a list like 0,4-7",
		  "show only these ranks: a list like 0,4-7",
		  report_choice_rank },
		{ "primitive", 'p', "PATTERN", "a list like MPI_Send,MPI_I*",
		  "show only these primitives: a list like MPI_Send,MPI_I*",
		  set_calls },
		{ "call", 0, "PATTERN", "a list like MPI_Send,MPI_I*",
		  "the same as --primitive", set_calls },
		{ "section", 's', "NAMES", "some of " SECTIONS,
		  "only these sections, some of " SECTIONS, set_section },
		{ "sort", 0, "KEY", "time, count, bytes, max or name",
		  "sort tables by time, count, bytes, max or name; default: a "
		  "useful key for each table",
		  set_sort },
		{ "top", 'n', "N", "a number; 0 for all",
		  "show the first N rows of each table; 0 shows all; default: "
		  "10 rows of the tables that can be long",
		  report_choice_top },
		{ "reference", 0, "DIR", "a record",
		  "compare the computation with that of another run, of as "
		  "much work",
		  set_reference },
		{ "ranks", 0, NULL, NULL,
		  "add a table with a line for each rank", report_choice_flag },
		{ "paths", 0, NULL, NULL,
		  "show call sites with the functions that led to them",
		  report_choice_flag },
		{ "matrix", 0, NULL, NULL,
		  "add the matrix of bytes from rank to rank",
		  report_choice_flag },
		{ "percent", 0, NULL, NULL,
		  "show times as percentages of the ranks' time",
		  report_choice_flag },
		{ "width", 'w', "N", "60 to 10000",
		  "width of a line in columns; default: the width of the "
		  "terminal, else 80",
		  report_choice_width },
		{ "color", 0, "WHEN", "auto, always or never",
		  "color the output: auto (on a terminal), always, never",
		  report_choice_color },
		{ "json", 0, NULL, NULL,
		  "print everything as one JSON document, numbers as recorded",
		  report_choice_flag },
		{ "csv", 0, NULL, NULL,
		  "print one section as CSV, numbers as recorded; default: "
		  "primitives",
		  report_choice_flag },
		{ NULL, 0, NULL, NULL, NULL, NULL },
	};

	return options;
}
