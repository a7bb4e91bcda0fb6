/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs html`: one file with everything that is known of a run, or of several.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/base/units.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/html/html_diff.h"
#include "analyzer/html/html_file.h"
#include "analyzer/html/html_run.h"
#include "analyzer/run/records.h"
#include "analyzer/show/output.h"

#define TOP_MAX    1000000000
#define RUNS_MAX   16 /* side by side */
#define EVENTS     2000000
#define EVENTS_MAX 100000000

static struct {
	struct html_choice page;
	const char *output; /* NULL: beside the first record */
} choice = { .page = { .source = true, .events = EVENTS } };

static bool set_top(const struct option_spec *option, const char *value)
{
	unsigned long top;

	(void)option;
	if (!options_number(value, 0, TOP_MAX, &top))
		return false;
	choice.page.top = top;
	choice.page.top_given = true;
	return true;
}

static bool set_no_source(const struct option_spec *option, const char *value)
{
	(void)option;
	(void)value;
	choice.page.source = false;
	return true;
}

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "output", 'o', "FILE", "the name of a file, or - for stdout",
		  "write the page to FILE, or to stdout if FILE is -; default: "
		  "beside the first record, .html instead of .bcs",
		  OPTION_TEXT(&choice.output) },
		{ "top", 'n', "N", "a number; 0 for all",
		  "put the first N rows of each table into the page; 0 puts "
		  "all; default: 10000, and 1000 pairs of ranks",
		  .set = set_top },
		{ "events", 0, "N", "a number; 0 for no timeline",
		  "put the first N calls of a trace into the timeline; 0 "
		  "leaves it out; default: 2000000",
		  OPTION_COUNT(&choice.page.events, 0, EVENTS_MAX) },
		{ "no-source", 0, NULL, NULL,
		  "leave out the lines of source at call sites",
		  .set = set_no_source },
		{ 0 },
	};

	return list;
}

/* "app.42.bcs" is shown in "app.42.html". */
static char *beside(const char *path)
{
	size_t len = strlen(path);

	if (len > 4 && strcmp(path + len - 4, ".bcs") == 0)
		len -= 4;
	return mem_print("%.*s.html", (int)len, path);
}

/* "solve, 3 ranks"; of several runs the first one's, and how many there are. */
static char *title_of(const struct run *run, size_t n_runs)
{
	uint64_t others;
	const char *program = run_fact(run, RUN_PROGRAM, &others);

	if (n_runs > 1)
		return mem_print("%s, %zu runs", program, n_runs);
	return mem_print("%s, %zu rank%s", program, run->n_ranks,
			 run->n_ranks == 1 ? "" : "s");
}

static int add_run(struct html_page *page, struct diff *diff, size_t number,
		   char *path, const char *side)
{
	struct run *run;
	int rc;

	options_drop_slashes(path);
	rc = run_load(&run, path, NULL);
	if (rc != 0)
		return rc;
	page->labels[number] = mem_print("%s%s", side, path);
	if (!page->title)
		page->title = title_of(run, page->n_runs);
	if (diff)
		diff_add(diff, run);
	rc = html_run_add(page, number, run, &choice.page);
	run_free(run);
	return rc;
}

/* All records are looked at, so that each that is bad is told of. */
static int add_runs(struct html_page *page, struct diff *diff, int argc,
		    char **argv)
{
	size_t number = 0;
	bool of_b = false;
	int rc = 0;

	for (int i = 0; i < argc; i++) {
		const bool colon = strcmp(argv[i], ":") == 0;

		if (!colon && add_run(page, diff, number++, argv[i],
				      !diff  ? ""
				      : of_b ? "B: "
					     : "A: ") != 0)
			rc = 2;
		of_b |= colon;
	}
	say_rest();
	return rc;
}

static int write_page(const struct html_page *page, const char *first)
{
	char *path = choice.output ? mem_text(choice.output) : beside(first);
	char *shown = mem_shown(path);
	size_t size;
	int rc = html_file_write(page, path, &size);

	if (rc == 0 && size > 0)
		printf("%s: %s\n", shown, units_bytes_text(size));
	free(shown);
	free(path);
	return rc ? 2 : 0;
}

static int make(int argc, char **argv, size_t n_runs, struct diff *diff)
{
	struct html_page page = {
		.n_runs = n_runs,
		.labels = mem_alloc(n_runs, sizeof(*page.labels)),
		.data = mem_alloc(n_runs, sizeof(*page.data)),
		.traces = mem_alloc(n_runs, sizeof(*page.traces)),
	};
	int status;

	status = add_runs(&page, diff, argc, argv);
	if (status == 0) {
		if (diff) {
			diff_match(diff);
			html_diff_add(&page, diff, &choice.page);
		}
		status = write_page(&page, argv[0]);
	}
	html_page_clear(&page);
	return status;
}

static bool has_colon(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (strcmp(argv[i], ":") == 0)
			return true;
	return false;
}

/* With a ':' between them, what changed is shown as well. */
static int make_of(int argc, char **argv)
{
	struct diff *diff = NULL;
	size_t n_a = (size_t)argc;
	size_t n_b = 0;
	int status;

	if (has_colon(argc, argv)) {
		if (diff_split(argc, argv, &n_a, &n_b) != 0) {
			say_error("it compares two groups of runs with one "
				  "':' in between (see --help)");
			return 2;
		}
		if (n_a + n_b > 2 && diff_twice(argc, argv) != 0)
			return 2;
		diff = diff_new(n_a, n_b);
	}
	if (n_a + n_b > RUNS_MAX) {
		say_error("%zu runs do not fit side by side: %d at most",
			  n_a + n_b, RUNS_MAX);
		diff_free(diff);
		return 2;
	}
	status = make(argc, argv, n_a + n_b, diff);
	diff_free(diff);
	return status;
}

static int run(int argc, char **argv)
{
	char newest[PATH_MAX];
	char *one[] = { newest };
	int status;
	int rc;

	if (argc == 0) {
		if (records_newest(newest) != 0)
			return 2;
		argv = one;
		argc = 1;
	}
	status = make_of(argc, argv);
	rc = output_end();
	return rc ? rc : status;
}

const struct verb verb_html = {
	.name = "html",
	.summary = "write a recorded run as one web page",
	.operands = "[DIR...]\n       bcs html [options] A... : B...",
	.about = "Writes what is known of the record in DIR, or in the newest "
		 "*.bcs of the current\nfolder, as one HTML file: the tables "
		 "of bcs report and bcs slices, and charts.\nSeveral runs "
		 "stand side by side. With a ':' between two groups the page "
		 "begins\nwith what bcs diff finds.\n\nThe page loads "
		 "nothing from a network. An existing file is replaced "
		 "only\nif it is a page of bcs html.\n",
	.options = options,
	.run = run,
};
