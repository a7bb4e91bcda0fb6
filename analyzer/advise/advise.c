/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Chooses the blocking calls that are tried, and replays the trace with each of
 * them changed, and with all.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/advise/advise.h"
#include "analyzer/base/mem.h"
#include "analyzer/trace/traces.h"

/*
 * Percent of the run that a change is to gain at most.  Sends and receives
 * often gain together, and little each by itself.
 */
#define WORTH        0.5
#define WORTH_IN_ALL 0.1
#define TRIED        0.1 /* percent of all threads' time in the calls */
#define RANKS_MAX    (1 << 20)
#define LOSS         1.0 /* percent of all threads' time that is waited */

static const struct {
	const char *call;
	const char *into;
	enum waits_change_kind kind;
} forms[] = {
	{ "MPI_Send", "MPI_Isend", WAITS_CHANGE_SEND },
	{ "MPI_Ssend", "MPI_Issend", WAITS_CHANGE_SEND },
	{ "MPI_Recv", "MPI_Irecv", WAITS_CHANGE_RECEIVE },
	{ "MPI_Sendrecv", "MPI_Irecv and MPI_Isend", WAITS_CHANGE_RECEIVE },
	{ "MPI_Bcast", "MPI_Ibcast", WAITS_CHANGE_ALL },
	{ "MPI_Reduce", "MPI_Ireduce", WAITS_CHANGE_ALL },
	{ "MPI_Allreduce", "MPI_Iallreduce", WAITS_CHANGE_ALL },
	{ "MPI_Gather", "MPI_Igather", WAITS_CHANGE_ALL },
	{ "MPI_Gatherv", "MPI_Igatherv", WAITS_CHANGE_ALL },
	{ "MPI_Scatter", "MPI_Iscatter", WAITS_CHANGE_ALL },
	{ "MPI_Scatterv", "MPI_Iscatterv", WAITS_CHANGE_ALL },
	{ "MPI_Allgather", "MPI_Iallgather", WAITS_CHANGE_ALL },
	{ "MPI_Allgatherv", "MPI_Iallgatherv", WAITS_CHANGE_ALL },
	{ "MPI_Alltoall", "MPI_Ialltoall", WAITS_CHANGE_ALL },
	{ "MPI_Alltoallv", "MPI_Ialltoallv", WAITS_CHANGE_ALL },
	{ "MPI_Scan", "MPI_Iscan", WAITS_CHANGE_ALL },
	{ "MPI_Exscan", "MPI_Iexscan", WAITS_CHANGE_ALL },
};

/* The number of its form, or -1. */
static int form_of(const char *call)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(call, forms[i].call) == 0)
			return (int)i;
	return -1;
}

static uint64_t delayed(const struct waits *waits, uint32_t place)
{
	uint64_t time = 0;

	for (size_t i = 0; i < waits->row_keys.n; i++) {
		const struct waits_row_key *key = intern_key(&waits->row_keys,
							     i);

		if (key->state == WAITS_LATE_RECEIVER && key->other == place)
			time += waits->rows[i].sum.time;
	}
	return time;
}

/* Sorts the greatest in, and drops the least if there are too many. */
static void call_add(struct advise *advise, const struct advise_call *call)
{
	unsigned at = advise->n_calls;

	if (at == ADVISE_CALLS_MAX) {
		if (advise->calls[at - 1].time >= call->time) {
			free(call->within);
			return;
		}
		free(advise->calls[--at].within);
	} else {
		advise->n_calls++;
	}
	while (at > 0 && advise->calls[at - 1].time < call->time) {
		advise->calls[at] = advise->calls[at - 1];
		at--;
	}
	advise->calls[at] = *call;
}

uint64_t advise_all_time(const struct waits *waits)
{
	uint64_t time = 0;

	for (size_t i = 0; i < waits->places.n; i++)
		time += waits->calls[i].time;
	for (size_t i = 0; i < waits->n_threads; i++)
		time += waits->threads[i].computed;
	return time;
}

uint64_t advise_waiting(const struct waits *waits, uint32_t place)
{
	const struct waits_calls *calls = &waits->calls[place];

	return calls->time - calls->work - calls->parts[WAITS_SLICE] -
	       calls->parts[WAITS_IN_SLICES] - calls->parts[WAITS_CORE];
}

static void sooner(struct advise_reuse *reuse, const struct advise_reuse *other)
{
	if (other->count &&
	    (!reuse->count || other->computation < reuse->computation))
		*reuse = *other;
}

