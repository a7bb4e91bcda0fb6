/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_RUN_H
#define BCS_SIM_RUN_H

/* An application on a system, from their descriptions to what comes of it. */
#include "sim/sim_app.h"
#include "sim/sim_cluster.h"

#define SIM_STUCK 8 /* processes that are told of by name */

struct sim_run_choice {
	struct sim_app_choice app;
	struct sim_policy policy;
	bool exact; /* all labels */
	uint64_t events_max;
	int (*pause)(void *self, uint64_t events, double seconds);
	void *self;
};

struct sim_run_label {
	char name[SIM_NAME_MAX];
	uint32_t processes;
	uint32_t simulated; /* as so many */
	uint32_t ended;     /* processes */
	double seconds;     /* until the last one ends */
	double first;       /* until the first one ends */
	double computing;   /* seconds of one, on the mean */
	double joules;      /* of all; NAN: not known */
	uint64_t messages;
	uint64_t bytes;
};

struct sim_run_result {
	struct sim_run_label labels[64];
	uint32_t n_labels;
	uint32_t processes;
	uint32_t nodes;
	double seconds;
	double joules;   /* NAN: not known */
	double watts;    /* while all are active; NAN: not known */
	double failures; /* a second; NAN: not known */
	uint64_t events;
	uint64_t lost; /* messages that nobody received */
	bool exact;
	char lacking[96]; /* what formula has no parameters; or "" */
	char stuck[SIM_STUCK][160];
	uint32_t n_stuck; /* all */
};

/*
 * Returns 0; with what is known so far in `result` and the reason in `fault`
 * -EDEADLK, -EINTR or -EOVERFLOW; without, -EINVAL, -ENOSPC or -ENOMEM.
 */
int sim_run(const struct sim_system *system, const struct sim_text *app,
	    const struct sim_run_choice *choice, struct sim_run_result *result,
	    struct tree_fault *fault);

#endif
