/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Which ranks have not called a collective?  A rank in the deadlock that is
 * waited for has no collective under way that is not described.  So it has not
 * called this one, unless it has a description of it.
 */
#include "pmpi-shim/route/hang/hang_coll.h"

#define ABSENT_MOST 8

static uint32_t coll_find(const struct blocked_record *r,
			  const struct blocked_want *want)
{
	uint32_t i = 0;

	while (i < r->n_groups &&
	       (r->groups[i].is_thread || r->groups[i].number != want->number ||
		r->groups[i].context != want->context))
		i++;
	return i;
}

static bool has_called(const struct deadlock_process *p,
		       const struct blocked_want *want)
{
	if (p->ended)
		return false;
	return !p->is_dead || coll_find(&p->record, want) < p->record.n_groups;
}

/* A part of the same collective. */
static bool is_part(const struct blocked_want *want,
		    const struct blocked_want *coll)
{
	return want->by != BLOCKED_RECV && want->by != BLOCKED_SEND &&
	       want->by != BLOCKED_COLL && want->context == coll->context &&
	       want->number == coll->number;
}

/* Marks those that `rank` waits for in vain. */
static void absent_mark(const struct hang_graph *graph, uint32_t rank,
			const struct blocked_want *coll, bool *absent)
{
	const struct blocked_record *r = &graph->processes[rank].record;

	for (uint32_t i = 0; i < r->n_wants; i++)
		for (uint32_t peer = 0;
		     is_part(&r->wants[i], coll) && peer < graph->n; peer++)
			absent[peer] |= blocked_peer_is(&r->wants[i], peer) &&
					!has_called(&graph->processes[peer],
						    coll);
}

static void say_absent(struct hang_words *words, const struct hang_graph *graph,
		       const struct blocked_want *coll)
{
	bool absent[BLOCKED_RANKS] = { false };
	int32_t ranks[ABSENT_MOST];
	int n = 0;

	for (uint32_t rank = 0; rank < graph->n; rank++)
		if (graph->processes[rank].is_dead)
			absent_mark(graph, rank, coll, absent);
	for (uint32_t rank = 0; rank < graph->n; rank++) {
		if (absent[rank] && n < ABSENT_MOST)
			ranks[n] = (int32_t)rank;
		n += absent[rank];
	}
	if (n == 0)
		return;
	hang_say(words, ", which ");
	hang_say_ranks(words, ranks, n < ABSENT_MOST ? n : ABSENT_MOST);
	if (n > ABSENT_MOST)
		hang_say(words, " and %d more", n - ABSENT_MOST);
	hang_say(words, n > 1 ? " have not called" : " has not called");
}

bool hang_say_coll(struct hang_words *words, const struct hang_graph *graph,
		   uint32_t rank, const struct blocked_want *want)
{
	const struct deadlock_process *p = &graph->processes[rank];
	const uint32_t at = coll_find(&p->record, want);
	const struct blocked_group *group = &p->record.groups[at];

	if (at == p->record.n_groups || p->groups >> at & 1 ||
	    group->call == p->record.groups[want->group].call)
		return false;
	hang_say(words, ", for %s", hang_call_name(group->call));
	if (*graph->places[rank][at])
		hang_say(words, " begun at %s", graph->places[rank][at]);
	say_absent(words, graph, want);
	return true;
}
