/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIMULATE_TRACE_H
#define BCS_SIMULATE_TRACE_H

#include "analyzer/cli/options.h"
#include "analyzer/model/simulate_system.h"
#include "analyzer/replay/replay.h"
#include "analyzer/show/table.h"

#define SIMULATE_SITES_MAX 64

/* The options of `bcs model simulate --trace`. */
struct simulate_trace_choice {
	const char *path; /* NULL: an application is simulated */
	struct replay_choice replay;
	bool has_loggp;
	double loggp[3]; /* L, o, G in us and us a byte */
	const char *free_sites[SIMULATE_SITES_MAX];
	const char *async_sites[SIMULATE_SITES_MAX];
};

/* Of struct option_spec; they set simulate_choice.trace. */
bool simulate_trace_set_loggp(const struct option_spec *option,
			      const char *value);
bool simulate_trace_set_free(const struct option_spec *option,
			     const char *value);
bool simulate_trace_set_async(const struct option_spec *option,
			      const char *value);

/* Its tables; lines are for people, the total is for programs. */
struct table *simulate_trace_ranks(const struct replay_result *result);
struct table *simulate_trace_lines(const struct replay_result *result);
struct table *simulate_trace_total(const struct replay_result *result);

/* Replays the trace and shows the outcome; returns the exit status. */
int simulate_trace_run(bool verbose);

#endif
