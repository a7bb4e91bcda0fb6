/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIMULATE_H
#define BCS_SIMULATE_H

/* The tables and pictures of `bcs model simulate`. */
#include "analyzer/show/table.h"
#include "sim/sim_run.h"

/* The cost of failures, and limits to the choice of the best size. */
struct simulate_bounds {
	double checkpoint; /* seconds of each; 0: none are made */
	double restart;    /* seconds after a failure */
	double watts;      /* at most; INFINITY */
};

/* A run of one of several sizes. */
struct simulate_size {
	uint32_t count; /* of the label that varies */
	struct sim_run_result result;
	double expected; /* seconds on the mean, with failures */
};

/* With failures and the checkpoints of Daly's interval, if there are any. */
double simulate_expected(const struct sim_run_result *result,
			 const struct simulate_bounds *bounds);

/* -1: the power cap leaves none. */
int simulate_best(const struct simulate_size *sizes, unsigned n,
		  const struct simulate_bounds *bounds);

struct table *simulate_labels(const struct sim_run_result *result);
/* For people, and for programs. */
struct table *simulate_lines(const struct sim_run_result *result,
			     const struct simulate_bounds *bounds);
struct table *simulate_total(const struct sim_run_result *result,
			     const struct simulate_bounds *bounds);
struct table *simulate_sizes(const struct simulate_size *sizes, unsigned n,
			     const char *label,
			     const struct simulate_bounds *bounds);

/* To stdout. */
void simulate_svg_labels(const struct sim_run_result *result);
void simulate_svg_sizes(const struct simulate_size *sizes, unsigned n,
			const char *label);

#endif
