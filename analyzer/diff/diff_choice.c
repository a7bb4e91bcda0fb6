/* SPDX-License-Identifier: BSD-3-Clause */

/* The options of `bcs diff`, and the sections that it shows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/diff/diff_choice.h"
#include "analyzer/report/report_choice.h"

#define LIMIT_MAX 1e6 /* percent */
#define SECTIONS                                                          \
	"runs, wall, notes, summary, efficiencies, account, primitives, " \
	"sites, ranks"

const struct diff_section diff_sections[] = {
	{ "runs", diff_runs },
	{ "wall", diff_wall },
	{ "notes", diff_notes },
	{ "summary", diff_summary },
	{ "efficiencies", diff_efficiencies },
	{ "account", diff_account },
	{ "primitives", diff_primitives },
	{ "sites", diff_sites },
	{ "ranks", diff_ranks },
	{ NULL, NULL },
};
_Static_assert(sizeof(diff_sections) / sizeof(diff_sections[0]) ==
		       DIFF_SECTIONS + 1,
	       "sections");

struct diff_choice diff_choice;

static bool set_one_section(const char *name, size_t len)
{
	for (size_t i = 0; diff_sections[i].name; i++) {
		if (strlen(diff_sections[i].name) != len ||
		    strncmp(diff_sections[i].name, name, len) != 0)
			continue;
		diff_choice.sections[i] = true;
		diff_choice.any_section = true;
		return true;
	}
	return false;
}

static bool set_section(const struct option_spec *option, const char *value)
{
	(void)option;
	return options_each(value, set_one_section);
}

static bool set_fail_over(const struct option_spec *option, const char *value)
{
	char *end;

	(void)option;
	/* strtod also takes "inf" and "0x1". */
	if (strspn(value, "0123456789.%") != strlen(value))
		return false;
	diff_choice.limit = strtod(value, &end);
	diff_choice.may_fail = true;
	return end != value && diff_choice.limit <= LIMIT_MAX &&
	       (*end == '\0' || strcmp(end, "%") == 0);
}

const struct option_spec *diff_choice_options(void)
{
	static const struct option_spec options[] = {
		{ "fail-over", 0, "PERCENT", "a percentage like 5 or 2.5%",
		  "exit with 1 if B's wall time is longer by more than "
		  "PERCENT; with 4 or more runs of each it must also stand out "
		  "from the noise",
		  .set = set_fail_over },
		REPORT_OPTION_SECTION(SECTIONS, set_section),
		REPORT_OPTION_TOP("10"),
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_COLOR,
		REPORT_OPTION_JSON("print everything as one JSON document, "
				   "times in nanoseconds"),
		REPORT_OPTION_CSV("print one section as CSV; default: "
				  "primitives"),
		{ 0 },
	};

	return options;
}

static bool is_default(const struct diff_section *section)
{
	return report_choice.format != REPORT_AS_CSV ||
	       strcmp(section->name, "primitives") == 0;
}

int diff_choice_finish(void)
{
	unsigned n = 0;

	for (size_t i = 0; diff_sections[i].name; i++) {
		if (!diff_choice.any_section)
			diff_choice.sections[i] = is_default(&diff_sections[i]);
		n += diff_choice.sections[i];
	}
	if (n != 1 && report_choice.format == REPORT_AS_CSV) {
		say_error("--csv takes one --section at a time");
		return -EINVAL;
	}
	report_choice_look();
	return 0;
}
