/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds processes that wait for each other only, in a copy of the waits of all
 * processes of a node.
 */
#include "libbcs/base/deadlock.h"

struct graph {
	struct deadlock_process *processes;
	uint32_t n;
};

static bool is_live(const struct deadlock_process *p)
{
	return !p->is_dead && !p->ended;
}

static bool has_left(const struct deadlock_process *p)
{
	return p->ended & BLOCKED_OPEN;
}

/* It has not been received: else it is being copied, and will end. */
static bool is_offered(const struct deadlock_process *p, uint32_t from,
		       uint64_t op)
{
	if (p->record.settled)
		return true;
	for (uint32_t i = 0; i < p->record.n_offers; i++)
		if (p->record.offers[i].from == from &&
		    p->record.offers[i].op == op)
			return true;
	return false;
}

/* That collective of a blocked process may go on. */
static bool coll_is_live(const struct deadlock_process *p, uint32_t context,
			 int32_t number)
{
	const struct blocked_group *group;

	if (p->record.emits)
		return true;
	for (uint32_t i = 0; i < p->record.n_groups; i++) {
		group = &p->record.groups[i];
		if (!group->is_thread && group->context == context &&
		    group->number == number)
			return p->groups >> i & 1;
	}
	return false;
}

/* Whether process `from` may be helped by `p`, which does not run. */
static bool is_brought(const struct deadlock_process *p, uint32_t from,
		       const struct blocked_want *want)
{
	if (p->ended)
		return has_left(p);
	switch ((enum blocked_by)want->by) {
	case BLOCKED_SEND:
		return p->record.offers_cut || !is_offered(p, from, want->op);
	case BLOCKED_PART_RECV:
		return coll_is_live(p, want->context, want->number);
	case BLOCKED_PART_SEND:
		return p->record.offers_cut || !is_offered(p, from, want->op) ||
		       coll_is_live(p, want->context, want->number);
	default:
		return false;
	}
}

static bool may_come(const struct graph *graph, uint32_t from,
		     const struct blocked_want *want)
{
	const struct deadlock_process *p;

	if (want->elsewhere)
		return true;
	if (want->by == BLOCKED_COLL)
		return coll_is_live(&graph->processes[from], want->context,
				    want->number);
	for (uint32_t rank = 0; rank < graph->n; rank++) {
		p = &graph->processes[rank];
		if (blocked_peer_is(want, rank) &&
		    (is_live(p) || is_brought(p, from, want)))
			return true;
	}
	return false;
}

/* A group without wants was not understood. */
static bool group_may_go_on(const struct graph *graph, uint32_t from,
			    uint32_t group)
{
	const struct blocked_record *r = &graph->processes[from].record;
	uint32_t n_come = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_wants; i++) {
		if (r->wants[i].group != group)
			continue;
		n++;
		n_come += may_come(graph, from, &r->wants[i]);
	}
	return n == 0 || (r->groups[group].any ? n_come > 0 : n_come == n);
}

/* Whether that made more go on. */
static bool reduce(const struct graph *graph, uint32_t rank)
{
	struct deadlock_process *p = &graph->processes[rank];
	bool more = false;

	for (uint32_t i = 0; p->is_dead && i < p->record.n_groups; i++) {
		if (p->groups >> i & 1 || !group_may_go_on(graph, rank, i))
			continue;
		p->groups |= UINT32_C(1) << i;
		p->is_dead = !p->record.groups[i].is_thread;
		more = true;
	}
	return more;
}

unsigned deadlock_find(struct deadlock_process *processes, uint32_t n)
{
	const struct graph graph = { processes, n };
	unsigned n_dead = 0;
	bool more;

	for (uint32_t i = 0; i < n; i++) {
		processes[i].groups = 0;
		processes[i].is_dead = processes[i].is_blocked &&
				       !processes[i].ended;
	}
	do {
		more = false;
		for (uint32_t i = 0; i < n; i++)
			more |= reduce(&graph, i);
	} while (more);
	for (uint32_t i = 0; i < n; i++)
		n_dead += processes[i].is_dead;
	return n_dead;
}
