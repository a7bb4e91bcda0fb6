/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BESIDE_H
#define BESIDE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * A call, or the same of MPI itself below a preload: so the two take turns
 * within a run, and what changes from run to run is the same for both.
 */
static bool is_below;

#define CALL(name, ...) (is_below ? P##name(__VA_ARGS__) : name(__VA_ARGS__))

#define BESIDE_BLOCKS 10000

/* What was measured of one of them. */
struct beside {
	double us[BESIDE_BLOCKS];
	double sum;
};

static inline void beside_add(struct beside *blocks, int i, double us)
{
	blocks->us[i] = us;
	blocks->sum += us;
}

static inline int beside_compare(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Median and mean. */
static inline void beside_show(struct beside *blocks, int n)
{
	qsort(blocks->us, (size_t)n, sizeof(blocks->us[0]), beside_compare);
	printf(" %.4f %.4f", blocks->us[n / 2], blocks->sum / n);
}

#endif
