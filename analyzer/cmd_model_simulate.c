/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/input.h"
#include "analyzer/mem.h"
#include "analyzer/options.h"
#include "analyzer/output.h"
#include "analyzer/report_choice.h"
#include "analyzer/say.h"
#include "analyzer/simulate.h"
#include "analyzer/simulate_system.h"
#include "analyzer/verb.h"
#include "model/number.h"

#define SETTINGS_MAX 32
#define SIZES_MAX    256
#define LIMIT        100000000
#define COUNT_MAX    1000000000

/* What the command line asks for. */
static struct {
	struct simulate_system_choice system;
	struct sim_app_setting counts[SETTINGS_MAX + 1]; /* and of a size */
	unsigned n_counts;
	struct sim_app_setting parameters[SETTINGS_MAX];
	unsigned n_parameters;
	const char *label; /* whose number varies; NULL: none does */
	uint32_t sizes[SIZES_MAX];
	unsigned n_sizes;
	struct sim_run_choice run;
	struct simulate_bounds bounds;
	bool svg;
	bool verbose;
} choice = {
	.system = { .name = "galera+" },
	.run = { .app = { .memory = SIM_LUA_MEMORY }, .events_max = LIMIT },
	.bounds = { .watts = INFINITY },
};

static volatile sig_atomic_t interrupted;

static bool number_of(const char *text, double min, double max, double *number)
{
	return number_read(text, strlen(text), number) && *number >= min &&
	       *number <= max;
}

/* NAME=VALUE */
static bool add_setting(struct sim_app_setting *settings, unsigned *n,
			const char *text, double min, double max)
{
	const size_t len = strcspn(text, "=");
	double value;

	if (len == 0 || !text[len] || *n == SETTINGS_MAX ||
	    !number_of(text + len + 1, min, max, &value))
		return false;
	settings[*n].name = mem_print("%.*s", (int)len, text);
	settings[(*n)++].value = value;
	return true;
}

static bool set_system(const struct option_spec *option, const char *value)
{
	(void)option;
	choice.system.name = value;
	return *value != '\0';
}

static bool set_nodes(const struct option_spec *option, const char *value)
{
	unsigned long n;

	(void)option;
	if (!options_number(value, 1, SIM_NODES_MAX, &n))
		return false;
	choice.system.nodes = (uint32_t)n;
	return true;
}

static bool set_hardware(const struct option_spec *option, const char *value)
{
	(void)option;
	if (choice.system.n_hardware == SIMULATE_HARDWARE_MAX)
		return false;
	choice.system.hardware[choice.system.n_hardware++] = value;
	return *value != '\0';
}

static bool set_processes(const struct option_spec *option, const char *value)
{
	const struct sim_app_setting *added = &choice.counts[choice.n_counts];

	(void)option;
	return add_setting(choice.counts, &choice.n_counts, value, 1,
			   COUNT_MAX) &&
	       floor(added->value) == added->value;
}

static bool set_parameter(const struct option_spec *option, const char *value)
{
	(void)option;
	return add_setting(choice.parameters, &choice.n_parameters, value,
			   -HUGE_VAL, HUGE_VAL);
}

static bool add_size(const char *word, size_t len)
{
	double n;

	if (choice.n_sizes == SIZES_MAX || !number_read(word, len, &n) ||
	    n < 1 || n > COUNT_MAX || floor(n) != n)
		return false;
	choice.sizes[choice.n_sizes++] = (uint32_t)n;
	return true;
}

static bool set_sizes(const struct option_spec *option, const char *value)
{
	const size_t len = strcspn(value, "=");

	(void)option;
	if (len == 0 || !value[len])
		return false;
	choice.label = mem_print("%.*s", (int)len, value);
	choice.n_sizes = 0;
	return options_each(value + len + 1, add_size);
}

static bool set_exact(const struct option_spec *option, const char *value)
{
	(void)option;
	(void)value;
	choice.run.exact = true;
	return true;
}

/* native, demand, demand:SECONDS, fixed:SECONDS */
static bool set_strobe(const struct option_spec *option, const char *value)
{
	struct sim_policy *policy = &choice.run.policy;
	const size_t len = strcspn(value, ":");
	double seconds = 0;

	(void)option;
	if (value[len] && !number_of(value + len + 1, 0, 1e9, &seconds))
		return false;
	*policy = (struct sim_policy){ .strobe = SIM_NATIVE };
	if (strcmp(value, "native") == 0)
		return true;
	if (len == 6 && strncmp(value, "demand", len) == 0) {
		policy->strobe = SIM_DEMAND;
		policy->slice = seconds;
		return true;
	}
	policy->strobe = SIM_FIXED;
	policy->period = seconds;
	return len == 5 && strncmp(value, "fixed", len) == 0 && seconds > 0;
}