/* Where all ranks, or one of them, use the buffers of a call again. */
static struct advise_reuse reuse_of(const struct advise *advise, uint64_t rank,
				    uint32_t place, enum waits_change_kind kind)
{
	const char *call = waits_call_text(&advise->waits, place);
	const char *site = waits_site_text(&advise->waits, place);
	const struct advise_reuse sent = advise_reuse(advise->reuses, rank,
						      call, site, "sent");
	const struct advise_reuse received = advise_reuse(
		advise->reuses, rank, call, site, "received");
	struct advise_reuse reuse = { 0 };

	if (kind != WAITS_CHANGE_RECEIVE)
		sooner(&reuse, &sent);
	if (kind != WAITS_CHANGE_SEND)
		sooner(&reuse, &received);
	return reuse;
}

/* Ranks have numbers below that. */
static uint64_t ranks_end(const struct run *run)
{
	uint64_t end = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].rank < RANKS_MAX && run->ranks[i].rank >= end)
			end = run->ranks[i].rank + 1;
	return end;
}

/* A rank whose own buffers are not known has the mean of the others. */
static void within_set(const struct advise *advise, struct advise_call *call,
		       enum waits_change_kind kind)
{
	struct waits_change *change = &call->change;
	const uint64_t n = ranks_end(advise->run);

	*change = (struct waits_change){ .place = change->place, .kind = kind };
	call->reuse = reuse_of(advise, ADVISE_ALL_RANKS, change->place, kind);
	if (!call->reuse.count)
		return;
	call->within = mem_alloc(n, sizeof(*call->within));
	for (uint64_t rank = 0; rank < n; rank++) {
		const struct advise_reuse reuse = reuse_of(advise, rank,
							   change->place, kind);

		call->within[rank] = (reuse.count ? &reuse : &call->reuse)
					     ->computation;
	}
	change->within = call->within;
	change->n_ranks = n;
}

static void calls_choose(struct advise *advise)
{
	const struct waits *waits = &advise->waits;
	const double all = (double)advise_all_time(waits);

	for (uint32_t place = 0; place < waits->places.n; place++) {
		const int form = form_of(waits_call_text(waits, place));
		struct advise_call call = {
			.change.place = place,
			.time = waits->calls[place].time,
			.waiting = advise_waiting(waits, place),
		};

		if (form < 0 ||
		    100.0 * (double)(call.time + delayed(waits, place)) <
			    TRIED * all)
			continue;
		call.into = forms[form].into;
		within_set(advise, &call, forms[form].kind);
		call_add(advise, &call);
	}
}

/* Case 0 changes nothing, 1 to 3 all; then there are two of each call. */
#define CASES_OF_CALLS 4

static void case_add(struct waits_whatif *whatif, struct waits_case one)
{
	whatif->cases[whatif->n_cases++] = one;
}

static void cases_make(struct advise *advise)
{
	struct waits_whatif *whatif = &advise->whatif;
	const uint32_t all = (UINT32_C(1) << advise->n_calls) - 1;

	case_add(whatif, (struct waits_case){ 0 });
	case_add(whatif, (struct waits_case){ .changes = all });
	case_add(whatif, (struct waits_case){ .changes = all, .free = true });
	case_add(whatif, (struct waits_case){ .changes = all, .apart = true });
	for (unsigned i = 0; i < advise->n_calls; i++) {
		const uint32_t one = UINT32_C(1) << i;

		whatif->changes[whatif->n_changes++] = advise->calls[i].change;
		case_add(whatif, (struct waits_case){ .changes = one });
		case_add(whatif,
			 (struct waits_case){ .changes = one, .free = true });
	}
}

static uint64_t gain_of(const struct waits_whatif *whatif, unsigned n)
{
	const uint64_t then = whatif->ends[n];
	const uint64_t gain = then < whatif->end ? whatif->end - then : 0;
	const uint64_t most = whatif->cases[n].free ? whatif->most_free
						    : whatif->most;

	return gain < most ? gain : most;
}

static int by_gain(const void *a_p, const void *b_p)
{
	const struct advise_call *a = a_p;
	const struct advise_call *b = b_p;

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	return a->most > b->most ? -1 : a->most < b->most;
}

