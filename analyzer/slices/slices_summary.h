/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SLICES_SUMMARY_H
#define BCS_SLICES_SUMMARY_H

/* All slices of a run, in a few tables. */
#include "analyzer/base/dist.h"
#include "analyzer/slices/slices.h"

#define SLICES_METRICS_MAX 40

/* The sums of one metric. */
struct slices_sum {
	struct dist dist;
	uint64_t n;
	uint64_t total;
	uint64_t min;
	uint64_t max;
};

struct slices_summary {
	struct slices *slices;
	size_t top; /* so many of the longest, and of the latest */
	struct slices_sum sums[SLICES_METRICS_MAX]; /* as slices_metrics */
	uint64_t n;                                 /* of slices, */
	uint64_t n_rows; /* of rows of all processes */
	uint64_t n_run;  /* what these stand for */
	uint64_t first;  /* numbers */
	uint64_t last;
	uint64_t begin;
	uint64_t end;
	struct emds_row total;
	struct slice *longest; /* sorted, the longest first */
	size_t n_longest;
	struct slice *latest;
	size_t n_latest;
};

/* One slice after the other, for a caller that looks at them as well. */
void slices_summary_begin(struct slices_summary *summary);
void slices_summary_add(struct slices_summary *summary,
			const struct slice *slice);
/* Goes through all of them. */
void slices_summary_take(struct slices_summary *summary);
void slices_summary_clear(struct slices_summary *summary);

/* The tables, `*n_p` of them, to be freed one by one. */
#define SLICES_TABLES_MAX 6
size_t slices_summary_tables(const struct slices_summary *summary,
			     struct table *tables[SLICES_TABLES_MAX]);

#endif
