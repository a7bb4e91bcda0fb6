/* SPDX-License-Identifier: BSD-3-Clause */

/* Sums, means and extremes over the slices that were read. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/slices/slices_summary.h"

static void sum_add(struct slices_sum *sum, uint64_t value)
{
	if (sum->n++ == 0 || value < sum->min)
		sum->min = value;
	if (value > sum->max)
		sum->max = value;
	sum->total = sat_add(sum->total, value);
	dist_add(&sum->dist, value, value, 1);
}

static uint64_t length_of(const struct slice *slice)
{
	return slice->max.value[EMDS_TIME];
}

static uint64_t lateness_of(const struct slice *slice)
{
	return slice->max.value[EMDS_LATE];
}

/* Keeps the greatest in a short list. */
static void keep(struct slice *list, size_t *n, size_t top,
		 const struct slice *slice,
		 uint64_t (*of)(const struct slice *slice))
{
	size_t at;

	if (of(slice) == 0 || top == 0 ||
	    (*n == top && of(slice) <= of(&list[top - 1])))
		return;
	if (*n < top)
		(*n)++;
	for (at = *n - 1; at > 0 && of(&list[at - 1]) < of(slice); at--)
		list[at] = list[at - 1];
	list[at] = *slice;
}

void slices_summary_add(struct slices_summary *s, const struct slice *slice)
{
	const struct slices_metric *m = slices_metrics;

	for (size_t i = 0; m[i].name; i++)
		if (slices_metric_is_known(&m[i], slice))
			sum_add(&s->sums[i], m[i].of(slice, &m[i]));
	if (s->n++ == 0)
		s->begin = slice->begin;
	if (s->n == 1 || slice->number < s->first)
		s->first = slice->number;
	if (slice->number > s->last)
		s->last = slice->number;
	if (slice->end > s->end)
		s->end = slice->end;
	s->n_rows += slice->n_lanes;
	s->n_run += slice->sum.value[EMDS_SLICES];
	for (int i = 0; i < EMDS_COLUMNS; i++)
		s->total.value[i] = sat_add(s->total.value[i],
					    slice->sum.value[i]);
	keep(s->longest, &s->n_longest, s->top, slice, length_of);
	keep(s->latest, &s->n_latest, s->top, slice, lateness_of);
}

void slices_summary_begin(struct slices_summary *summary)
{
	const size_t room = summary->top ? summary->top : 1;

	summary->longest = mem_alloc(room, sizeof(*summary->longest));
	summary->latest = mem_alloc(room, sizeof(*summary->latest));
}

void slices_summary_take(struct slices_summary *summary)
{
	struct slice slice;

	slices_summary_begin(summary);
	while (slices_next(summary->slices, &slice))
		slices_summary_add(summary, &slice);
}

void slices_summary_clear(struct slices_summary *summary)
{
	for (size_t i = 0; i < SLICES_METRICS_MAX; i++)
		dist_clear(&summary->sums[i].dist);
	free(summary->longest);
	free(summary->latest);
}
