/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs model fit`: reads measurements, fits every operation, and shows, saves
 * or exports the result.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/input.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/verb.h"
#include "analyzer/model/model_fit_choice.h"
#include "analyzer/model/model_fit_show.h"
#include "analyzer/model/model_record.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"

static int read_one(struct points *points, const char *path)
{
	struct tree_fault fault = { "there is no memory left" };
	size_t size;
	char *text;
	int rc;

	if (model_record_is(path))
		return model_record_read(points, path);
	text = input_read(path, READING_ARGUMENT, &size);
	if (!text)
		return 2;
	rc = points_read(points, text, size, model_fit_choice.algorithm,
			 &fault);
	free(text);
	if (rc == 0)
		return 0;
	say_error("%s: %s", path, fault.text);
	return 2;
}

static void keep_operation(struct points *points)
{
	size_t kept = 0;

	for (size_t i = 0; i < points->n; i++)
		if (model_fit_choice.operation == FORMULA_OPERATIONS ||
		    points->points[i].operation == model_fit_choice.operation)
			points->points[kept++] = points->points[i];
	points->n = kept;
}

static int add_messages(struct points *points)
{
	const int rc = points_add_logp(points);

	if (rc == -EINVAL)
		say_error("lines of rtt need one of 0 bytes, RTT(0)");
	else if (rc != 0)
		say_error("there is no memory left");
	if (points->n_short)
		say_warning("%zu round trips are shorter than half of an empty "
			    "one: left out; RTT(0) was disturbed",
			    points->n_short);
	return rc ? 2 : 0;
}

static int read_all(struct points *points, int argc, char **argv)
{
	int status = 0;

	for (int i = 0; status == 0 && i < argc; i++)
		status = read_one(points, argv[i]);
	if (status != 0)
		return status;
	if (points->n_foreign)
		say_warning("%zu lines are of operations that no formula is "
			    "of: left out",
			    points->n_foreign);
	if (points->n_algorithm)
		say_warning("%zu lines are of other algorithms than %s: left "
			    "out (see --algorithm)",
			    points->n_algorithm, model_fit_choice.algorithm);
	status = add_messages(points);
	if (status != 0)
		return status;
	keep_operation(points);
	if (points->n == 0 &&
	    model_fit_choice.operation == FORMULA_OPERATIONS) {
		say_error("no round trips beside the overheads");
		return 2;
	}
	if (points->n == 0) {
		say_error("no measurement of %s",
			  formulas[model_fit_choice.operation].name);
		return 2;
	}
	points_sort(points);
	return 0;
}

/* It ends at once, without the line that it last showed. */
static void interrupt(int number)
{
	static const char erase[] = "\r\033[K";

	if (isatty(STDERR_FILENO) &&
	    write(STDERR_FILENO, erase, sizeof(erase) - 1) < 0)
		_exit(128 + number);
	signal(number, SIG_DFL);
	raise(number);
}

static void show_progress(enum formula_operation operation, enum fit_form form,
			  unsigned part, unsigned parts)
{
	char line[80];

	if (!say_progress_due())
		return;
	snprintf(line, sizeof(line),
		 parts ? "%s, %s: part %u of %u is left out" : "%s, %s",
		 formulas[operation].name, fit_names[form], part + 1, parts);
	say_progress(line);
}

/* An operation with too few points is left out, with a warning. */
static int fit_one(const struct point *points, size_t n, struct fits *fits,
		   size_t *n_fits)
{
	const char *name = formulas[points->operation].name;
	const int rc = fits_make(&fits[*n_fits], points, n,
				 &model_fit_choice.rules);

	if (rc == 0)
		++*n_fits;
	else if (rc == -EDOM)
		say_warning("%s: too few different sizes to fit anything: left "
			    "out",
			    name);
	else
		say_error("%s: there is no memory left", name);
	return rc == 0 || rc == -EDOM ? 0 : 2;
}

static int fit_all(const struct points *points, struct fits *fits,
		   size_t *n_fits)
{
	const struct point *all = points->points;
	size_t first = 0;
	int status = 0;

	for (size_t i = 1; status == 0 && i <= points->n; i++) {
		if (i < points->n && all[i].operation == all[first].operation)
			continue;
		status = fit_one(all + first, i - first, fits, n_fits);
		first = i;
	}
	say_progress(NULL);
	if (status == 0 && *n_fits == 0) {
		say_error("there is nothing that could be fitted");
		status = 2;
	}
	return status;
}

static int of_points(const struct points *points)
{
	struct fits *fits;
	size_t n = 0;
	int status;

	if (model_fit_choice.export == EXPORT_TEXT ||
	    model_fit_choice.export == EXPORT_JSON)
		return model_fit_show_points(points);
	fits = mem_alloc(FORMULA_OPERATIONS, sizeof(*fits));
	model_fit_choice.rules.tell = show_progress;
	signal(SIGINT, interrupt);
	status = fit_all(points, fits, &n);
	signal(SIGINT, SIG_IGN); /* what is written now is written whole */
	if (status == 0)
		status = model_fit_show(fits, n, &points->logp);
	for (size_t i = 0; i < n; i++)
		fits_clear(&fits[i]);
	free(fits);
	return status;
}

static int fit(int argc, char **argv)
{
	struct points points = { 0 };
	int status;

	if (argc == 0) {
		say_error("at least one FILE of measurements (see --help)");
		return 2;
	}
	if (!model_fit_choice_suits())
		return 2;
	report_choice_look();
	status = read_all(&points, argc, argv);
	if (status == 0)
		status = of_points(&points);
	say_rest();
	points_clear(&points);
	return output_end() ? 2 : status;
}

const struct verb verb_model_fit = {
	.name = "model fit",
	.summary = "fit the formulas to what was measured",
	.operands = "FILE...",
	.about =
		"Fits the paper's formulas, Hockney's, LogGP, LogGPS, PLogP "
		"and lines in pieces to the\nmeasurements in FILEs (-: "
		"stdin), and names the best by what it predicts of sizes "
		"that are\nleft out.\n"
		"mpib_run plogp measures o_s, o_r and g, which "
		"--export=loggopsim then takes.\n"
		"FILE is what mpib_run --csv or --json writes, or CSV with the "
		"columns operation and one\nof time (us), seconds, watts and "
		"probability, and as far as operations need them\nprocesses, "
		"bytes, threads, instructions and duration (s); or a record of "
		"bcs run, of which\nlarge sends, barriers, all-to-alls, reads "
		"and writes are taken, where the calls of a\nplace have one "
		"size.\n",
	.options = model_fit_choice_options,
	.run = fit,
};
