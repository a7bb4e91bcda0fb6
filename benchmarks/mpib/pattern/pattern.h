/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_PATTERN_H
#define BCS_MPIB_PATTERN_H

#include "benchmarks/mpib/mpib.h"

struct pattern_run;

/* One-sided: how the origin's operation is begun and ended. */
struct pattern_sync {
	void (*hold)(struct pattern_run *run); /* NULL, or once before all */
	void (*release)(struct pattern_run *run);
	void (*begin)(struct pattern_run *run); /* of each repetition */
	void (*end)(struct pattern_run *run);
};

/* A row of the table. */
struct pattern {
	struct mpib_pattern shown; /* the first: see pattern_of */
	bool all;                  /* pairs i, i + n / 2; else 0 and 1 alone */
	void (*run)(void *run);
	bool (*is_right)(const struct pattern_run *run, int times);
	/* NULL: the pattern has no window of memory. */
	const struct pattern_sync *sync;
	void (*issue)(struct pattern_run *run);
};

/* What a process has of one. */
struct pattern_run {
	const struct pattern *pattern;
	MPI_Comm comm;
	int rank;
	int size;
	int peer;   /* or -1 */
	bool first; /* of the pair: sender, origin */
	int bytes;
	int window;
	char *from;
	char *to;              /* window times */
	MPI_Request *requests; /* two of each message */
	MPI_Status *statuses;
	MPI_Win win;
	char *memory; /* of win */
	MPI_Group group;
};

/* Windows of sends and round trips; `run` of these. */
void pattern_stream(void *run);
void pattern_both_ways(void *run);
void pattern_round_trip(void *run);
bool pattern_stream_is_right(const struct pattern_run *run, int times);
bool pattern_both_are_right(const struct pattern_run *run, int times);

/* One-sided. */
extern const struct pattern_sync pattern_fence, pattern_lock, pattern_flush,
	pattern_pscw;
void pattern_one_sided(void *run);
void pattern_put(struct pattern_run *run);
void pattern_get(struct pattern_run *run);
void pattern_accumulate(struct pattern_run *run);
void pattern_fetch_and_op(struct pattern_run *run);
bool pattern_put_is_right(const struct pattern_run *run, int times);
bool pattern_get_is_right(const struct pattern_run *run, int times);
bool pattern_sum_is_right(const struct pattern_run *run, int times);
bool pattern_fetch_is_right(const struct pattern_run *run, int times);
/* What the target and the origin have before. */
void pattern_fill(struct pattern_run *run);

#endif
