/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPORT_CHOICE_H
#define BCS_REPORT_CHOICE_H

#include "analyzer/cli/options.h"
#include "analyzer/report/report.h"

enum report_format { REPORT_AS_TEXT, REPORT_AS_JSON, REPORT_AS_CSV };
enum report_color { REPORT_AUTO, REPORT_ALWAYS, REPORT_NEVER };

#define REPORT_SECTIONS_MAX 32

/* What the command line asks for. */
struct report_choice {
	struct report_options options;
	struct run_filter filter;
	enum report_format format;
	enum report_color color;
	const char *reference; /* a record to compare with; or NULL */
	bool percent;
	bool ranks;
	bool matrix;
	bool any_section; /* named on the command line */
	bool sections[REPORT_SECTIONS_MAX];
};

extern struct report_choice report_choice;

/*
 * What takes the options --rank, --top, --width, --color, --json and --csv, for
 * verbs that have them, too.
 */
bool report_choice_rank(const struct option_spec *option, const char *value);
bool report_choice_top(const struct option_spec *option, const char *value);
bool report_choice_width(const struct option_spec *option, const char *value);
bool report_choice_color(const struct option_spec *option, const char *value);
bool report_choice_flag(const struct option_spec *option, const char *value);

/* The option table, whose options set report_choice. */
const struct option_spec *report_choice_options(void);

/*
 * What follows from the options together.  Returns 0, or -EINVAL after it has
 * said what does not go together.
 */
int report_choice_finish(void);
/* The same of those options alone. */
void report_choice_look(void);

/* A table for people, as the options want. */
void report_choice_show(const struct table *table);
/* Some in the format that was asked for. */
void report_choice_tables(struct table *const tables[], size_t n);

#endif
