/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPORT_CHOICE_H
#define BCS_REPORT_CHOICE_H

#include "analyzer/cli/options.h"
#include "analyzer/report/report.h"

enum report_format { REPORT_AS_TEXT, REPORT_AS_JSON, REPORT_AS_CSV };
enum report_color { REPORT_AUTO, REPORT_ALWAYS, REPORT_NEVER };

#define REPORT_SECTIONS_MAX 32

/* The options of the command line. */
struct report_choice {
	struct report_options options;
	struct run_filter filter;
	enum report_format format;
	enum report_color color;
	const char *reference; /* a record to compare with; or NULL */
	const char *talp;      /* a file to write; or NULL */
	bool percent;
	bool ranks;
	bool matrix;
	bool timeline;
	bool any_section; /* named on the command line */
	bool sections[REPORT_SECTIONS_MAX];
};

extern struct report_choice report_choice;

/*
 * The rows of options that several verbs have, for their tables.  They set
 * report_choice.
 */
#define REPORT_OPTION_RANK                                          \
	{                                                           \
		"rank", 'r', "LIST", "a list like 0,4-7",           \
			"show only these ranks: a list like 0,4-7", \
			.set = report_choice_rank                   \
	}
#define REPORT_OPTION_SECTION(sections, setter)                   \
	{                                                         \
		"section", 's', "NAMES", "some of " sections,     \
			"show only these sections, of " sections, \
			.set = (setter)                           \
	}
/* `otherwise`: how many rows are shown without it. */
#define REPORT_OPTION_TOP(otherwise)                                         \
	{                                                                    \
		"top", 'n', "N", "a number; 0 for all",                      \
			"show the first N rows of each table; 0 shows all; " \
			"default: " otherwise,                               \
			.set = report_choice_top                             \
	}
#define REPORT_OPTION_WIDTH                                                    \
	{                                                                      \
		"width", 'w', "N", NULL,                                       \
			"width of a line in columns; default: the width of "   \
			"the terminal, else 80",                               \
			OPTION_NUMBER(&report_choice.options.width, 60, 10000) \
	}
#define REPORT_OPTION_COLOR                                                \
	{                                                                  \
		"color", 0, "WHEN", "auto, always or never",               \
			"color the output: auto (on a terminal), always, " \
			"never",                                           \
			OPTION_WORD(&report_choice.color, REPORT_AUTO)     \
	}
#define REPORT_OPTION_CSV(doc)                                                \
	{                                                                     \
		"csv", 0, NULL, NULL, doc,                                    \
			OPTION_CONSTANT(&report_choice.format, REPORT_AS_CSV) \
	}
#define REPORT_OPTION_JSON(doc)                                                \
	{                                                                      \
		"json", 0, NULL, NULL, doc,                                    \
			OPTION_CONSTANT(&report_choice.format, REPORT_AS_JSON) \
	}

bool report_choice_rank(const struct option_spec *option, const char *value);
bool report_choice_top(const struct option_spec *option, const char *value);

/* The option table, whose options set report_choice. */
const struct option_spec *report_choice_options(void);

/*
 * Checks the options against each other, and chooses sections and look.
 * Returns 0, or -EINVAL after it has said which do not go together.
 */
int report_choice_finish(void);
/* Chooses width, color and rows only, for verbs without sections. */
void report_choice_look(void);

/*
 * Draws the trace in folder `path`, under its name if there are `several`.
 * Returns 0, or -errno after it has said why not.
 */
int report_timeline(const char *path, bool several);

struct run;

/*
 * Writes the efficiencies into the file `path` as DLB's TALP does.  Returns 0,
 * or -errno after it has printed the error.
 */
int report_talp(const struct run *run, const char *path);

/* Shows which calls the ranks of a running job are in. */
void report_calls_under_way(const struct run *run);

/* A table for people, as the options want. */
void report_choice_show(const struct table *table);
/* Some in the format that was asked for. */
void report_choice_tables(struct table *const tables[], size_t n);

#endif
