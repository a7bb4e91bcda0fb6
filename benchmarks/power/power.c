/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The power of this machine with no core busy, with one, and so on: RAPL's
 * energy over a stretch in which so many threads compute, each on a core of its
 * own.  The others are as busy as who else is there makes them.
 */
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rapl.h"

static const char usage[] =
	"usage: power [--seconds=S] [--repetitions=N] [--powercap=FOLDER]\n"
	"Prints watts by busy threads as CSV, for bcs model fit.  Each figure "
	"is of S\n"
	"seconds (2, at most 60), and there are N (3) of each.  FOLDER is "
	"where RAPL's\n"
	"zones are (" RAPL_ROOT ").\n";

#define SETTLE_SHARE 0.2 /* of a stretch, before it */
#define THREADS_MAX  CPU_SETSIZE

static struct rapl rapl;
static double seconds = 2;
static int repetitions = 3;
static const char *root = RAPL_ROOT;

static int cores[THREADS_MAX]; /* that we may use */
static int n_cores;
static atomic_bool over;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void sleep_for(double time)
{
	const struct timespec t = {
		.tv_sec = (time_t)time,
		.tv_nsec = (long)((time - (double)(time_t)time) * 1e9),
	};

	nanosleep(&t, NULL);
}

static void *busy(void *core)
{
	volatile double value = 1;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(*(const int *)core, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	while (!atomic_load_explicit(&over, memory_order_relaxed))
		for (int i = 0; i < 1000; i++)
			value = value * 0.999 + 0.001;
	return NULL;
}

static int watts_of_stretch(double *watts)
{
	uint64_t energy;
	double start;
	int rc;

	sleep_for(seconds * SETTLE_SHARE);
	start = now();
	rc = rapl_read(&rapl, &energy);
	if (rc == 0) {
		sleep_for(seconds);
		rc = rapl_read(&rapl, &energy);
	}
	if (rc == 0)
		*watts = (double)energy * 1e-6 / (now() - start);
	return rc;
}

static int measure(int n, double *watts)
{
	pthread_t *threads = calloc((size_t)n + 1, sizeof(*threads));
	int begun = 0;
	int rc = -1;

	atomic_store_explicit(&over, false, memory_order_relaxed);
	while (threads && begun < n &&
	       pthread_create(&threads[begun], NULL, busy, &cores[begun]) == 0)
		begun++;
	if (threads && begun == n)
		rc = watts_of_stretch(watts);
	else
		snprintf(rapl.fault, sizeof(rapl.fault),
			 "%d threads could not be begun", n);
	atomic_store_explicit(&over, true, memory_order_relaxed);
	while (begun > 0)
		pthread_join(threads[--begun], NULL);
	free(threads);
	return rc;
}

static int row(int n)
{
	double watts = 0;

	if (measure(n, &watts) != 0)
		return -1;
	if (!(watts > 0)) {
		snprintf(rapl.fault, sizeof(rapl.fault),
			 "%.200s: RAPL's counters stand still", root);
		return -1;
	}
	printf("power,%d,%.3f\n", n, watts);
	fflush(stdout);
	return 0;
}

static int measure_all(void)
{
	puts("operation,threads,watts");
	for (int i = 0; i < repetitions; i++)
		for (int n = 0; n <= n_cores; n++)
			if (row(n) != 0)
				return -1;
	return 0;
}

static void cores_find(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	for (int i = 0; i < THREADS_MAX; i++)
		if (CPU_ISSET(i, &set))
			cores[n_cores++] = i;
}

static bool number(const char *text, double least, double most, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && *end == '\0' && *value >= least && *value <= most;
}

static bool set(int option, const char *value)
{
	double n = 0;

	switch (option) {
	case 's':
		return number(value, 0.01, 60, &seconds);
	case 'r':
		if (!number(value, 1, 1e6, &n))
			return false;
		repetitions = (int)n;
		return true;
	default:
		root = value;
		return *value;
	}
}

static bool options(int argc, char **argv)
{
	static const struct option list[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "repetitions", required_argument, NULL, 'r' },
		{ "powercap", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int which;
	int at = 0;

	while ((which = getopt_long(argc, argv, "h", list, &at)) >= 0) {
		if (which == '?')
			return false;
		if (which == 'h') {
			fputs(usage, stdout);
			exit(0);
		}
		if (!set(which, optarg)) {
			fprintf(stderr,
				"power: --%s cannot be '%s' "
				"(see --help)\n",
				list[at].name, optarg);
			return false;
		}
	}
	if (optind == argc)
		return true;
	fprintf(stderr, "power: an argument too many: '%s' (see --help)\n",
		argv[optind]);
	return false;
}

int main(int argc, char **argv)
{
	int rc;

	if (!options(argc, argv))
		return 2;
	cores_find();
	rc = rapl_open(&rapl, root);
	if (rc == 0)
		rc = measure_all();
	if (rc != 0)
		fprintf(stderr, "power: %s\n", rapl.fault);
	rapl_close(&rapl);
	return rc ? 2 : 0;
}