/* A gain by overlap is not more than what free calls bring. */
static void gains_take(struct advise *advise)
{
	const struct waits_whatif *whatif = &advise->whatif;

	advise->gain = gain_of(whatif, 1);
	advise->most = gain_of(whatif, 2);
	advise->apart = gain_of(whatif, 3);
	for (unsigned i = 0; i < advise->n_calls; i++) {
		struct advise_call *call = &advise->calls[i];

		call->gain = gain_of(whatif, CASES_OF_CALLS + 2 * i);
		call->most = gain_of(whatif, CASES_OF_CALLS + 2 * i + 1);
		if (call->most < call->gain)
			call->most = call->gain;
	}
	if (advise->apart < advise->gain)
		advise->apart = advise->gain;
	if (advise->most < advise->apart)
		advise->most = advise->apart;
	qsort(advise->calls, advise->n_calls, sizeof(advise->calls[0]),
	      by_gain);
}

double advise_percent(const struct advise *advise, uint64_t time)
{
	return advise->time ? 100.0 * (double)time / (double)advise->time : 0;
}

bool advise_is_worth(const struct advise *advise,
		     const struct advise_call *call)
{
	const double least = advise_percent(advise, advise->most) >= WORTH
				     ? WORTH_IN_ALL
				     : WORTH;

	return advise_percent(advise, call->most) >= least;
}

static bool is_advised(const struct advise *advise, uint32_t place)
{
	for (unsigned i = 0; i < advise->n_calls; i++)
		if (advise->calls[i].change.place == place)
			return advise_is_worth(advise, &advise->calls[i]);
	return false;
}

static int by_waiting(const void *a_p, const void *b_p)
{
	const struct advise_loss *a = a_p;
	const struct advise_loss *b = b_p;

	return a->waiting > b->waiting ? -1 : a->waiting < b->waiting;
}

static void losses_find(struct advise *advise)
{
	const struct waits *waits = &advise->waits;
	const double all = (double)advise_all_time(waits);

	for (uint32_t place = 0; place < waits->places.n; place++) {
		const uint64_t waiting = advise_waiting(waits, place);

		if (100.0 * (double)waiting < LOSS * all ||
		    is_advised(advise, place))
			continue;
		advise->losses = mem_grow(advise->losses, &advise->losses_room,
					  advise->n_losses,
					  sizeof(*advise->losses));
		advise->losses[advise->n_losses++] = (struct advise_loss){
			place, waiting
		};
	}
	if (advise->n_losses)
		qsort(advise->losses, advise->n_losses, sizeof(*advise->losses),
		      by_waiting);
}

/* The cores of a host that has more ranks than cores; 0: no host has. */
static uint64_t crowded_cores(const struct run *run)
{
	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].cores &&
		    run->ranks[i].local_ranks * 1000 > run->ranks[i].cores)
			return (run->ranks[i].cores + 999) / 1000;
	return 0;
}

static int replay(struct advise *advise)
{
	const struct run_filter all = { 0 };
	struct waits again;
	const int rc = waits_load(&again, advise->run->path, &all,
				  &advise->whatif);

	if (rc == 0)
		waits_clear(&again);
	return rc;
}

static int check_whole(const char *path)
{
	const struct run_filter all = { 0 };
	struct traces_process process;
	struct traces traces;
	int rc = traces_open(&traces, path, &all);

	if (rc != 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < traces.files.n; i++) {
		if (traces_begin(&traces, i, &process) != 0)
			continue;
		rc = traces_check_whole(&process);
		trace_close(process.reader);
	}
	traces_close(&traces);
	return rc;
}

int advise_load(struct advise *advise, const struct run *run)
{
	const struct run_filter all = { 0 };
	uint64_t others;
	int rc;

	*advise = (struct advise){ .run = run };
	advise->whatif.in_slices = strcmp(run_fact(run, RUN_MODE, &others),
					  "fixed") == 0;
	advise->whatif.cores = crowded_cores(run);
	rc = check_whole(run->path);
	if (rc == 0)
		rc = waits_load(&advise->waits, run->path, &all, NULL);
	if (rc != 0)
		return rc;
	advise->reuses = advise_reuses_new(run);
	calls_choose(advise);
	cases_make(advise);
	rc = replay(advise);
	if (rc != 0) {
		advise_clear(advise);
		return rc;
	}
	if (advise->whatif.end > advise->waits.from)
		advise->time = advise->whatif.end - advise->waits.from;
	gains_take(advise);
	losses_find(advise);
	return 0;
}

void advise_clear(struct advise *advise)
{
	for (unsigned i = 0; i < advise->n_calls; i++)
		free(advise->calls[i].within);
	waits_clear(&advise->waits);
	advise_reuses_free(advise->reuses);
	free(advise->losses);
	advise->losses = NULL;
}
