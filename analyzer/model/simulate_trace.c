/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs model simulate --trace`: replays a run, and shows how long it takes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/base/say.h"
#include "analyzer/model/simulate_choice.h"
#include "analyzer/report/report_choice.h"
#include "tree/tree_text.h"

static bool add_site(const char **sites, unsigned *n, const char *value)
{
	if (*n == SIMULATE_SITES_MAX || *value == '\0')
		return false;
	sites[(*n)++] = value;
	return true;
}

bool simulate_trace_set_free(const struct option_spec *option,
			     const char *value)
{
	struct simulate_trace_choice *trace = &simulate_choice.trace;

	(void)option;
	trace->replay.free_sites = trace->free_sites;
	return add_site(trace->free_sites, &trace->replay.n_free, value);
}

bool simulate_trace_set_async(const struct option_spec *option,
			      const char *value)
{
	struct simulate_trace_choice *trace = &simulate_choice.trace;

	(void)option;
	trace->replay.async_sites = trace->async_sites;
	return add_site(trace->async_sites, &trace->replay.n_async, value);
}

bool simulate_trace_set_loggp(const struct option_spec *option,
			      const char *value)
{
	struct simulate_trace_choice *trace = &simulate_choice.trace;
	size_t len;

	(void)option;
	for (int i = 0; i < 3; i++) {
		len = strcspn(value, ",");
		if (!tree_text_real(value, len, &trace->loggp[i]) ||
		    !(trace->loggp[i] >= 0 && trace->loggp[i] <= 1e9) ||
		    (value[len] == '\0') != (i == 2))
			return false;
		value += len + 1;
	}
	trace->has_loggp = true;
	return true;
}

static int make_loggp(struct simulate_system *system)
{
	struct simulate_trace_choice *trace = &simulate_choice.trace;
	const uint32_t nodes = simulate_choice.system.nodes;
	double *params;

	formula_system_init(&system->model, "LogGP");
	params = system->model.params;
	params[FORMULA_D_TU] = 1;
	params[FORMULA_T_P2P] = trace->loggp[0] + 2 * trace->loggp[1];
	params[FORMULA_K_P2P] = trace->loggp[2];
	trace->replay.overhead = trace->loggp[1] * 1e-6;
	if (sim_system_alike(&system->system, &system->model, nodes ? nodes : 1,
			     SIM_NODES_MAX, true) == 0)
		return 0;
	say_error("there is no memory left");
	return 2;
}

static void tell_doubts(const struct replay_result *result)
{
	const struct replay_choice *choice = &simulate_choice.trace.replay;

	if (result->lacking[0])
		say_warning("%s: it is taken for 0", result->lacking);
	if (result->as_recorded)
		say_warning("%llu calls take as long as they took: it is not "
			    "known with whom they were",
			    (unsigned long long)result->as_recorded);
	if (choice->n_free + choice->n_async && !result->sites)
		say_warning("no call is at a place of --free or --nonblocking");
}

static void show(const struct replay_result *result)
{
	const bool text = report_choice.format == REPORT_AS_TEXT;
	struct table *const tables[] = {
		simulate_trace_ranks(result),
		text ? simulate_trace_lines(result)
		     : simulate_trace_total(result),
	};

	report_choice_tables(tables,
			     report_choice.format == REPORT_AS_CSV ? 1 : 2);
	table_free(tables[0]);
	table_free(tables[1]);
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int replay(bool verbose)
{
	const struct simulate_trace_choice *trace = &simulate_choice.trace;
	const double begun = seconds_now();
	struct replay_result result;
	double seconds;
	const int rc = replay_run(trace->path, &trace->replay, &result);

	if (rc != 0)
		return rc == -EINTR ? 1 : 2;
	seconds = seconds_now() - begun;
	if (verbose)
		fprintf(stderr,
			"%llu events in %.3f s of a processor: %.2f million a "
			"second\n",
			(unsigned long long)result.events, seconds,
			(double)result.events / seconds * 1e-6);
	tell_doubts(&result);
	show(&result);
	replay_clear(&result);
	return 0;
}

int simulate_trace_run(bool verbose)
{
	struct simulate_trace_choice *trace = &simulate_choice.trace;
	struct simulate_system system;
	int status;

	trace->replay.policy = simulate_choice.run.policy;
	status = trace->has_loggp ? make_loggp(&system)
				  : simulate_system_load(
					    &system, &simulate_choice.system);
	if (status != 0)
		return status;
	trace->replay.system = &system.system;
	/* A node of a fitted system has room for all. */
	trace->replay.spread = simulate_choice.system.nodes > 1 &&
			       system.system.kinds[0].any >= SIM_NODES_MAX;
	status = replay(verbose);
	simulate_system_clear(&system);
	return status;
}
