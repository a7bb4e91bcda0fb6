/* SPDX-License-Identifier: BSD-3-Clause */

/* Measures one thing at all sizes. */
#include "mpib_sweep.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mpib_show.h"

#define TOLERANCE  0.1
#define SIZES_MOST 200

static int make_sizes(const struct mpib_options *options,
		      struct mpib_sizes **sizes)
{
	int rc;

	if (options->stride == 0)
		return mpib_sizes_adaptive(options->first, options->last,
					   TOLERANCE, SIZES_MOST, sizes);
	rc = mpib_sizes_strided(options->first, options->last, options->stride,
				sizes);
	if (rc == 0 && options->shuffle)
		rc = mpib_sizes_shuffle(*sizes, options->rules.seed);
	return rc;
}

int mpib_sweep(const struct mpib_options *options, mpib_measure_size *measure,
	       const void *of)
{
	struct mpib_sizes *sizes;
	double seconds = 0;
	int bytes;
	int rc = make_sizes(options, &sizes);

	if (rc < 0)
		return rc;
	while ((bytes = mpib_sizes_next(sizes)) >= 0) {
		rc = measure(options, of, bytes, &seconds);
		if (rc < 0)
			break;
		mpib_sizes_tell(sizes, seconds);
	}
	mpib_sizes_free(sizes);
	return rc;
}

int mpib_sweep_checked(int rc, const char *what, const char *by, int bytes)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rc == -EBADMSG && rank == 0)
		fprintf(stderr,
			"mpib_run: %s by %s brings wrong bytes, of %d\n", what,
			by, bytes);
	return rc;
}

static int measure_pattern(const struct mpib_options *options, const void *of,
			   int bytes, double *seconds)
{
	const struct mpib_pattern *row = of;
	const int window = options->window ? options->window : row->window;
	struct mpib_label label = { .what = row->name,
				    .algorithm = row->way,
				    .bytes = bytes };
	struct mpib_result result;
	int size;
	int rc = 0;

	if (options->check)
		rc = mpib_sweep_checked(
			mpib_check_pattern(MPI_COMM_WORLD, row, bytes, window),
			row->name, row->way, bytes);
	if (rc == 0)
		rc = mpib_measure_pattern(MPI_COMM_WORLD, row, bytes, window,
					  &options->rules, &result);
	if (rc < 0)
		return rc;
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	label.messages = mpib_pattern_messages(row, size, window);
	mpib_show(&label, &result);
	*seconds = result.median;
	return 0;
}

int mpib_sweep_patterns(const struct mpib_options *options)
{
	const struct mpib_pattern *row;
	double seconds;
	int rc = 0;

	for (int i = 0; rc == 0 && (row = mpib_pattern_own(i)); i++) {
		if (strcmp(row->name, options->what) != 0 ||
		    (options->algorithm &&
		     strcmp(row->way, options->algorithm) != 0))
			continue;
		if (row->bytes)
			rc = measure_pattern(options, row, row->bytes,
					     &seconds);
		else
			rc = mpib_sweep(options, measure_pattern, row);
	}
	return rc;
}

static int measure_nonblocking(const struct mpib_options *options,
			       const void *of, int bytes, double *seconds)
{
	const char *name = of;
	struct mpib_overlap overlap;
	const struct mpib_label label = { .what = name,
					  .algorithm = "mpi",
					  .bytes = bytes,
					  .overlap = &overlap };
	int rc = 0;

	if (options->check)
		rc = mpib_sweep_checked(mpib_check_nonblocking(MPI_COMM_WORLD,
							       name, bytes,
							       options->root),
					name, "mpi", bytes);
	if (rc == 0)
		rc = mpib_measure_overlap(MPI_COMM_WORLD, name, bytes,
					  options->root, &options->rules,
					  &overlap);
	if (rc < 0)
		return rc;
	mpib_show(&label, &overlap.alone);
	*seconds = overlap.alone.median;
	return 0;
}

int mpib_sweep_nonblocking(const struct mpib_options *options)
{
	double seconds;

	if (strcmp(options->what, "ibarrier") == 0)
		return measure_nonblocking(options, options->what, 0, &seconds);
	return mpib_sweep(options, measure_nonblocking, options->what);
}

static void show_plogp(const char *what, int bytes,
		       const struct mpib_result *result)
{
	const struct mpib_label label = { .what = what,
					  .algorithm = "mpi",
					  .bytes = bytes,
					  .pair = (const int[]){ 0, 1 } };

	mpib_show(&label, result);
}

static int measure_plogp(const struct mpib_options *options, const void *of,
			 int bytes, double *seconds)
{
	struct mpib_plogp plogp;
	int rc = 0;

	(void)of;
	if (options->check)
		rc = mpib_sweep_checked(
			mpib_check_pairs(MPI_COMM_WORLD, bytes, 0),
			options->what, "mpi", bytes);
	if (rc == 0)
		rc = mpib_measure_plogp(MPI_COMM_WORLD, bytes, &options->rules,
					&plogp);
	if (rc < 0)
		return rc;
	show_plogp("rtt", bytes, &plogp.round_trip);
	show_plogp("o_s", bytes, &plogp.send);
	show_plogp("o_r", bytes, &plogp.recv);
	*seconds = plogp.round_trip.median;
	return 0;
}

int mpib_sweep_plogp(const struct mpib_options *options)
{
	struct mpib_result gap;
	const int rc = mpib_measure_gap(MPI_COMM_WORLD, 0, &options->rules,
					&gap);

	if (rc < 0)
		return rc;
	show_plogp("gap", 0, &gap);
	return mpib_sweep(options, measure_plogp, NULL);
}
