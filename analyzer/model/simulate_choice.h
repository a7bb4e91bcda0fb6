/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIMULATE_CHOICE_H
#define BCS_SIMULATE_CHOICE_H

#include "analyzer/cli/options.h"
#include "analyzer/model/simulate.h"
#include "analyzer/model/simulate_system.h"
#include "analyzer/model/simulate_trace.h"

#define SIMULATE_SETTINGS_MAX 32
#define SIMULATE_SIZES_MAX    256

/* The options of `bcs model simulate`, beside those of report_choice. */
struct simulate_choice {
	struct simulate_system_choice system;
	struct sim_app_setting
		counts[SIMULATE_SETTINGS_MAX + 1]; /* and of a size */
	unsigned n_counts;
	struct sim_app_setting parameters[SIMULATE_SETTINGS_MAX];
	unsigned n_parameters;
	const char *label; /* whose number varies; NULL: none does */
	uint32_t sizes[SIMULATE_SIZES_MAX];
	unsigned n_sizes;
	struct sim_run_choice run;
	struct simulate_bounds bounds;
	struct simulate_trace_choice trace;
	bool svg;
	bool verbose;
};

extern struct simulate_choice simulate_choice;

const struct option_spec *simulate_choice_options(void);
/* Whether they go together; if not, it has said which do not. */
bool simulate_choice_suits(void);

#endif
