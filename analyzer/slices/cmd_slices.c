/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs slices`: reads the slices of a record and shows tables or a plot of
 * them.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/base/units.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/run/records.h"
#include "analyzer/run/run.h"
#include "analyzer/show/output.h"
#include "analyzer/show/table_show.h"
#include "analyzer/slices/series.h"
#include "analyzer/slices/slices_summary.h"
#include "mds/settings/settings.h"

#define TOP_MAX  1000
#define BINS_MAX 1000000
#define SVG_BINS 770

/* The options of the command line. */
static struct {
	const struct slices_metric *metric;
	uint64_t from;
	uint64_t to;
	enum { OVER_NUMBER, OVER_TIME } over;
	size_t bins; /* 0: each slice */
	size_t top;
	bool svg;
} choice = { .to = UINT64_MAX, .top = 10 };

static bool set_metric(const struct option_spec *option, const char *value)
{
	(void)option;
	choice.metric = slices_metric_find(value);
	return choice.metric != NULL;
}

static bool set_slices(const struct option_spec *option, const char *value)
{
	struct settings scratch;

	(void)option;
	if (!settings_find("BCS_EMDS_SLICES")->set(&scratch, value))
		return false;
	choice.from = scratch.emds_from;
	choice.to = scratch.emds_to;
	return true;
}

/* "getts, gtdem, ..." */
static const char *metric_names(void)
{
	static char names[512];
	size_t at = 0;

	for (const struct slices_metric *m = slices_metrics; m->name; m++)
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
				       at ? ", " : "", m->name);
	return names;
}

static const struct option_spec *options(void)
{
	static struct option_spec list[] = {
		{ "metric", 'm', "NAME", NULL, NULL, .set = set_metric },
		{ "over", 0, "WHAT", "number or time",
		  "plot the metric over the number of the slice, or over time; "
		  "default: number",
		  OPTION_WORD(&choice.over, OVER_NUMBER) },
		{ "bins", 'b', "N", NULL,
		  "plot at most N points, each with the minimum, mean and "
		  "maximum of its slices",
		  OPTION_COUNT(&choice.bins, 1, BINS_MAX) },
		{ "slices", 's', "FROM-TO", "a range like 7500-12500, or all",
		  "show only these slices", .set = set_slices },
		REPORT_OPTION_RANK,
		{ "top", 'n', "N", NULL,
		  "list the N longest and the N latest slices; default: 10",
		  OPTION_COUNT(&choice.top, 0, TOP_MAX) },
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_COLOR,
		REPORT_OPTION_CSV("print the series as CSV; without --metric "
				  "print every row of the record"),
		REPORT_OPTION_JSON("print the series as JSON; without "
				   "--metric print the summary"),
		{ "svg", 0, NULL, NULL, "draw the series as SVG",
		  OPTION_FLAG(&choice.svg) },
		{ 0 },
	};

	if (!list[0].doc) {
		list[0].values = mem_print("one of %s", metric_names());
		list[0].doc = mem_print("plot one metric: %s", metric_names());
	}
	return list;
}

static void show_summary(struct slices *slices)
{
	struct slices_summary summary = { .slices = slices, .top = choice.top };
	struct table *tables[SLICES_TABLES_MAX];
	size_t n;

	slices_summary_take(&summary);
	n = slices_summary_tables(&summary, tables);
	report_choice_tables(tables, n);
	for (size_t i = 0; i < n; i++)
		table_free(tables[i]);
	slices_summary_clear(&summary);
}

/* Those that exist in the mode; older records have the others, too. */
static uint64_t columns_of(const struct lanes *lanes)
{
	return lanes_columns(lanes) & emds_columns_of(lanes->by_time, true);
}

static void show_row(const struct lane *lane, uint64_t columns)
{
	const uint64_t own = emds_columns(lane->reader);

	printf("%" PRIu64, lane->rank);
	for (int i = 0; i < EMDS_COLUMNS; i++)
		if (columns & own & EMDS_BIT(i))
			printf(",%" PRIu64, lane->row.value[i]);
		else if (columns & EMDS_BIT(i))
			putchar(',');
	putchar('\n');
}

/* Every row, as recorded but for the clock. */
static void show_rows(struct slices *slices)
{
	const uint64_t columns = columns_of(&slices->lanes);
	struct lane *lane;

	printf("\"rank\"");
	for (int i = 0; i < EMDS_COLUMNS; i++)
		if (columns & EMDS_BIT(i))
			printf(",\"%.*s%s\"", (int)strcspn(emds_names[i], "_"),
			       emds_names[i],
			       strchr(emds_names[i], '_') ? "_ns" : "");
	putchar('\n');
	while ((lane = slices_row(slices)))
		show_row(lane, columns);
}

static const char *word(const struct slices *slices)
{
	return slices->lanes.by_time ? "slice" : "turn";
}

static const char *unit(void)
{
	return choice.metric->kind == TABLE_TIME ? "_ns" : "";
}

static uint64_t place_of(const struct slice *slice)
{
	return choice.over == OVER_TIME ? slice->begin : slice->number;
}

static uint64_t value_of(const struct slice *slice)
{
	return choice.metric->of(slice, choice.metric);
}

static void show_each(struct slices *slices)
{
	const bool json = report_choice.format == REPORT_AS_JSON;
	struct slice slice;
	size_t n = 0;

	printf(json ? "{\"format\": 1, \"metric\": \"%s%s\", \"slices\": ["
		    : "\"slice\",\"begin_ns\",\"rank\",\"%s%s\"\n",
	       choice.metric->name, unit());
	while (slices_next(slices, &slice)) {
		if (!slices_metric_is_known(choice.metric, &slice))
			continue;
		printf(json ? "%s{\"slice\": %" PRIu64
			      ", \"begin_ns\": %" PRIu64 ", \"rank\": %" PRIu64
			      ", \"value\": %" PRIu64 "}"
			    : "%s%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			      "\n",
		       !json ? ""
		       : n++ ? ",\n "
			     : "\n ",
		       slice.number, slice.begin, slice.slowest,
		       value_of(&slice));
	}
	if (json)
		printf("]}\n");
}

static void show_bins(const struct series *series)
{
	const bool json = report_choice.format == REPORT_AS_JSON;
	size_t n = 0;

	printf(json ? "{\"format\": 1, \"metric\": \"%s%s\", \"bins\": ["
		    : "\"from\",\"to\",\"count\",\"min\",\"mean\",\"max\"\n",
	       choice.metric->name, unit());
	for (size_t i = 0; i < series->n; i++) {
		const struct series_bin *bin = &series->bins[i];

		if (bin->n == 0)
			continue;
		printf(json ? "%s{\"from\": %" PRIu64 ", \"to\": %" PRIu64
			      ", \"count\": %" PRIu64 ", \"min\": %" PRIu64
			      ", \"mean\": %.3f, \"max\": %" PRIu64 "}"
			    : "%s%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			      ",%.3f,%" PRIu64 "\n",
		       !json ? ""
		       : n++ ? ",\n "
			     : "\n ",
		       bin->from, bin->to, bin->n, bin->min,
		       bin->sum / (double)bin->n, bin->max);
	}
	if (json)
		printf("]}\n");
}

static const char *number_text(uint64_t number)
{
	static char texts[2][24];
	static unsigned turn;
	char *text = texts[turn++ % 2];

	snprintf(text, sizeof(texts[0]), "%" PRIu64, number);
	return text;
}

static void show_plot(const struct series *series, bool by_time)
{
	char title[160];
	const struct series_words words = {
		.title = title,
		.at = choice.over == OVER_TIME ? "time"
		      : by_time                ? "slices"
					       : "turns",
		.value = choice.metric->kind == TABLE_TIME    ? units_time_text
			 : choice.metric->kind == TABLE_BYTES ? units_bytes_text
							      : number_text,
		.place = choice.over == OVER_TIME ? units_time_text
						  : number_text,
	};

	snprintf(title, sizeof(title), "%s: %s", choice.metric->name,
		 slices_metric_what(choice.metric, by_time));
	if (choice.svg)
		series_svg(series, &words);
	else
		series_plot(series, &words, report_choice.options.width);
}

static void show_series(struct slices *slices)
{
	struct series series;
	struct slice slice;

	series_begin(&series, choice.bins  ? choice.bins
			      : choice.svg ? SVG_BINS
					   : report_choice.options.width);
	while (slices_next(slices, &slice))
		if (slices_metric_is_known(choice.metric, &slice))
			series_add(&series, place_of(&slice), value_of(&slice));
	if (choice.svg || report_choice.format == REPORT_AS_TEXT)
		show_plot(&series, slices->lanes.by_time);
	else
		show_bins(&series);
	series_end(&series);
}

static void show(struct slices *slices)
{
	if (!choice.metric && report_choice.format == REPORT_AS_CSV)
		show_rows(slices);
	else if (!choice.metric)
		show_summary(slices);
	else if (choice.bins || choice.svg ||
		 report_choice.format == REPORT_AS_TEXT)
		show_series(slices);
	else
		show_each(slices);
}

/* A series that is short of slices says so, too. */
static void warn_dropped(const struct slices *slices)
{
	const uint64_t n = lanes_dropped(&slices->lanes);

	if (n && (choice.metric || report_choice.format != REPORT_AS_TEXT))
		say_warning("%" PRIu64 " %ss came faster than they could "
			    "be written, and are not on record",
			    n, word(slices));
}

/* Whether there is anything to show; what was read of it stays. */
static int what_is_there(struct slices *slices, const char *path)
{
	if (choice.metric &&
	    !slices_metric_exists(choice.metric, slices->lanes.by_time)) {
		say_error("%s: %ss %s have no %s", path, word(slices),
			  slices->lanes.by_time ? "by the strobe" : "on demand",
			  choice.metric->name);
		return -ENOENT;
	}
	if (choice.metric &&
	    !slices_metric_is_there(choice.metric,
				    lanes_columns(&slices->lanes))) {
		say_error("%s: %s was not recorded (BCS_EMDS_METRICS)", path,
			  choice.metric->name);
		return -ENOENT;
	}
	if (slices_are_left(slices))
		return 0;
	/* Of a damaged file nothing else can be said. */
	if (!lanes_are_whole(&slices->lanes))
		return -ENOENT;
	if (choice.from == 0 && choice.to == UINT64_MAX)
		say_error("%s: no %s was run that was to be recorded", path,
			  word(slices));
	else
		say_error("%s: has none of the %ss %" PRIu64 " to %" PRIu64,
			  path, word(slices), choice.from, choice.to);
	return -ENOENT;
}

static int slices_of(const char *path)
{
	struct slices slices;
	int rc;

	rc = slices_open(&slices, path, report_choice.filter.ranks, choice.from,
			 choice.to);
	if (rc != 0)
		return rc;
	rc = what_is_there(&slices, path);
	if (rc == 0) {
		show(&slices);
		warn_dropped(&slices);
	}
	slices_close(&slices);
	return rc;
}

static int choice_finish(void)
{
	if (!options_one_at_most(OPTIONS("csv", "json", "svg")))
		return 2;
	if (choice.svg && !choice.metric) {
		say_error("--svg is of one --metric");
		return 2;
	}
	report_choice_look();
	return 0;
}

static int slices(int argc, char **argv)
{
	char newest[PATH_MAX];
	const char *path;
	int status;

	if (choice_finish() != 0)
		return 2;
	path = records_one(argc, argv, newest);
	if (!path)
		return 2;
	status = slices_of(path) == 0 ? 0 : 2;
	say_rest();
	return output_end() ? 2 : status;
}

const struct verb verb_slices = {
	.name = "slices",
	.summary = "show what the time slices of a run did",
	.operands = "[DIR]",
	.about = "Shows the slices of the record in DIR, or of the newest "
		 "*.bcs of the current folder:\ntheir number and length, the "
		 "time of their microphases, what they moved, and the\nlongest "
		 "and the latest slices.\n\nRecord slices with bcs run "
		 "--emds=on (BCS_EMDS=on).  In fixed mode all processes of\na "
		 "node share a slice; on demand each process has turns of "
		 "its own.\n",
	.options = options,
	.run = slices,
};
