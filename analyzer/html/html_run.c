/* SPDX-License-Identifier: BSD-3-Clause */

/* The sections of a run's report, as parts of a page. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_run.h"
#include "analyzer/html/html_source.h"
#include "analyzer/show/table_html.h"
#include "analyzer/trace/traces.h"

#define WIDTH 100000 /* no table is short of columns */
#define ROWS  10000
#define PAIRS 1000 /* of ranks: there are many, and the matrix has all */

/* The text of the part that was made; NULL if it is empty. */
static void part_end(struct html_run *r, const char *id, const char *title,
		     char *text)
{
	struct html_part *part = html_page_part(r->page, id, title);

	if (*text)
		part->texts[r->number] = text;
	else
		free(text);
}

static void part_overview(struct html_run *r)
{
	char *text;
	size_t size;

	r->body = mem_stream(&text, &size);
	html_overview(r);
	fclose(r->body);
	part_end(r, "overview", "Overview", text);
}

/* Puts a section's chart. Returns true if it stands for the tables as well. */
static bool put_chart(struct html_run *r, const char *section)
{
	if (strcmp(section, "ranks") == 0) {
		html_bars(r);
		html_put_chart(r, "bars", "Time by rank");
	} else if (strcmp(section, "matrix") == 0) {
		if (html_matrix(r))
			html_put_chart(r, "matrix", "Bytes from rank to rank");
		return true;
	} else if (strcmp(section, "distributions") == 0) {
		for (size_t i = 0; i < r->report.n_tables; i++) {
			html_put_data(r, r->report.tables[i]);
			r->report.tables[i] = NULL;
		}
		r->report.n_tables = 0;
		html_put_chart(r, "distributions", "How long calls took");
		return true;
	}
	return false;
}

static const char *title_of(const struct report *report, const char *section)
{
	if (strcmp(section, "matrix") == 0)
		return "Bytes from rank to rank";
	if (strcmp(section, "distributions") == 0)
		return "Distributions of time and size";
	for (size_t i = 0; i < report->n_tables; i++)
		if (html_put_shows(report->tables[i]))
			return report->tables[i]->title;
	return section;
}

/* How many rows the tables of a section have at most. */
static size_t top_of(const struct html_choice *choice, const char *section)
{
	if (choice->top_given)
		return choice->top;
	return strcmp(section, "peers") == 0 ? PAIRS : ROWS;
}

static void part_section(struct html_run *r,
			 const struct report_section *section,
			 struct report_options *options)
{
	struct report *report = &r->report;
	const char *title;
	char *text;
	size_t size;

	options->top = top_of(r->choice, section->name);
	report->n_tables = 0;
	/* Its table has a column for each rank. */
	if (strcmp(section->name, "matrix") != 0)
		section->build(report);
	title = title_of(report, section->name);
	if (strcmp(section->name, "sites") == 0 && r->choice->source)
		for (size_t i = 0; i < report->n_tables; i++)
			html_source(report->tables[i]);
	r->body = mem_stream(&text, &size);
	if (!put_chart(r, section->name))
		html_put_tables(r, report->tables, report->n_tables);
	fclose(r->body);
	part_end(r, section->name, title, text);
	for (size_t i = 0; i < report->n_tables; i++)
		table_free(report->tables[i]);
}

static int part_slices(struct html_run *r)
{
	char *text;
	size_t size;
	bool any;
	int rc;

	r->body = mem_stream(&text, &size);
	rc = html_slices(r, &any);
	fclose(r->body);
	part_end(r, "slices", "Slices", text);
	return rc;
}

static int part_timeline(struct html_run *r)
{
	char *text;
	size_t size;
	int rc;

	r->body = mem_stream(&text, &size);
	rc = html_timeline(r);
	fclose(r->body);
	part_end(r, "timeline", "Timeline", text);
	return rc;
}

static void parts_of_report(struct html_run *r, struct report_options *options)
{
	const bool traced = traces_are_there(r->report.run->path);

	for (size_t i = 0; report_sections[i].name; i++)
		if (traced || !(report_sections[i].flags & REPORT_TRACE))
			part_section(r, &report_sections[i], options);
}

static void report_end(struct report *report)
{
	for (size_t i = 0; i < report->n_kept; i++)
		free(report->kept[i]);
	free(report->kept);
	free(report->tables);
	symbols_free(report->symbols);
}

int html_run_add(struct html_page *page, size_t number, const struct run *run,
		 const struct html_choice *choice)
{
	struct report_options options = { .top_given = true, .width = WIDTH };
	struct html_run r = {
		.page = page,
		.number = number,
		.choice = choice,
		.report = { .run = run,
			    .options = &options,
			    .symbols = symbols_new(&run->code),
			    .total = run_total_time(run) },
	};
	size_t size;
	int rc;

	r.data = mem_stream(&page->data[number], &size);
	part_overview(&r);
	parts_of_report(&r, &options);
	rc = part_slices(&r);
	if (rc == 0)
		rc = part_timeline(&r);
	fclose(r.data);
	report_end(&r.report);
	return rc;
}
