/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_OPTIONS_H
#define JOR_OPTIONS_H

#include <stdbool.h>

#define OPTIONS_PERIODS_MOST 32
#define OPTIONS_REPS_MOST    1000

enum options_task { TASK_BENCH, TASK_COUNT, TASK_SOLVE, TASK_HELP };

struct options {
	enum options_task task;
	int size;            /* the N of 2 N rows of N columns */
	int frontier;        /* rows of the first site; -1: as many as N */
	const char *sites;   /* how they are found */
	const char *between; /* groups to delay while sites are sought */
	double delay;        /* seconds */
	double bandwidth;    /* bytes a second; 0: no limit */
	double duty[2];
	bool pin;
	bool blocks;
	bool overlap;
	int periods[OPTIONS_PERIODS_MOST];
	int n_periods;
	int repetitions;
	const char *results; /* a file, or NULL */
	bool progress;
};

extern const char options_help[];

/* Whether they make sense; if not, rank 0 has said what does not. */
bool options_read(struct options *options, int argc, char **argv);

/* A line of rank 0 on stderr; false. */
bool options_wrong(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif
