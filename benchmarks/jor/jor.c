/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * JOR, a benchmark of two coupled sites after Clauss, Gsell, Lankes and
 * Bemmerl.  It relaxes Laplace's equation on 2 N x N points by Jacobi's method
 * until the error is a tenth of what it was.  One site has the points above a
 * frontier, the other those below.  Within a site edges are exchanged in each
 * iteration.  Between the sites they are exchanged once a period only, which
 * costs iterations and saves messages.
 *
 * A point has the same bits after an iteration however a site's part is cut,
 * and with a period of 1 wherever the frontier is.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>

#include "benchmarks/lib/kernel.h"
#include "jor_bench.h"
#include "jor_options.h"
#include "jor_run.h"
#include "jor_show.h"
#include "jor_sites.h"

static struct options options;

static bool enough(const struct layout *layout, const int rows[2])
{
	for (int site = 0; site < 2; site++) {
		const int least = layout_rows_least(layout, site);

		if (rows[site] < least)
			return options_wrong("%d processes of a site need at "
					     "least %d rows, it has %d; take "
					     "a larger --size or --class",
					     layout->ranks[site], least,
					     rows[site]);
	}
	return true;
}

/* For runs without a look for sites: halves of the processes. */
static bool plain_layout(struct layout *layout)
{
	const int all = 2 * options.size;
	int size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (options.frontier >= all)
		return options_wrong("--frontier=%d leaves the second site "
				     "none of %d rows",
				     options.frontier, all);
	*layout = (struct layout){
		.columns = options.size,
		.rows = { options.frontier < 0 ? options.size
					       : options.frontier },
		.ranks = { (size + 1) / 2, size / 2 },
		.blocks = options.blocks,
	};
	if (size == 1)
		layout->rows[0] = all;
	layout->rows[1] = all - layout->rows[0];
	return enough(layout, layout->rows);
}

static struct run plain_run(const struct layout *layout,
			    const struct slow *slow, int period)
{
	return (struct run){
		.comm = MPI_COMM_WORLD,
		.layout = *layout,
		.period = period,
		.overlap = options.overlap,
		.slow = slow,
	};
}

static bool plain_possible(void)
{
	int size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < options.n_periods; i++)
		if (size == 1 && options.periods[i] > 1)
			return options_wrong("one process has no two sites for "
					     "a period of %d; start at least "
					     "two, by mpiexec -n 2",
					     options.periods[i]);
	return true;
}

static void count_one(const struct layout *layout, int period)
{
	const struct run run = plain_run(layout, NULL, period);
	uint64_t check;
	const int iterations = run_count(&run, &check);

	if (kernel_speaks())
		printf("%d %d %016" PRIx64 "\n", period, iterations, check);
}

static int count(void)
{
	struct layout layout;

	if (!plain_layout(&layout) || !plain_possible())
		return 2;
	for (int i = 0; i < options.n_periods; i++)
		count_one(&layout, options.periods[i]);
	return 0;
}

static struct slow slow_of(int site)
{
	return (struct slow){
		.delay = options.delay,
		.bandwidth = options.bandwidth,
		.duty = options.duty[site],
	};
}

static int solve(void)
{
	struct run_result result;
	struct layout layout;
	struct slow slow;
	struct run run;
	uint64_t check;
	int iterations;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	options.n_periods = 1;
	if (!plain_layout(&layout) || !plain_possible())
		return 2;
	slow = slow_of(rank >= layout.ranks[0]);
	run = plain_run(&layout, &slow, options.periods[0]);
	iterations = run_count(&run, &check);
	result = run_time(&run, iterations);
	if (kernel_speaks())
		printf("%.6f %016" PRIx64 "\n", result.seconds, result.check);
	return 0;
}

static bool large_enough(const struct sites *sites)
{
	const struct layout layout = {
		.columns = options.size,
		.ranks = { sites->ranks[0], sites->ranks[1] },
		.blocks = options.blocks,
	};
	const int rows[2] = { options.size, options.size };

	return enough(&layout, rows);
}

static int bench_of(const struct sites *sites)
{
	struct bench bench = { .options = &options, .sites = sites };
	bool good;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	bench.slow = slow_of(sites->site[rank]);
	if (options.pin)
		slow_pin(sites->site[rank]);
	bench.all = sites_all(sites);
	bench.own = sites_own(sites);
	show_sites(&options, sites);
	good = bench_do(&bench);
	bench_free(&bench);
	MPI_Comm_free(&bench.all);
	MPI_Comm_free(&bench.own);
	return good ? 0 : 1;
}

static int bench(void)
{
	const struct slow link = slow_of(0);
	struct sites sites;
	int status = 2;

	if (sites_find(&options, &link, &sites) && large_enough(&sites) &&
	    show_begin(&options)) {
		status = bench_of(&sites);
		if (!show_end(&options))
			status = 2;
	}
	sites_free(&sites);
	return status;
}

static int start(int argc, char **argv)
{
	if (!options_read(&options, argc, argv))
		return 2;
	switch (options.task) {
	case TASK_HELP:
		if (kernel_speaks())
			fputs(options_help, stdout);
		return 0;
	case TASK_COUNT:
		return count();
	case TASK_SOLVE:
		return solve();
	default:
		return bench();
	}
}

static bool written(void)
{
	return (fflush(stdout) == 0 && !ferror(stdout)) ||
	       options_wrong("standard output: not all could be written");
}

int main(int argc, char **argv)
{
	int status;

	MPI_Init(&argc, &argv);
	status = start(argc, argv);
	if (!written())
		status = 2;
	MPI_Finalize();
	return status;
}
