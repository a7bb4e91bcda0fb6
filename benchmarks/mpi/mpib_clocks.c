/* SPDX-License-Identifier: BSD-3-Clause */

/* Measures how well the clocks of processes can be compared by messages. */
#include "mpib_clocks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a;
	const int64_t y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void show(const char *what, int64_t *values, int n)
{
	qsort(values, (size_t)n, sizeof(*values), compare);
	printf("%s %" PRId64 " %" PRId64 " %" PRId64 "\n", what,
	       values[(n - 1) / 2], values[(n - 1) * 9 / 10], values[n - 1]);
}

static void show_all(int64_t *errors, int64_t *bounds, int n)
{
	int beyond = 0;

	for (int i = 0; i < n; i++)
		beyond += errors[i] > bounds[i];
	show("error", errors, n);
	show("bound", bounds, n);
	printf("beyond %d\n", beyond);
}

/* The worst of all processes. */
static int64_t worst(int64_t value)
{
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX,
		      MPI_COMM_WORLD);
	return value;
}

static int compare_once(int64_t *error, int64_t *bound)
{
	struct mpib_clock *clock;
	const int rc = mpib_clock_new(MPI_COMM_WORLD, true, &clock);

	if (rc < 0)
		return rc;
	*error = worst(llabs(mpib_clock_global(clock, 0)));
	*bound = worst(mpib_clock_bound(clock));
	mpib_clock_free(clock);
	return 0;
}

int mpib_clocks_compare(const struct mpib_options *options)
{
	const int n = options->rules.min_reps;
	int64_t *errors = calloc((size_t)n + 1, sizeof(*errors));
	int64_t *bounds = calloc((size_t)n + 1, sizeof(*bounds));
	int rank;
	int rc = errors && bounds && n > 0 ? 0 : -ENOMEM;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; rc == 0 && i < n; i++)
		rc = compare_once(&errors[i], &bounds[i]);
	if (rc == 0 && rank == 0)
		show_all(errors, bounds, n);
	free(errors);
	free(bounds);
	return rc;
}
