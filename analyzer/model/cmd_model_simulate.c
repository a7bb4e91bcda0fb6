/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs model simulate`: runs an application in the simulator, once or for each
 * size, and shows the outcome.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/base/input.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/verb.h"
#include "analyzer/model/simulate_choice.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static int show_progress(void *self, uint64_t events, double seconds)
{
	char *line;

	(void)self;
	if (say_progress_due()) {
		line = mem_print("%llu million operations, %.6g s simulated",
				 (unsigned long long)events / 1000000, seconds);
		say_progress(line);
		free(line);
	}
	return interrupted;
}

static void tell_doubts(const struct sim_run_result *result)
{
	if (result->lacking[0])
		say_warning("%s: it is taken for 0", result->lacking);
	if (result->lost)
		say_warning("%llu messages were not received",
			    (unsigned long long)result->lost);
	if (!result->exact)
		say_warning("processes of one label differ: times are "
			    "approximate; --exact takes each by itself");
	for (uint32_t i = 0; i < result->n_stuck && i < SIM_STUCK; i++)
		say_error("%s", result->stuck[i]);
	if (result->n_stuck > SIM_STUCK)
		say_error("and %u more", result->n_stuck - SIM_STUCK);
	say_rest();
}

/* Processor time, so that other load on the machine does not count. */
static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void tell_rate(const struct sim_run_result *result, double seconds)
{
	fprintf(stderr,
		"%llu operations in %.3f s of a processor: %.2f "
		"million a second\n",
		(unsigned long long)result->events, seconds,
		(double)result->events / seconds * 1e-6);
}

/* 0; 1: there is a part of the result; 2: there is none.  It has said why. */
static int run(const struct sim_system *system, const struct sim_text *app,
	       struct sim_run_result *result)
{
	struct tree_fault fault = { "there is no memory left" };
	const double begun = seconds_now();
	const int rc = sim_run(system, app, &simulate_choice.run, result,
			       &fault);

	say_progress(NULL);
	if (rc == 0 || rc == -EINTR || rc == -EOVERFLOW || rc == -EDEADLK) {
		if (simulate_choice.verbose)
			tell_rate(result, seconds_now() - begun);
		tell_doubts(result);
	}
	if (rc == 0)
		return 0;
	/* Errors of Lua have the name of the file. */
	if (strncmp(fault.text, app->name, strlen(app->name)) == 0)
		say_error("%s", fault.text);
	else
		say_error("%s: %s", app->name, fault.text);
	return rc == -EINTR ? 1 : 2;
}

static void show(struct table *first, struct table *second)
{
	struct table *const tables[] = { first, second };
	const bool one = !second || report_choice.format == REPORT_AS_CSV;

	report_choice_tables(tables, one ? 1 : 2);
	table_free(first);
	table_free(second);
}

static int run_one(const struct sim_system *system, const struct sim_text *app)
{
	struct sim_run_result result;
	const int status = run(system, app, &result);

	if (status == 2)
		return 2;
	if (status == 1)
		say_error("what follows is what was known by then");
	if (simulate_choice.svg)
		simulate_svg_labels(&result);
	else
		show(simulate_labels(&result),
		     report_choice.format == REPORT_AS_TEXT
			     ? simulate_lines(&result, &simulate_choice.bounds)
			     : simulate_total(&result,
					      &simulate_choice.bounds));
	return status;
}

static void show_sizes(const struct simulate_size *sizes, unsigned n)
{
	if (simulate_choice.svg)
		simulate_svg_sizes(sizes, n, simulate_choice.label);
	else
		show(simulate_sizes(sizes, n, simulate_choice.label,
				    &simulate_choice.bounds),
		     NULL);
}

/* After an interrupt the sizes that are done are shown. */
static int run_sizes(const struct sim_system *system,
		     const struct sim_text *app)
{
	struct simulate_size *sizes = mem_alloc(simulate_choice.n_sizes,
						sizeof(*sizes));
	struct sim_app_setting
		*count = &simulate_choice.counts[simulate_choice.n_counts++];
	unsigned n = 0;
	int status = 0;

	simulate_choice.run.app.n_counts = simulate_choice.n_counts;
	count->name = simulate_choice.label;
	for (unsigned i = 0; status == 0 && i < simulate_choice.n_sizes; i++) {
		count->value = sizes[n].count = simulate_choice.sizes[i];
		status = run(system, app, &sizes[n].result);
		if (status != 0)
			continue;
		sizes[n].expected = simulate_expected(&sizes[n].result,
						      &simulate_choice.bounds);
		n++;
	}
	if (status == 1 && n)
		say_error("what follows are the sizes that were done by then");
	if (status != 2 && n)
		show_sizes(sizes, n);
	free(sizes);
	return status;
}

static int run_trace(void)
{
	int status;

	simulate_choice.trace.replay.pause = show_progress;
	signal(SIGINT, interrupt);
	status = simulate_trace_run(simulate_choice.verbose);
	say_progress(NULL);
	return output_end() ? 2 : status;
}

static int simulate(int argc, char **argv)
{
	struct simulate_system system;
	struct sim_text app;
	char *text;
	const bool is_trace = simulate_choice.trace.path;
	int status;

	if (argc != !is_trace) {
		say_error(is_trace ? "--trace or an APPLICATION, not both"
				   : "one APPLICATION (see --help)");
		return 2;
	}
	if (!simulate_choice_suits())
		return 2;
	report_choice_look();
	if (is_trace)
		return run_trace();
	app.name = argv[0];
	text = input_read(argv[0], READING_ARGUMENT, &app.size);
	if (!text)
		return 2;
	app.text = text;
	status = simulate_system_load(&system, &simulate_choice.system);
	if (status == 0) {
		simulate_choice.run.app.counts = simulate_choice.counts;
		simulate_choice.run.app.n_counts = simulate_choice.n_counts;
		simulate_choice.run.app.parameters = simulate_choice.parameters;
		simulate_choice.run.app.n_parameters = simulate_choice
							       .n_parameters;
		simulate_choice.run.pause = show_progress;
		signal(SIGINT, interrupt);
		status = simulate_choice.label ? run_sizes(&system.system, &app)
					       : run_one(&system.system, &app);
		simulate_system_clear(&system);
	}
	free(text);
	return output_end() ? 2 : status;
}

const struct verb verb_model_simulate = {
	.name = "model simulate",
	.summary = "predict the time and energy of an application on a system",
	.operands = "APPLICATION | --trace=DIR",
	.about =
		"Simulates an application that is written in Lua: labels with "
		"a number of processes\neach, and the blocks of computation "
		"and communication that they run.  Shows the\ntime and the "
		"energy of each label and in all, and the probability of no "
		"failure.\n\nWith --trace it replays a run of bcs run --trace: "
		"the computation as it was\nrecorded, the messages by the "
		"system's model.\n\nThe exit status is 1 if it was "
		"interrupted.\n",
	.options = simulate_choice_options,
	.run = simulate,
};
