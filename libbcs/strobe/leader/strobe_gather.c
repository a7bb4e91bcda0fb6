/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Pending collectives: some of their processes have not called.  Calls that do
 * not fit together fail.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/strobe/leader/strobe_leader.h"

/* Without memory; nobody is to be told. */
static struct strobe_work lost = { .slot = STROBE_REMOTE,
				   .d = { .eager = true } };

struct strobe_work *strobe_gather_lost(void)
{
	return &lost;
}

/*
 * Communicators without a process in common may have the same context: the
 * first process tells them apart.
 */
static bool is_of(const struct strobe_gather *gather,
		  const struct strobe_descriptor *call)
{
	return gather->d.key.context == call->key.context &&
	       gather->d.key.tag == call->key.tag &&
	       gather->d.first == call->first;
}

static bool has_called(const struct strobe_gather *gather,
		       const struct strobe_descriptor *call)
{
	return call->size == gather->d.size && gather->known[call->rank];
}

/*
 * A persistent collective keeps its number.  A process that needs nothing of
 * the others may start it again before they have started it once.  So this is
 * the oldest that the process has not called.
 */
static struct strobe_gather **find(struct strobe_leader *leader,
				   const struct strobe_descriptor *call)
{
	struct strobe_gather **link = &leader->pending.first;

	while (*link && (!is_of(*link, call) || has_called(*link, call)))
		link = &(*link)->next;
	return link;
}

void strobe_gather_fail(struct strobe_leader *leader,
			const struct strobe_work *work, int error, int culprit)
{
	const struct strobe_order order = { .kind = STROBE_FAIL,
					    .last = true,
					    .error = error,
					    .source = culprit,
					    .op = work->d.op };

	if (!work->d.eager)
		strobe_order_give(leader, work->slot, &order);
}

/* Room for a bit of each rank; 0 if there is none, and nobody is told. */
static uint64_t called_make(struct strobe_leader *leader, int size)
{
	const uint64_t bytes = ((uint64_t)size + 63) / 64 * sizeof(uint64_t);
	const uint64_t place = strobe_arena_get(&leader->arena, bytes, 0);

	if (place)
		memset(strobe_at(leader->strobe, place), 0, bytes);
	return place;
}

/* Processes that wait see who else has called (strobe_blocked.c). */
static void called_add(struct strobe_leader *leader,
		       struct strobe_gather *gather, int32_t rank)
{
	_Atomic uint64_t *words = strobe_at(leader->strobe, gather->called);

	gather->known[rank] = true;
	gather->n++;
	if (gather->called)
		atomic_fetch_or(&words[rank / 64], UINT64_C(1) << rank % 64);
}

static void called_show(struct strobe_leader *leader,
			const struct strobe_gather *gather,
			const struct strobe_work *work)
{
	struct strobe_share *share = strobe_at(leader->strobe, work->d.block);

	if (gather->called)
		atomic_store(&share->called, gather->called);
}

static struct strobe_gather *gather_new(struct strobe_leader *leader,
					const struct strobe_descriptor *call)
{
	const size_t size = (size_t)call->size;
	struct strobe_gather *gather = calloc(
		1, sizeof(*gather) + size * (sizeof(gather->works[0]) +
					     sizeof(gather->known[0])));

	if (!gather)
		return NULL;
	gather->known = (bool *)(gather->works + size);
	gather->called = called_make(leader, call->size);
	gather->d = *call;
	strobe_gathers_add(&leader->pending, gather);
	return gather;
}

/* A process that was done at once left its share to others. */
static void share_free(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe *strobe = leader->strobe;

	if (work == &lost)
		return;
	if (work->d.eager && work->d.block)
		strobe_arena_put(
			strobe->memory,
			work->slot == STROBE_REMOTE
				? &strobe->head->returned
				: &strobe_slot(strobe, work->slot)->returned,
			work->d.block);
	strobe_work_free(leader, work);
}

