/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Splits processes into two sites.  By all pairs, the fastest links are taken
 * one by one, and each joins two groups, until two groups are left.  By the
 * times from the first process alone, the widest gap separates the near ones,
 * which are in its site, from the far ones.
 */
#include "jor_split.h"

#include <math.h>
#include <stdlib.h>

#include "benchmarks/lib/kernel.h"
#include "benchmarks/lib/values.h"

/* The fastest link between two groups. */
static double fastest(int n, const double times[], const int group[],
		      int ends[2])
{
	double least = HUGE_VAL;

	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			if (group[i] != group[j] && times[i * n + j] < least) {
				least = times[i * n + j];
				ends[0] = i;
				ends[1] = j;
			}
	return least;
}

static void join(int n, int group[], const int ends[2])
{
	const int from = group[ends[1]];
	const int to = group[ends[0]];

	for (int i = 0; i < n; i++)
		if (group[i] == from)
			group[i] = to;
}

static bool told_apart(const struct split *split)
{
	return split->between >= SPLIT_SLOWER * split->within;
}

bool split_pairs(int n, const double times[], int site[], struct split *split)
{
	int ends[2] = { 0, 0 };

	*split = (struct split){ 0, 0 };
	for (int i = 0; i < n; i++)
		site[i] = i;
	for (int groups = n; groups > 2; groups--) {
		split->within = fastest(n, times, site, ends);
		join(n, site, ends);
	}
	split->between = fastest(n, times, site, ends);
	for (int i = n - 1; i >= 0; i--)
		site[i] = site[i] != site[0];
	return told_apart(split);
}

/* With one other it is the other site; where all are as near there is none. */
bool split_first(int n, const double times[], int site[], struct split *split)
{
	double *sorted = kernel_room((uint64_t)n, sizeof(*sorted));
	double widest = 0;

	for (int i = 1; i < n; i++)
		sorted[i] = times[i];
	values_sort(sorted + 1, n - 1);
	*split = (struct split){ 0, sorted[1] };
	for (int i = 2; i < n; i++)
		if (sorted[i] / sorted[i - 1] > widest) {
			widest = sorted[i] / sorted[i - 1];
			*split = (struct split){ sorted[i - 1], sorted[i] };
		}
	free(sorted);
	site[0] = 0;
	for (int i = 1; i < n; i++)
		site[i] = times[i] >= split->between;
	return told_apart(split);
}
