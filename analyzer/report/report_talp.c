/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Efficiencies as the JSON file of DLB's TALP, as its versions 3.5 have it:
 * TALP-Pages makes tables and series of it.  The run is the region "Global",
 * each phase a region of its name.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyzer/base/say.h"
#include "analyzer/report/report.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/run/run_efficiency.h"

#define NS    1000000000
#define WHOLE "Global"

static void put_number(FILE *to, const char *name, uint64_t number)
{
	fprintf(to, "      \"%s\": %" PRIu64 ",\n", name, number);
}

static void put_share(FILE *to, const char *name, double share)
{
	fprintf(to, "      \"%s\": %.4f,\n", name, share);
}

/* We do not count these.  TALP writes 0, too, where it has no PAPI. */
static void put_counters(FILE *to)
{
	put_number(to, "cycles", 0);
	put_number(to, "instructions", 0);
}

static void put_times(FILE *to, const struct run_efficiency *e)
{
	put_number(to, "elapsedTime", e->elapsed);
	put_number(to, "usefulTime", e->total);
	put_number(to, "mpiTime", e->in_mpi);
}

/* For us a process is one thread: OpenMP loses nothing. */
static void put_shares(FILE *to, const struct run_efficiency *e)
{
	put_share(to, "parallelEfficiency", e->parallel);
	put_share(to, "mpiParallelEfficiency", e->parallel);
	put_share(to, "mpiCommunicationEfficiency", e->communication);
	put_share(to, "mpiLoadBalance", e->balance);
	put_share(to, "mpiLoadBalanceIn", e->balance_in);
	put_share(to, "mpiLoadBalanceOut", e->balance_out);
	put_share(to, "ompParallelEfficiency", 1);
	put_share(to, "ompLoadBalance", 1);
	put_share(to, "ompSchedulingEfficiency", 1);
	fprintf(to, "      \"ompSerializationEfficiency\": 1.0000\n");
}

static void put_region(FILE *to, const char *name, uint64_t times,
		       uint64_t calls, const struct run_efficiency *e)
{
	fputs("    ", to);
	table_json_text_to(to, name);
	fputs(": {\n", to);
	put_number(to, "numCpus", e->n_ranks);
	put_number(to, "numMpiRanks", e->n_ranks);
	put_number(to, "numNodes", e->n_hosts);
	put_number(to, "avgCpus", e->n_ranks);
	put_counters(to);
	put_number(to, "numMeasurements", times);
	put_number(to, "numMpiCalls", calls);
	put_times(to, e);
	put_shares(to, e);
	fputs("    }", to);
}

static uint64_t all_calls(const struct run *run)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		calls = sat_add(calls, run->ranks[i].calls);
	return calls;
}

static void put_phase(FILE *to, const struct run *run, size_t phase)
{
	const char *name = intern_key(&run->phase_names, phase);
	const struct run_phase *p = &run->phases[phase];
	struct run_efficiency e;

	if (!*name || !run_efficiency(run, phase, &e))
		return;
	fputs(",\n", to);
	put_region(to, strcmp(name, WHOLE) ? name : WHOLE " (phase)", p->count,
		   p->calls.count, &e);
}

static void put_resources(FILE *to, const struct run_efficiency *e)
{
	fprintf(to,
		"  \"resources\": {\"numCpus\": %" PRIu64
		", \"numNodes\": %" PRIu64 ", \"numMpiRanks\": %" PRIu64 "},\n",
		e->n_ranks, e->n_hosts, e->n_ranks);
}

static void put_run(FILE *to, const struct run *run,
		    const struct run_efficiency *e)
{
	const time_t began = (time_t)(run->start / NS);
	char when[32];
	struct tm utc;

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&began, &utc));
	fprintf(to,
		"{\n  \"dlbVersion\": \"3.5.1\",\n  \"timestamp\": \"%s\",\n",
		when);
	put_resources(to, e);
	fputs("  \"Application\": {\n", to);
	put_region(to, WHOLE, 1, all_calls(run), e);
	for (size_t i = 0; i < run->phase_names.n; i++)
		put_phase(to, run, i);
	fputs("\n  }\n}\n", to);
}

int report_talp(const struct run *run, const char *path)
{
	struct run_efficiency e;
	bool failed;
	FILE *to;

	if (!run_efficiency(run, RUN_WHOLE, &e)) {
		say_error("%s: no time was recorded: nothing for %s", run->path,
			  path);
		return -ENODATA;
	}
	to = fopen(path, "we");
	if (to) {
		put_run(to, run, &e);
		failed = ferror(to);
		if (fclose(to) == 0 && !failed)
			return 0;
	}
	say_error("cannot write to %s: %s", path, strerror(errno));
	return -EIO;
}