void strobe_gather_free(struct strobe_leader *leader,
			struct strobe_gather *gather)
{
	const int size = gather->d.size;

	for (int rank = 0; rank < size; rank++)
		if (gather->works[rank])
			share_free(leader, gather->works[rank]);
	if (gather->called)
		strobe_arena_put(leader->strobe->memory,
				 &leader->strobe->head->returned,
				 gather->called);
	free(gather);
}

/* Processes that have called hear of it now, the others when they call. */
static void fail_all(struct strobe_leader *leader, struct strobe_gather *gather,
		     int32_t culprit)
{
	gather->failed = true;
	gather->culprit = culprit;
	for (int rank = 0; rank < gather->d.size; rank++)
		if (gather->works[rank])
			strobe_gather_fail(leader, gather->works[rank], -EPROTO,
					   rank == culprit
						   ? gather->local->d.rank
						   : culprit);
}

/*
 * Only a process's own node can tell which call it made.  Where calls of
 * several nodes differ, none is scheduled, and processes that wait in vain give
 * up.
 */
static void check(struct strobe_leader *leader, struct strobe_gather *gather,
		  const struct strobe_work *work)
{
	const struct strobe_descriptor *local = &gather->local->d;

	if (gather->failed)
		strobe_gather_fail(leader, work, -EPROTO,
				   work->d.rank == gather->culprit
					   ? local->rank
					   : gather->culprit);
	else if (local->signature != work->d.signature)
		fail_all(leader, gather, work->d.rank);
}

/* The node has taken in a collective when all its processes have called. */
static void count(struct strobe_leader *leader, struct strobe_gather *gather)
{
	if (++gather->here == gather->local->d.here)
		strobe_count(leader, EMDS_COLL_DEM, 1);
}

/* All know that it cannot be. */
static void end_failed(struct strobe_leader *leader,
		       struct strobe_gather **link)
{
	if ((*link)->failed && (*link)->n == (*link)->d.size)
		strobe_gather_free(
			leader, strobe_gathers_remove(&leader->pending, link));
}

/* The newest is the last. */
static struct strobe_gather **find_or_make(struct strobe_leader *leader,
					   const struct strobe_descriptor *call)
{
	struct strobe_gather **link = find(leader, call);

	if (!*link)
		gather_new(leader, call);
	return link;
}

void strobe_gather_add(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe_gather **link = find_or_make(leader, &work->d);
	struct strobe_gather *gather = *link;

	if (!gather || work->d.size != gather->d.size) {
		strobe_gather_fail(leader, work, gather ? -EPROTO : -ENOMEM,
				   work->d.rank);
		share_free(leader, work);
		return;
	}
	gather->works[work->d.rank] = work;
	if (!gather->local)
		gather->local = work;
	called_add(leader, gather, work->d.rank);
	called_show(leader, gather, work);
	count(leader, gather);
	check(leader, gather, work);
	end_failed(leader, link);
}

void strobe_gather_hear(struct strobe_leader *leader,
			const struct strobe_descriptor *call)
{
	struct strobe_gather **link = find_or_make(leader, call);

	if (!*link || call->size != (*link)->d.size)
		return;
	called_add(leader, *link, call->rank);
	end_failed(leader, link);
}

static bool is_waiting(const struct strobe_work *work,
		       const struct strobe_work *give_up)
{
	return work && !work->d.eager && work->slot == give_up->slot &&
	       work->d.op == give_up->d.about;
}

void strobe_gather_give_up(struct strobe_leader *leader,
			   const struct strobe_work *work)
{
	struct strobe_gather *gather = leader->pending.first;

	for (; gather; gather = gather->next)
		for (int rank = 0; rank < gather->d.size; rank++)
			if (!gather->failed &&
			    is_waiting(gather->works[rank], work)) {
				fail_all(leader, gather, work->d.rank);
				return;
			}
}
