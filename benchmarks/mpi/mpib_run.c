/* SPDX-License-Identifier: BSD-3-Clause */

/* The program of mpib: a figure a line, by rank 0. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpib_clocks.h"
#include "mpib_options.h"
#include "mpib_show.h"
#include "mpib_sweep.h"

static struct mpib_options options;
static int rank;
static int size;

static int measure_size(const struct mpib_options *of, const void *argument,
			int bytes, double *seconds)
{
	const struct mpib_coll *coll = argument;
	const struct mpib_label label = { .what = mpib_kind_name(coll->kind),
					  .algorithm = coll->name,
					  .bytes = bytes };
	struct mpib_result result;
	int rc = 0;

	if (of->check)
		rc = mpib_sweep_checked(
			mpib_check_coll(MPI_COMM_WORLD, coll, bytes, of->root),
			label.what, label.algorithm, bytes);
	if (rc < 0)
		return rc;
	if (of->tasks)
		rc = mpib_measure_tasks(MPI_COMM_WORLD, coll, bytes, of->root,
					&of->rules, &result);
	else
		rc = mpib_measure_coll(MPI_COMM_WORLD, coll, bytes, of->root,
				       &of->rules, &result);
	if (rc < 0)
		return rc;
	mpib_show(&label, &result);
	*seconds = result.median;
	return 0;
}

static int measure_kind(enum mpib_kind kind)
{
	const struct mpib_coll *coll;
	int rc;

	for (int i = 0; (coll = mpib_coll_own(kind, i)); i++) {
		if (options.algorithm &&
		    strcmp(options.algorithm, coll->name) != 0)
			continue;
		rc = mpib_sweep(&options, measure_size, coll);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static void show_pairs(const struct mpib_result *results, int bytes)
{
	char name[32];

	for (int i = 0; i < size; i++)
		for (int j = i + 1; j < size; j++) {
			const int at = mpib_pair_index(size, i, j);
			const struct mpib_label label = {
				.what = "pairs",
				.algorithm = name,
				.bytes = bytes,
				.pair = (const int[]){ i, j },
			};

			snprintf(name, sizeof(name), "%d-%d", i, j);
			mpib_show(&label, &results[at]);
		}
}

static void show_triple(const struct mpib_result *results, int bytes,
			const int who[3])
{
	const int at = mpib_triple_index(size, who[0], who[1], who[2]);
	char name[48];
	const struct mpib_label label = { .what = "triples",
					  .algorithm = name,
					  .bytes = bytes };

	snprintf(name, sizeof(name), "%d-%d+%d", who[0], who[1], who[2]);
	mpib_show(&label, &results[at]);
}

static void show_triples(const struct mpib_result *results, int bytes)
{
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			for (int k = j + 1; k < size; k++)
				if (j != i && k != i)
					show_triple(results, bytes,
						    (int[]){ i, j, k });
}

/* Adaptive sizes follow the first. */
static int measure_pairs_of(const struct mpib_options *of, const void *argument,
			    int bytes, double *seconds)
{
	struct mpib_result *results = *(struct mpib_result *const *)argument;
	const bool two = strcmp(of->what, "triples") == 0;
	const int back = of->back < 0 ? bytes : of->back;
	int rc = 0;

	if (of->check)
		rc = mpib_sweep_checked(
			mpib_check_pairs(MPI_COMM_WORLD, bytes, back), of->what,
			"mpi", bytes);
	if (rc == 0)
		rc = (two ? mpib_measure_triples : mpib_measure_pairs)(
			MPI_COMM_WORLD, bytes, back, of->parallel, &of->rules,
			results);
	if (rc < 0)
		return rc;
	(two ? show_triples : show_pairs)(results, bytes);
	*seconds = results[0].median;
	return 0;
}

static size_t count_results(void)
{
	const size_t n = (size_t)size;
	const size_t pairs = n * (n - 1) / 2;

	return strcmp(options.what, "triples") == 0 ? pairs * (n - 2) : pairs;
}

/* Or triples. */
static int measure_pairs(void)
{
	struct mpib_result *results = calloc(count_results(), sizeof(*results));
	const int rc = results ? mpib_sweep(&options, measure_pairs_of,
					    &results)
			       : -ENOMEM;

	free(results);
	return rc;
}

static void nothing(void *argument)
{
	(void)argument;
}

/* From the first start to the last end of nothing at all. */
static int measure_skew(void)
{
	static const char *const names[] = { "barrier", "deadline", "once" };
	const struct mpib_label label = {
		.what = "skew",
		.algorithm = names[options.rules.start],
	};
	struct mpib_result result;
	int rc;

	options.rules.timing = MPIB_GLOBAL;
	rc = mpib_measure(MPI_COMM_WORLD, 0, nothing, NULL, &options.rules,
			  &result);
	if (rc == 0)
		mpib_show(&label, &result);
	return rc;
}

static void barrier(void *argument)
{
	(void)argument;
	MPI_Barrier(MPI_COMM_WORLD);
}

/* By MPI's own, as what is measured begins and ends with one. */
static int measure_barrier(void)
{
	const struct mpib_label label = { .what = "barrier",
					  .algorithm = "mpi" };
	struct mpib_result result;
	const int rc = mpib_measure(MPI_COMM_WORLD, 0, barrier, NULL,
				    &options.rules, &result);

	if (rc == 0)
		mpib_show(&label, &result);
	return rc;
}

static int measure(void)
{
	bool crowded;

	if (strcmp(options.what, "clock") == 0)
		return mpib_clocks_compare(&options);
	mpib_crowded(MPI_COMM_WORLD, &crowded);
	/*
	 * The library does the same: the output is to name the start that is
	 * used.
	 */
	if (crowded && options.rules.start == MPIB_START_DEADLINE)
		options.rules.start = MPIB_START_BARRIER;
	mpib_show_head(&options, crowded);
	if (strcmp(options.what, "pairs") == 0 ||
	    strcmp(options.what, "triples") == 0)
		return measure_pairs();
	if (strcmp(options.what, "plogp") == 0)
		return mpib_sweep_plogp(&options);
	if (strcmp(options.what, "barrier") == 0)
		return measure_barrier();
	if (strcmp(options.what, "skew") == 0)
		return measure_skew();
	if (options.group == GROUP_PATTERN)
		return mpib_sweep_patterns(&options);
	if (options.group == GROUP_NONBLOCKING)
		return mpib_sweep_nonblocking(&options);
	return measure_kind(mpib_kind_find(options.what));
}

static int run(void)
{
	int rc;

	options.rules.samples = calloc((size_t)options.rules.max_reps + 1,
				       sizeof(double));
	if (!options.rules.samples)
		MPI_Abort(MPI_COMM_WORLD, 1);
	rc = measure();
	if (rc == 0)
		mpib_show_end();
	free(options.rules.samples);
	if (rc < 0 && rc != -EBADMSG && rank == 0)
		fprintf(stderr, "mpib_run: %s: %s\n", options.what,
			strerror(-rc));
	return rc < 0 ? 2 : 0;
}

int main(int argc, char **argv)
{
	int rc = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		if (rank == 0)
			fputs(mpib_options_help, stdout);
	} else if (mpib_options_read(&options, argc, argv) < 0) {
		rc = 2;
	} else {
		rc = run();
	}
	MPI_Finalize();
	return rc;
}
