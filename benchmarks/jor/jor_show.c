/* SPDX-License-Identifier: BSD-3-Clause */

/* Prints the tables of jor, and its results as lines of JSON. */
#include "jor_show.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"
#include "jor_best.h"

#define BAR 40

static FILE *results;

bool show_begin(const struct options *options)
{
	int failed = 0;

	if (options->results && kernel_speaks()) {
		results = fopen(options->results, "a");
		failed = results ? 0 : errno;
	}
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (failed)
		return options_wrong("%s: %s", options->results,
				     strerror(failed));
	return true;
}

bool show_end(const struct options *options)
{
	bool failed;

	if (!results)
		return true;
	failed = ferror(results) != 0;
	failed |= fclose(results) != 0;
	return !failed ||
	       options_wrong("%s: not all could be written", options->results);
}

/* Over what the bar was. */
static void clear(const struct options *options)
{
	if (options->progress)
		fprintf(stderr, "\r%*s\r", BAR + 10, "");
}

void show_progress(const struct options *options, int done, int steps)
{
	const int full = BAR * done / steps;

	if (!options->progress || !kernel_speaks())
		return;
	fprintf(stderr, "\r[%.*s%*s] %3d %%", full,
		"########################################", BAR - full, "",
		100 * done / steps);
	if (done == steps)
		clear(options);
	fflush(stderr);
}

void show_sites(const struct options *options, const struct sites *sites)
{
	if (!kernel_speaks())
		return;
	printf("%d + %d processes, sites by %s; front-ends %d and %d, %.1f us "
	       "of a round trip\n",
	       sites->ranks[0], sites->ranks[1], options->sites,
	       sites->front[0], sites->front[1], sites->trip * 1e6);
	printf("%d x %d points in %s%s; link + %.0f us; duty %.0f and %.0f "
	       "%%\n",
	       2 * options->size, options->size,
	       options->blocks ? "blocks" : "strips",
	       options->overlap ? ", overlapped" : "", options->delay * 1e6,
	       options->duty[0] * 100, options->duty[1] * 100);
	printf("\n%-16s %11s %7s %11s %12s\n", "run", "rows", "period",
	       "iterations", "seconds");
	if (results)
		fprintf(results,
			"{\"what\": \"sites\", \"size\": %d, \"ranks_1\": %d, "
			"\"ranks_2\": %d, \"front_1\": %d, \"front_2\": %d, "
			"\"trip\": %.9f, \"blocks\": %s, \"overlap\": %s, "
			"\"delay\": %.9f, \"duty_1\": %.3f, "
			"\"duty_2\": %.3f}\n",
			options->size, sites->ranks[0], sites->ranks[1],
			sites->front[0], sites->front[1], sites->trip,
			options->blocks ? "true" : "false",
			options->overlap ? "true" : "false", options->delay,
			options->duty[0], options->duty[1]);
}

static void row(const struct bench *bench, const struct bench_series *series,
		const char *what, const char *rows)
{
	const double least = bench_least(bench, series->seconds);

	printf("%-16s %11s %7d %11d %12.6f\n", what, rows, series->period,
	       series->iterations, least);
	if (results)
		fprintf(results,
			"{\"what\": \"%s\", \"rows_1\": %d, \"rows_2\": %d, "
			"\"period\": %d, \"iterations\": %d, "
			"\"seconds\": %.9f, \"busy_1\": %.9f, "
			"\"busy_2\": %.9f}\n",
			what, series->rows[0], series->rows[1], series->period,
			series->iterations, least,
			bench_least(bench, series->busy[0]),
			bench_least(bench, series->busy[1]));
}

void show_local(const struct bench *bench, int site, bool large)
{
	char rows[32];
	char what[32];

	if (!kernel_speaks())
		return;
	clear(bench->options);
	snprintf(rows, sizeof(rows), "%d", bench->local[site][large].rows[0]);
	snprintf(what, sizeof(what), "local, site %d", site + 1);
	row(bench, &bench->local[site][large], what, rows);
}

void show_coupled(const struct bench *bench, const struct bench_series *series,
		  const char *what)
{
	char rows[32];

	if (!kernel_speaks())
		return;
	snprintf(rows, sizeof(rows), "%d + %d", series->rows[0],
		 series->rows[1]);
	row(bench, series, what, rows);
}

static void show_power(const struct bench *bench)
{
	const double share = balance_share(&bench->balance);
	const struct balance large = { .small = { bench->balance.large[0],
						  bench->balance.large[1] } };
	const int boundary = balance_boundary(&bench->balance);

	printf("\npower %.1f : %.1f %%, on twice as many rows %.1f : %.1f %%: ",
	       share * 100, 100 - share * 100, balance_share(&large) * 100,
	       100 - balance_share(&large) * 100);
	if (boundary < 0)
		printf("no cache boundary\n");
	else
		printf("a cache boundary at site %d\n", boundary + 1);
}

/* How much less the one computed than the other, of the first balanced run. */
static double imbalance(const struct bench *bench)
{
	const struct bench_series *series = &bench->balanced[0];
	const double first = bench_least(bench, series->busy[0]);
	const double second = bench_least(bench, series->busy[1]);

	return first < second ? 1 - first / second : 1 - second / first;
}

void show_summary(const struct bench *bench)
{
	const double alone = bench_alone(bench);
	const struct bench_series *best = bench_best(bench);
	const double artless = alone /
			       bench_least(bench, bench->transparent.seconds);
	const double artful = alone / bench_least(bench, best->seconds);

	if (!kernel_speaks())
		return;
	show_power(bench);
	printf("balanced, the sites compute within %.1f %% of each other\n",
	       imbalance(bench) * 100);
	printf("speed-up artless %.3f, artful %.3f at period %d\n", artless,
	       artful, best->period);
	if (results)
		fprintf(results,
			"{\"what\": \"summary\", \"share_1\": %.6f, "
			"\"boundary\": %d, \"imbalance\": %.6f, "
			"\"artless\": %.6f, \"artful\": %.6f, "
			"\"period\": %d}\n",
			balance_share(&bench->balance),
			balance_boundary(&bench->balance) + 1, imbalance(bench),
			artless, artful, best->period);
}
