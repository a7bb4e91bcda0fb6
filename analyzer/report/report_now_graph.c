/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Shows which ranks wait for each other, by the calls under way.  A rank that
 * waits for several ranks needs all of them, so it is enough to follow one.  A
 * chain of such ranks ends in a circle, or at a rank that waits for none.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

#define NOBODY       SIZE_MAX
#define LONG_ENOUGH  UINT64_C(1000000000) /* ns; a shorter wait says nothing */
#define CIRCLE_SHOWN 8

struct graph {
	struct report *report;
	struct table *table;
	size_t *next;    /* by record of a rank: the one that it waits for */
	size_t *end;     /* where its chain ends; in a circle, the least */
	uint64_t *ranks; /* room for a list */
};

static bool begins(const char *call, const char *const *words)
{
	for (; *words; words++)
		if (strncmp(call, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* True if the call waits for one peer, and for nobody else. */
static bool waits_for_peer(const struct run *run, const struct run_now *now)
{
	static const char *const either[] = { "MPI_Waitany", "MPI_Waitsome",
					      NULL };
	static const char *const waits[] = { "MPI_Wait", NULL };
	static const char *const calls[] = {
		"MPI_Recv", "MPI_Probe", "MPI_Mprobe",
		"MPI_Send", "MPI_Ssend", NULL,
	};
	const char *call = report_word(run, now->call);

	if (*report_word(run, now->waits_for) != '\0')
		return begins(call, waits) && !begins(call, either);
	return begins(call, calls) && strncmp(call, "MPI_Sendrecv", 12) != 0;
}

static size_t index_of(const struct run *run, uint64_t rank)
{
	const struct run_rank *found = report_now_rank(run, rank);

	return found ? (size_t)(found - run->ranks) : NOBODY;
}

/* The peer's record.  NOBODY if the communicator is one of two groups: it has
 * more members than its own size, and places are not unique. */
static size_t peer_of(const struct run *run, const struct run_now *now)
{
	const char *peer = report_word(run, now->peer);
	char *rest;
	const uint64_t place = strtoull(peer, &rest, 10);
	size_t found = NOBODY;

	if (*peer == '\0' || *rest != '\0' || now->comm == INTERN_NONE ||
	    run->comms[now->comm].members > run->comms[now->comm].size)
		return NOBODY;
	for (size_t i = 0; i < run->n_members; i++) {
		if (run->members[i].comm != now->comm ||
		    run->members[i].place != place)
			continue;
		if (found != NOBODY)
			return NOBODY;
		found = index_of(run, run->members[i].rank);
	}
	return found;
}

/* The record of an absent rank, the root if that is absent. */
static size_t absent_of(const struct graph *g, const struct run_now *now)
{
	const struct run *run = g->report->run;
	const size_t n = report_now_absent(run, now, g->ranks);
	const size_t root = peer_of(run, now);

	for (size_t i = 0; i < n; i++)
		if (index_of(run, g->ranks[i]) == root)
			return root;
	return n ? index_of(run, g->ranks[0]) : NOBODY;
}

/*
 * The call that a rank is in.  NULL if it does not tell for whom the rank
 * waits.  With several threads another one may go on.  In the mode observe
 * another request may hold up the call.
 */
static const struct run_now *call_of(const struct run *run, uint64_t rank)
{
	const struct run_now *found = NULL;
	const bool observed = strcmp(run_rank_fact(run,
						   report_now_rank(run, rank),
						   RUN_MODE),
				     "observe") == 0;

	for (size_t i = 0; i < run->n_now; i++) {
		const struct run_now *now = &run->now[i];

		if (now->rank != rank)
			continue;
		if (found && (observed || now->thread != found->thread ||
			      !waits_for_peer(run, now)))
			return NULL;
		if (!found)
			found = now;
	}
	return found;
}

static size_t next_of(const struct graph *g, uint64_t rank)
{
	const struct run *run = g->report->run;
	const struct run_now *now = call_of(run, rank);

	if (!now || now->since < LONG_ENOUGH)
		return NOBODY;
	if (waits_for_peer(run, now))
		return peer_of(run, now);
	return absent_of(g, now);
}

static size_t least_of_circle(const struct graph *g, size_t at)
{
	size_t least = at;

	for (size_t i = g->next[at]; i != at; i = g->next[i])
		if (i < least)
			least = i;
	return least;
}

/* A chain with more steps than there are ranks goes in a circle. */
static size_t end_of(const struct graph *g, size_t at)
{
	for (size_t steps = 0; steps < g->report->run->n_ranks; steps++) {
		if (g->next[at] == NOBODY)
			return at;
		at = g->next[at];
	}
	return least_of_circle(g, at);
}

static bool is_in_circle(const struct graph *g, size_t at, size_t least)
{
	size_t i = least;

	do {
		if (i == at)
			return true;
		i = g->next[i];
	} while (i != least);
	return false;
}

/* "ranks 4-7" of those whose chain ends there; NULL if there are none. */
static char *followers(const struct graph *g, size_t end, bool circle)
{
	const struct run *run = g->report->run;
	size_t n = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (g->end[i] == end && i != end &&
		    !(circle && is_in_circle(g, i, end)))
			g->ranks[n++] = run->ranks[i].rank;
	return n ? report_ranks(g->ranks, n) : NULL;
}

/* "rank 0 waits for rank 1, rank 1 for rank 2, rank 2 for rank 0" */
static char *circle_text(const struct graph *g, size_t least)
{
	const struct run_rank *ranks = g->report->run->ranks;
	char *text = NULL;
	size_t at = least;

	do {
		char *more = mem_print(
			"%s%srank %" PRIu64 "%s for rank %" PRIu64,
			text ? text : "", text ? ", " : "", ranks[at].rank,
			text ? "" : " waits", ranks[g->next[at]].rank);

		free(text);
		text = more;
		at = g->next[at];
	} while (at != least);
	return text;
}

static char *circle_list(const struct graph *g, size_t least)
{
	const struct run *run = g->report->run;
	size_t n = 0;
	char *ranks;
	char *text;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (g->end[i] == least && is_in_circle(g, i, least))
			g->ranks[n++] = run->ranks[i].rank;
	if (n > 2 && n <= CIRCLE_SHOWN)
		return circle_text(g, least);
	ranks = report_ranks(g->ranks, n);
	text = mem_print("%s wait for each other", ranks);
	free(ranks);
	return text;
}

static void add_circle(const struct graph *g, size_t least)
{
	char *text = circle_list(g, least);
	char *behind = followers(g, least, true);

	report_note(g->table,
		    behind ? mem_print("%s; %s behind them", text, behind)
			   : mem_print("%s", text));
	free(behind);
	free(text);
}

/* The call of the rank, or none; NULL if it ended, or its record is not whole.
 */
static const char *state_of(const struct run *run, const struct run_rank *rank)
{
	for (size_t i = 0; i < run->n_now; i++)
		if (run->now[i].rank == rank->rank)
			return report_word(run, run->now[i].call);
	if (rank->whole && run_rank_was_asked(run, rank))
		return "no call of MPI";
	return NULL;
}

static void add_end(const struct graph *g, size_t end)
{
	const struct run *run = g->report->run;
	const char *state = state_of(run, &run->ranks[end]);
	char *behind = followers(g, end, false);

	if (behind && state)
		report_note(g->table,
			    mem_print("%s wait%s in the end for rank %" PRIu64
				      ", which is in %s",
				      behind,
				      strncmp(behind, "ranks", 5) ? "s" : "",
				      run->ranks[end].rank, state));
	free(behind);
}

void report_now_graph(struct report *report, struct table *table)
{
	const struct run *run = report->run;
	const size_t most = run->n_ranks + run->n_members;
	struct graph g = { .report = report, .table = table };

	g.next = mem_alloc(run->n_ranks, sizeof(*g.next));
	g.end = mem_alloc(run->n_ranks, sizeof(*g.end));
	g.ranks = mem_alloc(most, sizeof(*g.ranks));
	for (size_t i = 0; i < run->n_ranks; i++)
		g.next[i] = next_of(&g, run->ranks[i].rank);
	for (size_t i = 0; i < run->n_ranks; i++)
		g.end[i] = end_of(&g, i);
	for (size_t i = 0; i < run->n_ranks; i++)
		if (g.end[i] == i && g.next[i] != NOBODY)
			add_circle(&g, i);
		else if (g.end[i] == i)
			add_end(&g, i);
	free(g.ranks);
	free(g.end);
	free(g.next);
}
