/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_RUN_H
#define BCS_SIM_RUN_H

/*
 * Simulates an application on a system: from their descriptions to the results.
 */
#include "sim/sim_app.h"
#include "sim/sim_cluster.h"

#define SIM_STUCK 8 /* blocked processes that are named in the result */

struct sim_run_choice {
	struct sim_app_choice app;
	struct sim_policy policy;
	bool exact; /* simulate all labels exactly */
	uint64_t events_max;
	int (*pause)(void *self, uint64_t events, double seconds);
	void *self;
};

struct sim_run_label {
	char name[SIM_NAME_MAX];
	uint32_t processes;
	uint32_t simulated; /* number of the engine's processes */
	uint32_t ended;     /* number of processes that ended */
	double seconds;     /* until the last process ends */
	double first;       /* until the first process ends */
	double computing;   /* mean seconds per process */
	double joules;      /* of all its processes; NAN: unknown */
	uint64_t messages;
	uint64_t bytes;
};

struct sim_run_result {
	struct sim_run_label labels[64];
	uint32_t n_labels;
	uint32_t processes;
	uint32_t nodes;
	double seconds;
	double joules; /* NAN: unknown */
	/* With all nodes at their most threads; NAN: unknown. */
	double watts;
	double failures; /* per second; NAN: unknown */
	uint64_t events;
	uint64_t lost; /* messages that no process received */
	bool exact;
	char lacking[96]; /* a formula's missing parameter, or "" */
	char stuck[SIM_STUCK][256];
	uint32_t n_stuck; /* number of blocked processes, named or not */
};

/*
 * Returns 0, -EDEADLK, -EINTR or -EOVERFLOW with the results so far in
 * `result`; the errors give a reason in `fault`.  Otherwise returns -EINVAL,
 * -ENOSPC or -ENOMEM.
 */
int sim_run(const struct sim_system *system, const struct sim_text *app,
	    const struct sim_run_choice *choice, struct sim_run_result *result,
	    struct tree_fault *fault);

#endif
