/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs report`: reads each record and shows its sections. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/verb.h"
#include "analyzer/findings/finding_buffers.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/run/records.h"
#include "analyzer/show/output.h"

static unsigned n_shown; /* runs so far */
static struct run *reference;

/* `n_before` tables of the same run were shown before. */
static void show_table(const struct table *table, size_t n_before,
		       const char *run)
{
	switch (report_choice.format) {
	case REPORT_AS_TEXT:
		report_choice_show(table);
		break;
	case REPORT_AS_JSON:
		fputs(n_before ? ",\n   " : "  {", stdout);
		table_json(table);
		break;
	case REPORT_AS_CSV:
		table_csv(table, run, n_shown == 0);
		break;
	}
}

/* Builds a section, shows it, and forgets it; returns the number of tables. */
static size_t show_section(struct report *report, size_t section,
			   size_t n_before, const char *run)
{
	size_t n = 0;

	report->n_tables = 0;
	report_sections[section].build(report);
	for (size_t i = 0; i < report->n_tables; i++) {
		const struct table *table = report->tables[i];

		if (!report->options->machine || !(table->flags & TABLE_PEOPLE))
			show_table(table, n_before + n++, run);
		table_free(report->tables[i]);
	}
	return n;
}

static void show_sections(struct report *report, const char *run)
{
	const bool json = report_choice.format == REPORT_AS_JSON;
	size_t n = 0;

	if (json && n_shown == 0)
		printf("{\"format\": 1, \"bcs\": \"%s\", \"runs\": [",
		       BCS_VERSION);
	if (json)
		fputs(n_shown ? ",\n" : "\n", stdout);
	for (size_t i = 0; report_sections[i].name; i++)
		if (report_choice.sections[i])
			n += show_section(report, i, n, run);
	if (json)
		fputs(n ? "}" : "  {}", stdout);
}

/* Returns 0, or -ENODATA if a section could not be made. */
static int show_run(const struct run *run, bool several)
{
	struct report report = {
		.run = run,
		.reference = reference,
		.options = &report_choice.options,
		.symbols = symbols_new(&run->code),
		.total = run_total_time(run),
	};

	show_sections(&report, several ? run->path : NULL);
	n_shown++;
	for (size_t i = 0; i < report.n_kept; i++)
		free(report.kept[i]);
	free(report.kept);
	free(report.tables);
	symbols_free(report.symbols);
	return report.failed ? -ENODATA : 0;
}

static void look_at_buffers(struct run *run)
{
	struct symbols *symbols = symbols_new(&run->code);

	finding_buffers_look(run, symbols);
	symbols_free(symbols);
}

static int report_path(char *path, bool several)
{
	struct run *run;
	int rc;

	options_drop_slashes(path);
	if (report_choice.timeline)
		return report_timeline(path, several);
	rc = run_load(&run, path, &report_choice.filter);
	if (rc != 0)
		return rc;
	look_at_buffers(run);
	rc = show_run(run, several);
	if (report_choice.talp)
		rc = report_talp(run, report_choice.talp) ? -EIO : rc;
	run_free(run);
	return rc;
}

static int report(int argc, char **argv)
{
	char newest[PATH_MAX];
	char *one[] = { newest };
	int status = 0;
	int rc;

	if (report_choice_finish() != 0)
		return 2;
	if (report_choice.talp && argc > 1) {
		say_error("--talp takes one record at a time");
		return 2;
	}
	if (argc == 0) {
		if (records_newest(newest) != 0)
			return 2;
		argv = one;
		argc = 1;
	}
	if (report_choice.reference &&
	    run_load(&reference, report_choice.reference, NULL) != 0)
		return 2;
	for (int i = 0; i < argc; i++)
		if (report_path(argv[i], argc > 1) != 0)
			status = 2;
	run_free(reference);
	say_rest();
	if (report_choice.format == REPORT_AS_JSON && n_shown)
		fputs("\n]}\n", stdout);
	rc = output_end();
	return rc ? rc : status;
}

/* As CSV there is one table. */
static bool is_now(size_t section)
{
	const char *name = report_sections[section].name;

	return strcmp(name, "now") == 0 ||
	       (strcmp(name, "findings") == 0 &&
		report_choice.format != REPORT_AS_CSV);
}

void report_calls_under_way(const struct run *run)
{
	report_choice_look();
	report_choice.options.asked = true;
	for (size_t i = 0; report_sections[i].name; i++)
		report_choice.sections[i] = is_now(i);
	show_run(run, false);
	if (report_choice.format == REPORT_AS_JSON)
		fputs("\n]}\n", stdout);
}

const struct verb verb_report = {
	.name = "report",
	.summary = "show what a recorded run spent its time on",
	.operands = "[DIR...]",
	.about = "Shows the record in DIR, or in the newest *.bcs of the "
		 "current folder: what ran,\nwhere its time went by rank, "
		 "primitive, call site, peer and message size, and\nnotes "
		 "on how far it can be trusted.\n",
	.options = report_choice_options,
	.run = report,
};