static bool set_power(const struct option_spec *option, const char *value)
{
	(void)option;
	return number_of(value, 0, HUGE_VAL, &choice.bounds.watts);
}

static bool set_checkpoint(const struct option_spec *option, const char *value)
{
	(void)option;
	return number_of(value, 0, 1e9, &choice.bounds.checkpoint);
}

static bool set_restart(const struct option_spec *option, const char *value)
{
	(void)option;
	return number_of(value, 0, 1e9, &choice.bounds.restart);
}

static bool set_limit(const struct option_spec *option, const char *value)
{
	unsigned long n;

	(void)option;
	if (!options_number(value, 1, UINT64_MAX, &n))
		return false;
	choice.run.events_max = n;
	return true;
}

static bool set_memory(const struct option_spec *option, const char *value)
{
	unsigned long n;

	(void)option;
	if (!options_number(value, 1, 1u << 20, &n))
		return false;
	choice.run.app.memory = (uint64_t)n << 20;
	return true;
}

static bool set_svg(const struct option_spec *option, const char *value)
{
	(void)option;
	(void)value;
	choice.svg = true;
	return true;
}

static bool set_verbose(const struct option_spec *option, const char *value)
{
	(void)option;
	(void)value;
	choice.verbose = true;
	return true;
}

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "system", 's', "SYSTEM", "a name",
		  "galera+, galera, kask, or a file: a system in Lua, or what "
		  "bcs model fit writes; default: galera+",
		  set_system },
		{ "nodes", 'n', "N", "1 to 4000000",
		  "nodes, of a system that is no description in Lua",
		  set_nodes },
		{ "hardware", 0, "FILE", "up to 8 names of files",
		  "defines more hardware for the system; can be repeated",
		  set_hardware },
		{ "processes", 'p', "LABEL=N", "a label, = and 1 to 1000000000",
		  "so many processes of a label; can be repeated",
		  set_processes },
		{ "set", 0, "NAME=VALUE", "a name, = and a number",
		  "a parameter of the application; can be repeated",
		  set_parameter },
		{ "sizes", 0, "LABEL=N,N,...",
		  "a label, = and up to 256 numbers of processes",
		  "a run for each number of processes of a label, and the best "
		  "of them",
		  set_sizes },
		{ "exact", 0, NULL, NULL,
		  "simulate each process by itself, even if they are alike",
		  set_exact },
		{ "strobe", 0, "POLICY",
		  "native, demand, demand:SECONDS or fixed:SECONDS",
		  "communication at once (native), in slices that begin when "
		  "there is something to do and cost SECONDS (demand), or in "
		  "slices of SECONDS (fixed); default: native",
		  set_strobe },
		{ "checkpoint", 0, "SECONDS", "a number from 0 to 1e9",
		  "what a checkpoint takes: tells how often to make one, and "
		  "counts it with failures",
		  set_checkpoint },
		{ "restart", 0, "SECONDS", "a number from 0 to 1e9",
		  "what a restart takes after a failure; default: 0",
		  set_restart },
		{ "power-cap", 0, "WATTS", "a number from 0 on",
		  "of the sizes none is best that takes more", set_power },
		{ "limit", 0, "N", "a number from 1 on",
		  "stop after so many operations; default: 100000000",
		  set_limit },
		{ "memory", 0, "MIB", "1 to 1048576",
		  "memory of the application's Lua; default: 512", set_memory },
		{ "csv", 0, NULL, NULL, "the table as CSV",
		  report_choice_flag },
		{ "json", 0, NULL, NULL, "the tables as JSON",
		  report_choice_flag },
		{ "svg", 0, NULL, NULL, "a picture of the times", set_svg },
		{ "verbose", 'v', NULL, NULL,
		  "tell how many operations were simulated, and how fast",
		  set_verbose },
		{ NULL, 0, NULL, NULL, NULL, NULL },
	};

	return list;
}

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static int show_progress(void *self, uint64_t events, double seconds)
{
	static time_t shown;
	const time_t now = time(NULL);
	char *line;

	(void)self;
	if (now != shown) {
		line = mem_print("%llu million operations, %.6g s simulated",
				 (unsigned long long)events / 1000000, seconds);
		say_progress(line);
		free(line);
		shown = now;
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

/* Of the processor, so that it does not count who else is there. */
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
	const int rc = sim_run(system, app, &choice.run, result, &fault);

	say_progress(NULL);
	if (rc == 0 || rc == -EINTR || rc == -EOVERFLOW || rc == -EDEADLK) {
		if (choice.verbose)
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
	if (choice.svg)
		simulate_svg_labels(&result);
	else
		show(simulate_labels(&result),
		     report_choice.format == REPORT_AS_TEXT
			     ? simulate_lines(&result, &choice.bounds)
			     : simulate_total(&result, &choice.bounds));
	return status;
}

static void show_sizes(const struct simulate_size *sizes, unsigned n)
{
	if (choice.svg)
		simulate_svg_sizes(sizes, n, choice.label);
	else
		show(simulate_sizes(sizes, n, choice.label, &choice.bounds),
		     NULL);
}

/* Those that are done when one is interrupted are shown. */
static int run_sizes(const struct sim_system *system,
		     const struct sim_text *app)
{
	struct simulate_size *sizes = mem_alloc(choice.n_sizes, sizeof(*sizes));
	struct sim_app_setting *count = &choice.counts[choice.n_counts++];
	unsigned n = 0;
	int status = 0;

	choice.run.app.n_counts = choice.n_counts;
	count->name = choice.label;
	for (unsigned i = 0; status == 0 && i < choice.n_sizes; i++) {
		count->value = sizes[n].count = choice.sizes[i];
		status = run(system, app, &sizes[n].result);
		if (status != 0)
			continue;
		sizes[n].expected = simulate_expected(&sizes[n].result,
						      &choice.bounds);
		n++;
	}
	if (status == 1 && n)
		say_error("what follows are the sizes that were done by then");
	if (status != 2 && n)
		show_sizes(sizes, n);
	free(sizes);
	return status;
}

/* A number of processes that --sizes gives as well. */
static bool is_counted(void)
{
	for (unsigned i = 0; i < choice.n_counts; i++)
		if (strcmp(choice.counts[i].name, choice.label) == 0)
			return true;
	return false;
}

static bool suits_sizes(void)
{
	if (choice.svg && !options_none(OPTIONS("power-cap"), "with --svg"))
		return false;
	if (!is_counted())
		return true;
	say_error("--processes or --sizes of '%s', not both", choice.label);
	return false;
}

static bool suits_one(void)
{
	static const char *const failures[] = { "checkpoint", "restart", NULL };

	if (!options_none(OPTIONS("power-cap"), "without --sizes"))
		return false;
	if (choice.svg)
		return options_none(failures, "with --svg without --sizes");
	return report_choice.format != REPORT_AS_CSV ||
	       options_none(failures, "with --csv without --sizes");
}

static bool suits(void)
{
	return options_one_at_most(OPTIONS("csv", "json", "svg")) &&
	       (choice.label ? suits_sizes() : suits_one());
}

static int simulate(int argc, char **argv)
{
	struct simulate_system system;
	struct sim_text app;
	char *text;
	int status;

	if (argc != 1) {
		say_error("one APPLICATION (see --help)");
		return 2;
	}
	if (!suits())
		return 2;
	report_choice_look();
	app.name = argv[0];
	text = input_read(argv[0], &app.size);
	if (!text)
		return 2;
	app.text = text;
	status = simulate_system_load(&system, &choice.system);
	if (status == 0) {
		choice.run.app.counts = choice.counts;
		choice.run.app.n_counts = choice.n_counts;
		choice.run.app.parameters = choice.parameters;
		choice.run.app.n_parameters = choice.n_parameters;
		choice.run.pause = show_progress;
		signal(SIGINT, interrupt);
		status = choice.label ? run_sizes(&system.system, &app)
				      : run_one(&system.system, &app);
		simulate_system_clear(&system);
	}
	free(text);
	return output_end() ? 2 : status;
}

const struct verb verb_model_simulate = {
	.name = "model simulate",
	.summary = "predict what an application takes on a system",
	.operands = "APPLICATION",
	.about = "Simulates an application that is written down in Lua: labels "
		 "with a number of\nprocesses each, and the blocks of "
		 "computation and communication that they do.\nTells the time "
		 "and the energy of each label and overall, and the "
		 "probability that\nnothing fails.  Ends with 1 if it was "
		 "interrupted.\n",
	.options = options,
	.run = simulate,
};
