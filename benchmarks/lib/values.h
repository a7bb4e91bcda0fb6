/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALUES_H
#define VALUES_H

/* Statistics of repeated measurements. */
#include <stdlib.h>

static inline int values_order(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The least first. */
static inline void values_sort(double values[], int n)
{
	qsort(values, (size_t)n, sizeof(values[0]), values_order);
}

/* Sorts them. */
static inline double values_median(double values[], int n)
{
	values_sort(values, n);
	return values[n / 2];
}

#endif
