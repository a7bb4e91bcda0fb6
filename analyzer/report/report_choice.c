/* SPDX-License-Identifier: BSD-3-Clause */

/* Which sections the options ask for, and in which format tables are shown. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"

struct report_choice report_choice = { .options.top = REPORT_TOP };

static bool is_default(const struct report_section *section)
{
	if (report_choice.format == REPORT_AS_JSON)
		return section->flags & REPORT_JSON;
	if (report_choice.format == REPORT_AS_CSV)
		return strcmp(section->name, "primitives") == 0;
	if (strcmp(section->name, "ranks") == 0)
		return report_choice.ranks;
	if (strcmp(section->name, "matrix") == 0)
		return report_choice.matrix;
	if (report_choice.filter.calls)
		return section->flags & REPORT_CALLS;
	return section->flags & REPORT_USUAL;
}

static unsigned choose_sections(void)
{
	unsigned n = 0;

	for (size_t i = 0; report_sections[i].name; i++) {
		if (!report_choice.any_section)
			report_choice.sections[i] = is_default(
				&report_sections[i]);
		n += report_choice.sections[i];
	}
	return n;
}

static bool wants_color(void)
{
	const char *no_color = getenv("NO_COLOR");

	if (report_choice.color != REPORT_AUTO)
		return report_choice.color == REPORT_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

void report_choice_look(void)
{
	struct report_options *options = &report_choice.options;

	options->machine = report_choice.format != REPORT_AS_TEXT;
	if (options->machine && !options->top_given)
		options->top = 0;
	if (options->width == 0 || options->width_is_measured) {
		options->width = output_width();
		options->width_is_measured = true;
	}
	report_choice.color = wants_color() ? REPORT_ALWAYS : REPORT_NEVER;
}

int report_choice_finish(void)
{
	const char *const *no_table = OPTIONS(
		"csv", "json", "section", "sort", "top", "reference", "talp",
		"primitive", "call", "ranks", "paths", "matrix", "percent");

	if (!options_one_at_most(OPTIONS("csv", "json")) ||
	    (report_choice.timeline &&
	     !options_none(no_table, "with --timeline")))
		return -EINVAL;
	if (choose_sections() != 1 && report_choice.format == REPORT_AS_CSV) {
		say_error("--csv takes one --section at a time");
		return -EINVAL;
	}
	report_choice_look();
	return 0;
}

void report_choice_show(const struct table *table)
{
	const struct table_look look = {
		.width = report_choice.options.width,
		.color = report_choice.color == REPORT_ALWAYS,
		.percent = report_choice.percent,
	};

	table_show(table, &look);
}

/* A document of them. */
static void show_json(struct table *const tables[], size_t n)
{
	printf("{\"format\": 1, \"bcs\": \"" BCS_VERSION "\"");
	for (size_t i = 0; i < n; i++) {
		if (tables[i]->flags & TABLE_PEOPLE)
			continue;
		printf(",\n ");
		table_json(tables[i]);
	}
	puts("}");
}

static void show_csv(struct table *const tables[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			putchar('\n');
		table_csv(tables[i], NULL, true);
	}
}

static void show_text(struct table *const tables[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(tables[i]->flags & TABLE_MACHINE))
			report_choice_show(tables[i]);
}

void report_choice_tables(struct table *const tables[], size_t n)
{
	if (report_choice.format == REPORT_AS_JSON)
		show_json(tables, n);
	else if (report_choice.format == REPORT_AS_CSV)
		show_csv(tables, n);
	else
		show_text(tables, n);
}
