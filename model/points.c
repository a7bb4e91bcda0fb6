/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A list of measured points: adding, sorting, and finding repetitions.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/points.h"

/* Clears inputs that the operation does not depend on, so that they do not make
 * two points different. */
static void keep_given(struct point *point)
{
	const unsigned given = formulas[point->operation].given;
	struct formula_input *input = &point->input;
	double *const inputs[] = { &input->instructions, &input->threads,
				   &input->bytes, &input->processes,
				   &input->seconds };

	for (unsigned i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
		if (!(given & 1u << i))
			*inputs[i] = 0;
}

int points_add(struct points *points, const struct point *point)
{
	struct point *grown;

	if (points->n == points->room) {
		points->room = points->room ? 2 * points->room : 64;
		grown = realloc(points->points, points->room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		points->points = grown;
	}
	points->points[points->n] = *point;
	keep_given(&points->points[points->n++]);
	return 0;
}

void points_clear(struct points *points)
{
	free(points->points);
	logp_clear(&points->logp);
	*points = (struct points){ 0 };
}

int points_add_logp(struct points *points)
{
	struct point point = { .operation = FORMULA_P2P };
	int rc = 0;

	logp_sort(&points->logp);
	for (double bytes = logp_next(&points->logp, -1);
	     rc == 0 && !isnan(bytes);
	     bytes = logp_next(&points->logp, bytes)) {
		point.input.bytes = bytes;
		point.value = logp_message(&points->logp, bytes);
		if (isnan(point.value))
			return -EINVAL;
		if (point.value > 0)
			rc = points_add(points, &point);
		else
			points->n_short++;
	}
	return rc;
}

static int order(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare(const void *one, const void *other)
{
	const struct point *a = one;
	const struct point *b = other;
	int rc = (a->operation > b->operation) - (a->operation < b->operation);

	if (rc == 0)
		rc = order(a->input.processes, b->input.processes);
	if (rc == 0)
		rc = order(a->input.threads, b->input.threads);
	if (rc == 0)
		rc = order(a->input.bytes, b->input.bytes);
	if (rc == 0)
		rc = order(a->input.instructions, b->input.instructions);
	if (rc == 0)
		rc = order(a->input.seconds, b->input.seconds);
	return rc ? rc : order(a->value, b->value);
}

void points_sort(struct points *points)
{
	if (points->n)
		qsort(points->points, points->n, sizeof(*points->points),
		      compare);
}

bool points_repeat(const struct point *a, const struct point *b)
{
	return memcmp(&a->input, &b->input, sizeof(a->input)) == 0;
}

double points_size(const struct point *point)
{
	const unsigned given = formulas[point->operation].given;

	if (given & FORMULA_BYTES)
		return point->input.bytes;
	if (given & FORMULA_THREADS)
		return point->input.threads;
	return point->input.processes;
}
