/* SPDX-License-Identifier: BSD-3-Clause */

/* The first part of a page: a few numbers, and what they say in sentences. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/html/html_run.h"
#include "analyzer/show/table_html.h"

#define UNEVEN   10 /* percent of imbalance that is worth a sentence */
#define LITTLE   5  /* percent of time in MPI that is not */
#define SITE_MIN 5  /* percent of time of a call site that is */

struct sums {
	uint64_t computation;
	uint64_t communication;
	uint64_t waiting;
	uint64_t most; /* computation of a rank */
	uint64_t most_rank;
};

static struct sums sums_of(const struct run *run)
{
	struct sums s = { 0 };

	for (size_t i = 0; i < run->n_ranks; i++) {
		const struct run_rank *r = &run->ranks[i];

		s.computation = sat_add(s.computation, r->computation);
		s.communication = sat_add(s.communication, r->communication);
		s.waiting = sat_add(s.waiting, r->waiting);
		if (r->computation >= s.most) {
			s.most = r->computation;
			s.most_rank = r->rank;
		}
	}
	return s;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

/* Takes the text over. */
static void put(FILE *to, const char *before, char *text, const char *after)
{
	fputs(before, to);
	table_html_text(to, text);
	fputs(after, to);
	free(text);
}

static void tile(FILE *to, char *value, const char *of)
{
	put(to, "<li><b>", value, "</b> ");
	fprintf(to, "%s</li>\n", of);
}

static void put_tiles(struct html_run *r, const struct sums *s)
{
	const struct run *run = r->report.run;
	uint64_t others;

	fputs("<ul class=\"tiles\">\n", r->body);
	tile(r->body, mem_text(units_time_text(run_wall(run))), "wall time");
	tile(r->body,
	     run->size > run->n_ranks
		     ? mem_print("%zu of %" PRIu64, run->n_ranks, run->size)
		     : mem_print("%zu", run->n_ranks),
	     run->n_ranks == 1 ? "rank" : "ranks");
	tile(r->body, mem_text(run_fact(run, RUN_MODE, &others)), "mode");
	tile(r->body,
	     mem_print("%.1f %%", percent(s->communication, r->report.total)),
	     "in MPI");
	tile(r->body,
	     mem_print("%.1f %%", percent(s->waiting, r->report.total)),
	     "waiting");
	fputs("</ul>\n", r->body);
}

static void say(FILE *to, char *text)
{
	put(to, "<li>", text, "</li>\n");
}

static void say_share(struct html_run *r, const struct sums *s)
{
	const double in_mpi = percent(s->communication, r->report.total);

	if (in_mpi < LITTLE)
		say(r->body,
		    mem_print("%.1f %% of the ranks' time is in MPI: there is "
			      "little to gain there.",
			      in_mpi));
	else
		say(r->body,
		    mem_print(
			    "%.1f %% of the ranks' time is in MPI; in %.1f %% "
			    "of that MPI made no progress, so it was "
			    "waiting.",
			    in_mpi, percent(s->waiting, s->communication)));
}

static void say_uneven(struct html_run *r, const struct sums *s)
{
	const double by = report_imbalance(s->most, s->computation,
					   r->report.run->n_ranks);
	char *rank;

	if (by < UNEVEN)
		return;
	rank = report_ranks(&s->most_rank, 1);
	say(r->body,
	    mem_print("Computation is uneven: %s computes %.1f %% longer than "
		      "the mean, and the others wait for it sooner or later.",
		      rank, by));
	free(rank);
}

/* The call site that took the most time; SIZE_MAX: none. */
static size_t worst_site(const struct run *run)
{
	size_t worst = SIZE_MAX;

	for (size_t i = 0; i < run->sites.keys.n; i++) {
		const struct run_site_key *key = intern_key(&run->sites.keys,
							    i);

		if (key->place == UINT64_MAX ||
		    run_is_outside(intern_key(&run->calls.keys, key->call)))
			continue;
		if (worst == SIZE_MAX ||
		    run->sites.list[i].time > run->sites.list[worst].time)
			worst = i;
	}
	return worst;
}

static void say_site(struct html_run *r)
{
	const struct run *run = r->report.run;
	const size_t worst = worst_site(run);
	const struct run_site_key *key;
	double share;
	char *place;

	if (worst == SIZE_MAX)
		return;
	share = percent(run->sites.list[worst].time, r->report.total);
	if (share < SITE_MIN)
		return;
	key = intern_key(&run->sites.keys, worst);
	place = report_place(&r->report, key->place);
	say(r->body,
	    mem_print("%s at %s took %.1f %% of the ranks' time, more than any "
		      "other call site.",
		      (const char *)intern_key(&run->calls.keys, key->call),
		      place, share));
	free(place);
}

void html_overview(struct html_run *r)
{
	const struct sums s = sums_of(r->report.run);

	put_tiles(r, &s);
	fputs("<ul class=\"verdict\">\n", r->body);
	say_share(r, &s);
	say_uneven(r, &s);
	say_site(r);
	fputs("</ul>\n", r->body);
}
