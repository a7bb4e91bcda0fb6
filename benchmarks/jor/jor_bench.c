/* SPDX-License-Identifier: BSD-3-Clause */

/* Times jor: each site alone and both together, for each period. */
#include "jor_bench.h"

#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"
#include "jor_best.h"
#include "jor_show.h"

static int reps(const struct bench *bench)
{
	return bench->options->repetitions;
}

static struct bench_series series_new(const struct bench *bench, int first,
				      int second, int period)
{
	const uint64_t n = (uint64_t)reps(bench);

	return (struct bench_series){
		.rows = { first, second },
		.period = period,
		.seconds = kernel_room(n, sizeof(double)),
		.busy = { kernel_room(n, sizeof(double)),
			  kernel_room(n, sizeof(double)) },
	};
}

static void series_free(struct bench_series *series)
{
	free(series->seconds);
	free(series->busy[0]);
	free(series->busy[1]);
}

static void step(struct bench *bench)
{
	show_progress(bench->options, ++bench->done, bench->steps);
}

static struct run run_of(const struct bench *bench,
			 const struct bench_series *series)
{
	return (struct run){
		.comm = bench->all,
		.layout = {
			.columns = bench->options->size,
			.rows = { series->rows[0], series->rows[1] },
			.ranks = { bench->sites->ranks[0],
				   bench->sites->ranks[1] },
			.blocks = bench->options->blocks,
		},
		.period = series->period,
		.overlap = bench->options->overlap,
		.slow = &bench->slow,
	};
}

static int own_site(const struct bench *bench)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return bench->sites->site[rank];
}

/* The run of this process's site alone, as if it were the first. */
static struct run local_of(const struct bench *bench,
			   const struct bench_series *series)
{
	struct run run = run_of(bench, series);

	run.comm = bench->own;
	run.layout.ranks[0] = bench->sites->ranks[own_site(bench)];
	run.layout.ranks[1] = 0;
	return run;
}

/* All agree, as sites that measure apart need not: what follows takes all. */
static bool same(const struct bench_series *series, uint64_t check)
{
	int good = check == series->check;

	MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND,
		      MPI_COMM_WORLD);
	if (good)
		return true;
	return options_wrong("a run of %d iterations, of period %d, had other "
			     "bits than the one that was counted",
			     series->iterations, series->period);
}

static void count(struct bench *bench, struct bench_series *series,
		  const struct run *run)
{
	series->iterations = run_count(run, &series->check);
	step(bench);
}

static bool time(struct bench *bench, struct bench_series *series,
		 const struct run *run, int at)
{
	const struct run_result result = run_time(run, series->iterations);

	series->seconds[at] = result.seconds;
	series->busy[0][at] = result.busy[0];
	series->busy[1][at] = result.busy[1];
	step(bench);
	return same(series, result.check);
}

/* Collects the measurements of the processes of each site. */
static void exchange(struct bench *bench, bool large)
{
	for (int site = 0; site < 2; site++) {
		struct bench_series *local = &bench->local[site][large];

		MPI_Bcast(local->seconds, reps(bench), MPI_DOUBLE,
			  bench->sites->front[site], MPI_COMM_WORLD);
		MPI_Bcast(local->busy[0], reps(bench), MPI_DOUBLE,
			  bench->sites->front[site], MPI_COMM_WORLD);
	}
}

/* Both sites at the same time: each has what is its own. */
static bool measure_local(struct bench *bench, bool large)
{
	struct bench_series *mine = &bench->local[own_site(bench)][large];
	const struct run run = local_of(bench, mine);
	bool good = true;

	count(bench, mine, &run);
	for (int site = 0; site < 2; site++)
		bench->local[site][large].iterations = mine->iterations;
	for (int i = 0; i < reps(bench); i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		good = time(bench, mine, &run, i) && good;
	}
	exchange(bench, large);
	return good;
}

static void weigh(struct bench *bench)
{
	bench->balance.size = bench->options->size;
	for (int site = 0; site < 2; site++) {
		const struct bench_series *small = &bench->local[site][0];
		const struct bench_series *large = &bench->local[site][1];

		bench->balance.small[site] = bench_least(bench,
							 small->seconds) /
					     small->iterations;
		bench->balance.large[site] = bench_least(bench,
							 large->seconds) /
					     large->iterations;
	}
}

static void plan_local(struct bench *bench)
{
	const int size = bench->options->size;

	for (int site = 0; site < 2; site++)
		for (int large = 0; large < 2; large++)
			bench->local[site][large] = series_new(
				bench, size << large, 0, 1);
}

static void plan_coupled(struct bench *bench)
{
	const int size = bench->options->size;
	const struct run run = run_of(bench, &bench->local[0][0]);
	const int least[2] = { layout_rows_least(&run.layout, 0),
			       layout_rows_least(&run.layout, 1) };
	const int first = balance_rows(&bench->balance, least);

	bench->transparent = series_new(bench, size, size, 1);
	for (int i = 0; i < bench->options->n_periods; i++)
		bench->balanced[i] = series_new(bench, first, 2 * size - first,
						bench->options->periods[i]);
}

static void count_coupled(struct bench *bench)
{
	struct run run = run_of(bench, &bench->transparent);

	count(bench, &bench->transparent, &run);
	for (int i = 0; i < bench->options->n_periods; i++) {
		run = run_of(bench, &bench->balanced[i]);
		count(bench, &bench->balanced[i], &run);
	}
}

static bool measure_coupled(struct bench *bench, int at)
{
	struct run run = run_of(bench, &bench->transparent);
	bool good = time(bench, &bench->transparent, &run, at);

	for (int i = 0; i < bench->options->n_periods; i++) {
		run = run_of(bench, &bench->balanced[i]);
		good = time(bench, &bench->balanced[i], &run, at) && good;
	}
	return good;
}

static void show_locals(const struct bench *bench)
{
	for (int large = 0; large < 2; large++)
		for (int site = 0; site < 2; site++)
			show_local(bench, site, large);
}

static bool local(struct bench *bench)
{
	plan_local(bench);
	if (!measure_local(bench, false) || !measure_local(bench, true))
		return false;
	weigh(bench);
	show_locals(bench);
	return true;
}

static bool coupled(struct bench *bench)
{
	bool good = true;

	plan_coupled(bench);
	count_coupled(bench);
	for (int i = 0; i < reps(bench); i++)
		good = measure_coupled(bench, i) && good;
	if (!good)
		return false;
	show_coupled(bench, &bench->transparent, "transparent");
	for (int i = 0; i < bench->options->n_periods; i++)
		show_coupled(bench, &bench->balanced[i], "balanced");
	show_summary(bench);
	return true;
}

bool bench_do(struct bench *bench)
{
	const int periods = bench->options->n_periods;

	bench->steps = (reps(bench) + 1) * (3 + periods);
	return local(bench) && coupled(bench);
}

void bench_free(struct bench *bench)
{
	for (int i = 0; i < 4; i++)
		series_free(&bench->local[i / 2][i % 2]);
	series_free(&bench->transparent);
	for (int i = 0; i < bench->options->n_periods; i++)
		series_free(&bench->balanced[i]);
}
