/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_TIMING_H
#define BCS_MPIB_TIMING_H

#include "mpib.h"

/* An operation and how it is timed; of the copy of a communicator. */
struct timing {
	MPI_Comm comm;
	int rank;
	int root;
	bool crowded;
	struct mpib_rules rules;
	struct mpib_clock *clock;
	void (*run)(void *argument);
	void *argument;
	int task; /* the only one that confirms to the root, or -1 for all */
	int64_t confirmation; /* the least time of one, at the root */
	int64_t lead;         /* of a deadline, at the root */
	int64_t *times;       /* of a batch: late, begin or 0, end */
	char *flushed;        /* what takes the caches' place, or NULL */
	int flushes;
};

int timing_begin(struct timing *timing, MPI_Comm comm, int root,
		 const struct mpib_rules *rules);
int timing_begin_task(struct timing *timing, MPI_Comm comm, int root, int task,
		      const struct mpib_rules *rules);
void timing_end(struct timing *timing);

/* Runs n, at most max_reps; the root gets seconds, NAN for missed deadlines. */
void timing_batch(struct timing *timing, int n, double *seconds);

/* Repeats by the rules, and tells all of the result. */
int timing_repeat(struct timing *timing, struct mpib_result *result);

/* A barrier that leaves the core to others where there are too few. */
void timing_barrier(MPI_Comm comm, bool crowded);

/* Gives all the same error: 0 if all have 0, else the least. */
int timing_agree(MPI_Comm comm, int rc);

#endif
