/* SPDX-License-Identifier: BSD-3-Clause */

/* Fits two parallel lines that meet at no point; tries all places between. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/loggps.h"

/* Sums over points, with weights 1 / y^2; the weighted sum of y^2 is n. */
struct sums {
	long double n;
	long double w;
	long double x;
	long double xx;
	long double y;
	long double xy;
};

/* A message of no bytes counts as one of one byte. */
static long double extra(double bytes)
{
	return fmax(bytes, 1) - 1;
}

static struct sums plus(struct sums sums, double bytes, double y)
{
	const long double w = 1 / ((long double)y * y);
	const long double x = extra(bytes);

	sums.n += 1;
	sums.w += w;
	sums.x += w * x;
	sums.xx += w * x * x;
	sums.y += w * y;
	sums.xy += w * x * y;
	return sums;
}

static struct sums minus(const struct sums *a, const struct sums *b)
{
	return (struct sums){ a->n - b->n,   a->w - b->w, a->x - b->x,
			      a->xx - b->xx, a->y - b->y, a->xy - b->xy };
}

/* Lines through both parts with one slope; returns their sum of squares. */
static double lines(const struct sums *low, const struct sums *high,
		    struct loggps *loggps)
{
	const long double xx = low->xx - low->x * low->x / low->w + high->xx -
			       high->x * high->x / high->w;
	const long double xy = low->xy - low->x * low->y / low->w + high->xy -
			       high->x * high->y / high->w;
	const long double k = xy / xx;
	const long double base = (low->y - k * low->x) / low->w;
	const long double above = (high->y - k * high->x) / high->w;

	loggps->base = (double)base;
	loggps->gap = (double)k;
	loggps->handshake = (double)(above - base);
	return (double)(low->n - low->y * low->y / low->w + high->n -
			high->y * high->y / high->w - k * xy);
}

/* Whether points before i and from i on have two sizes each. */
static bool is_place(const double *x, size_t n, size_t i)
{
	return x[i] > x[i - 1] && x[i - 1] > fmax(x[0], 1) && x[n - 1] > x[i];
}

static double best_place(const double *x, size_t n, const struct sums *sums,
			 struct loggps *best)
{
	double least = INFINITY;
	struct loggps tried;
	struct sums high;
	double sum;

	for (size_t i = 1; i < n; i++) {
		if (!is_place(x, n, i))
			continue;
		high = minus(&sums[n], &sums[i]);
		sum = lines(&sums[i], &high, &tried);
		if (!(sum < least) || tried.gap < 0 || !(tried.handshake > 0))
			continue;
		least = sum;
		*best = tried;
		best->most = ceil(x[i]) - 1;
	}
	return least;
}

int loggps_fit(const double *x, const double *y, size_t n,
	       struct loggps *loggps)
{
	struct sums *sums = malloc((n + 1) * sizeof(*sums));
	double least;

	if (!sums)
		return -ENOMEM;
	sums[0] = (struct sums){ 0 };
	for (size_t i = 0; i < n; i++)
		sums[i + 1] = plus(sums[i], x[i], y[i]);
	least = best_place(x, n, sums, loggps);
	free(sums);
	return least < INFINITY ? 0 : -EDOM;
}
