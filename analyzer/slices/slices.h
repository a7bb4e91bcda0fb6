/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SLICES_H
#define BCS_SLICES_H

/*
 * The slices of a run.  By time, those of all processes with the same number
 * are one, of the node; on demand each process has slices of its own.
 */
#include "analyzer/run/lanes.h"
#include "analyzer/show/table.h"

struct slice {
	uint64_t number;
	uint64_t begin;      /* of the first, ns since slice 0 began */
	uint64_t end;        /* of the last */
	uint64_t strobe;     /* begin at the Strobe Sender; 0: unknown */
	uint64_t since;      /* from the beginning of the one before it */
	uint64_t steps;      /* and how many numbers it is further on */
	uint64_t own_since;  /* the same of a process, the longest */
	size_t n_lanes;      /* processes that took part */
	uint64_t slowest;    /* rank of the one that took longest, */
	uint64_t latest;     /* and of the last to begin */
	struct emds_row sum; /* of all processes */
	struct emds_row max;
};

struct slices {
	struct lanes lanes;
	struct lane *next; /* whose row is not in a slice yet */
	bool begun;
	uint64_t from; /* numbers of slices that are wanted */
	uint64_t to;
	uint64_t before;        /* begin and number of the last one */
	uint64_t number_before; /* */
};

/* Opens the slices `from` to `to`, as lanes_open. */
int slices_open(struct slices *slices, const char *path, const char *ranks,
		uint64_t from, uint64_t to);
void slices_close(struct slices *slices);

/* Whether there is one. */
bool slices_are_left(struct slices *slices);
/* The next row by itself, of those that are wanted. */
struct lane *slices_row(struct slices *slices);
/* The next one; false at the end. */
bool slices_next(struct slices *slices, struct slice *slice);

/* A metric of slices. */
struct slices_metric {
	const char *name; /* as the paper has it, small */
	const char *what; /* it is by time, */
	const char *turn; /* and on demand; NULL: the same */
	enum table_kind kind;
	int column; /* what it is made of; -1: of the slice's begin and end */
	uint64_t (*of)(const struct slice *slice,
		       const struct slices_metric *metric);
};

/*
 * Whether the metric is known of a slice.  The first slice has no time since
 * the one before it.
 */
bool slices_metric_is_known(const struct slices_metric *metric,
			    const struct slice *slice);

extern const struct slices_metric slices_metrics[]; /* ends with a NULL */

const struct slices_metric *slices_metric_find(const char *name);
const char *slices_metric_what(const struct slices_metric *metric,
			       bool by_time);
/* Whether slices by time, or those on demand, have the metric. */
bool slices_metric_exists(const struct slices_metric *metric, bool by_time);
/* Whether it was recorded. */
bool slices_metric_is_there(const struct slices_metric *metric,
			    uint64_t columns);

#endif
