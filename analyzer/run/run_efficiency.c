/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The efficiencies of a run.  U is the computation of each rank.  T is the run
 * time.  T* is the run time on an ideal network.
 *
 *   parallel      = mean U / T
 *   load balance  = mean U / max U
 *   communication = max U / T
 *   serialisation = max U / T*
 *   transfer      = T* / T
 *
 * T* is the greatest of the ranks' path clocks (mds/mmds/path.h).  In a phase
 * it is the most by which one of them advanced.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run_efficiency.h"

struct host {
	uint64_t n;
	uint64_t total;
};

/* The greatest mean of a host. */
static double best_host(const struct host *hosts, size_t n, uint64_t *used)
{
	double best = 0;
	double mean;

	*used = 0;
	for (size_t i = 0; i < n; i++) {
		if (hosts[i].n == 0)
			continue;
		++*used;
		mean = (double)hosts[i].total / (double)hosts[i].n;
		if (mean > best)
			best = mean;
	}
	return best;
}

static void add_span(struct run_efficiency *e, struct host *hosts,
		     const struct run_span *span)
{
	const uint64_t time = sat_add(span->computation, span->communication);

	e->n_ranks++;
	e->total = sat_add(e->total, span->computation);
	e->in_mpi = sat_add(e->in_mpi, span->communication);
	hosts[span->host].n++;
	hosts[span->host].total = sat_add(hosts[span->host].total,
					  span->computation);
	if (time > e->elapsed)
		e->elapsed = time;
	if (span->computation > e->most) {
		e->most = span->computation;
		e->rank = span->rank;
	}
	if (span->path > e->ideal)
		e->ideal = span->path;
	e->ideal_known &= span->has_path;
}

/*
 * Keeps T* in its bounds.  It may leave them, because ranks begin a moment
 * apart, and a phase may receive messages that were sent before it.
 */
static void keep_within(struct run_efficiency *e)
{
	if (e->ideal < e->most)
		e->ideal = e->most;
	if (e->ideal > e->elapsed)
		e->ideal = e->elapsed;
}

static void divide(struct run_efficiency *e, double best)
{
	const double mean = (double)e->total / (double)e->n_ranks;
	const double most = (double)e->most;

	e->parallel = mean / (double)e->elapsed;
	e->communication = most / (double)e->elapsed;
	e->balance = e->most ? mean / most : 1;
	e->balance_in = e->most ? best / most : 1;
	e->balance_out = e->most ? mean / best : 1;
	e->serialisation = e->ideal ? most / (double)e->ideal : 1;
	e->transfer = (double)e->ideal / (double)e->elapsed;
}

bool run_efficiency(const struct run *run, size_t phase,
		    struct run_efficiency *e)
{
	struct host *hosts = mem_alloc(run->words.n, sizeof(*hosts));
	double best;

	*e = (struct run_efficiency){
		.ideal_known = run->some_ranks || !run_missing(run, NULL, 0),
	};
	for (size_t i = 0; i < run->n_spans; i++)
		if (run->spans[i].phase == phase)
			add_span(e, hosts, &run->spans[i]);
	best = best_host(hosts, run->words.n, &e->n_hosts);
	free(hosts);
	if (e->elapsed == 0)
		return false;
	keep_within(e);
	divide(e, best);
	return true;
}
