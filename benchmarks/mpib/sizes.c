/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Points are kept in the order of their sizes.  A bend is where the time of a
 * point is far from the line between its neighbours.  The wider of the gaps
 * about the worst bend is halved.  This ends when no gap is wider than a
 * sixteenth of its size, or 8 bytes.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpib.h"

#define NARROW 16
#define FINEST 8

struct point {
	int size;
	double seconds; /* NAN as long as it is not measured */
};

struct mpib_sizes {
	struct point *points;
	int n;
	int most;
	int asked; /* the point that was asked for */
	double tolerance;
};

static int make(int room, double tolerance, struct mpib_sizes **made)
{
	struct mpib_sizes *sizes = calloc(1, sizeof(*sizes));

	if (!sizes)
		return -ENOMEM;
	sizes->points = calloc((size_t)room, sizeof(*sizes->points));
	if (!sizes->points) {
		free(sizes);
		return -ENOMEM;
	}
	sizes->most = room;
	sizes->tolerance = tolerance;
	*made = sizes;
	return 0;
}

void mpib_sizes_free(struct mpib_sizes *sizes)
{
	if (!sizes)
		return;
	free(sizes->points);
	free(sizes);
}

static void append(struct mpib_sizes *sizes, int size)
{
	if (sizes->n < sizes->most)
		sizes->points[sizes->n++] = (struct point){ size, NAN };
}

int mpib_sizes_strided(int first, int last, int stride,
		       struct mpib_sizes **made)
{
	int rc;

	if (first < 0 || last < first || stride < 1)
		return -EINVAL;
	rc = make((last - first) / stride + 1, INFINITY, made);
	if (rc < 0)
		return rc;
	for (int64_t size = first; size <= last; size += stride)
		append(*made, (int)size);
	return 0;
}

int mpib_sizes_adaptive(int first, int last, double tolerance, int most,
			struct mpib_sizes **made)
{
	int64_t power = 1;
	int rc;

	if (first < 0 || last < first || tolerance <= 0 || most < 2)
		return -EINVAL;
	rc = make(most, tolerance, made);
	if (rc < 0)
		return rc;
	append(*made, first);
	while (power <= first)
		power *= 2;
	for (; power < last; power *= 2)
		append(*made, (int)power);
	/* The end is measured whatever there is room for. */
	if ((*made)->n == most)
		(*made)->n--;
	if (last > first)
		append(*made, last);
	return 0;
}

/* A number from 0 to n, by Knuth's generator. */
static int any(uint64_t *seed, int n)
{
	*seed = *seed * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (int)((*seed >> 33) % ((uint64_t)n + 1));
}

int mpib_sizes_shuffle(struct mpib_sizes *sizes, uint64_t seed)
{
	if (isfinite(sizes->tolerance))
		return -EINVAL;
	for (int i = 1; i < sizes->n; i++) {
		const int at = any(&seed, i);
		const struct point point = sizes->points[i];

		sizes->points[i] = sizes->points[at];
		sizes->points[at] = point;
	}
	return 0;
}

static double bend(const struct point *point)
{
	const struct point *a = point - 1;
	const struct point *b = point + 1;
	const double share = (double)(point->size - a->size) /
			     (b->size - a->size);
	const double line = a->seconds + share * (b->seconds - a->seconds);

	return point->seconds > 0 ? fabs(line - point->seconds) / point->seconds
				  : 0;
}

static int gap(const struct point *from)
{
	const int width = from[1].size - from[0].size;

	return width > FINEST && width > from[1].size / NARROW ? width : 0;
}

/* The gap about a point that is to be halved, or -1. */
static int gap_about(const struct mpib_sizes *sizes, int i)
{
	const int before = gap(&sizes->points[i - 1]);
	const int after = gap(&sizes->points[i]);

	if (before == 0 && after == 0)
		return -1;
	return before > after ? i - 1 : i;
}

static int worst(const struct mpib_sizes *sizes)
{
	double most = sizes->tolerance;
	int at = -1;

	for (int i = 1; i + 1 < sizes->n; i++) {
		const double here = bend(&sizes->points[i]);

		if (here > most && gap_about(sizes, i) >= 0) {
			most = here;
			at = gap_about(sizes, i);
		}
	}
	return at;
}

/* A point in the middle of the gap after `at`. */
static int halve(struct mpib_sizes *sizes, int at)
{
	struct point *next = &sizes->points[at + 1];
	const int size = next[-1].size + (next[0].size - next[-1].size) / 2;

	memmove(next + 1, next, (size_t)(sizes->n - at - 1) * sizeof(*next));
	*next = (struct point){ size, NAN };
	sizes->n++;
	return at + 1;
}

int mpib_sizes_next(struct mpib_sizes *sizes)
{
	int at;

	for (int i = 0; i < sizes->n; i++)
		if (isnan(sizes->points[i].seconds)) {
			sizes->asked = i;
			return sizes->points[i].size;
		}
	if (sizes->n == sizes->most)
		return -1;
	at = worst(sizes);
	if (at < 0)
		return -1;
	sizes->asked = halve(sizes, at);
	return sizes->points[sizes->asked].size;
}

void mpib_sizes_tell(struct mpib_sizes *sizes, double seconds)
{
	sizes->points[sizes->asked].seconds = seconds;
}
