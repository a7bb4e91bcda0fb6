/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives are scheduled when all their processes have called: then each is
 * told where all the others' shares lie.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/strobe/strobe_leader.h"

/*
 * Communicators without a process in common may have the same context: the
 * first process tells them apart.
 */
static bool is_of(const struct strobe_gather *gather,
		  const struct strobe_work *work)
{
	const struct strobe_descriptor *one = &gather->one->d;

	return one->key.context == work->d.key.context &&
	       one->key.tag == work->d.key.tag && one->first == work->d.first;
}

static bool has_called(const struct strobe_gather *gather,
		       const struct strobe_work *work)
{
	return work->d.size == gather->one->d.size &&
	       gather->works[work->d.rank];
}

/*
 * A persistent collective keeps its number.  A process that needs nothing of
 * the others may start it again before they have started it once.  So this is
 * the oldest that the process has not called; the newest come first.
 */
static struct strobe_gather **find(struct strobe_leader *leader,
				   const struct strobe_work *work)
{
	struct strobe_gather **link = &leader->gathers;
	struct strobe_gather **oldest = NULL;

	for (; *link; link = &(*link)->next)
		if (is_of(*link, work) && !has_called(*link, work))
			oldest = link;
	return oldest ? oldest : link;
}

static void tell(struct strobe_leader *leader, const struct strobe_work *work,
		 enum strobe_order_kind kind, uint64_t table, bool last)
{
	const struct strobe_order order = {
		.kind = kind, .last = last, .op = work->d.op, .block = table
	};

	if (!work->d.eager)
		strobe_order_give(leader, work->slot, &order);
}

static void fail(struct strobe_leader *leader, const struct strobe_work *work,
		 int error, int culprit)
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
		       const struct strobe_gather *gather,
		       const struct strobe_work *work)
{
	_Atomic uint64_t *words = strobe_at(leader->strobe, gather->called);
	struct strobe_share *share = strobe_at(leader->strobe, work->d.block);

	if (!gather->called)
		return;
	atomic_fetch_or(&words[work->d.rank / 64],
			UINT64_C(1) << work->d.rank % 64);
	if (work->slot != STROBE_FAR)
		atomic_store(&share->called, gather->called);
}

static struct strobe_gather *gather_new(struct strobe_leader *leader,
					const struct strobe_work *work)
{
	struct strobe_gather *gather = calloc(
		1, sizeof(*gather) +
			   (size_t)work->d.size * sizeof(gather->works[0]));

	if (!gather)
		return NULL;
	gather->called = called_make(leader, work->d.size);
	gather->one = work;
	gather->next = leader->gathers;
	leader->gathers = gather;
	return gather;
}

/* A process that was done at once left its share to others. */
static void share_free(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe *strobe = leader->strobe;

	if (work->d.eager && work->d.block)
		strobe_arena_put(
			strobe->memory,
			work->slot == STROBE_FAR
				? &strobe->head->returned
				: &strobe_slot(strobe, work->slot)->returned,
			work->d.block);
	strobe_work_free(leader, work);
}

static void gather_free(struct strobe_leader *leader,
			struct strobe_gather *gather)
{
	const int size = gather->one->d.size;

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
	for (int rank = 0; rank < gather->one->d.size; rank++)
		if (gather->works[rank])
			fail(leader, gather->works[rank], -EPROTO,
			     rank == culprit ? gather->one->d.rank : culprit);
}

/* Only a process's own node can tell which call it made. */
static bool is_here(const struct strobe_gather *gather,
		    const struct strobe_work *work)
{
	return gather->one->slot != STROBE_FAR && work->slot != STROBE_FAR;
}

static void check(struct strobe_leader *leader, struct strobe_gather *gather,
		  const struct strobe_work *work)
{
	const struct strobe_descriptor *one = &gather->one->d;

	if (gather->failed)
		fail(leader, work, -EPROTO,
		     work->d.rank == gather->culprit ? one->rank
						     : gather->culprit);
	else if (one->signature != work->d.signature && is_here(gather, work))
		fail_all(leader, gather, work->d.rank);
	else if (one->signature != work->d.signature)
		gather->mixed = true;
}

/* All have called: it runs, or all know that it cannot. */
static void complete(struct strobe_leader *leader, struct strobe_gather **link)
{
	struct strobe_gather *gather = *link;

	/* Processes that wait in vain give up when they have been told more. */
	if (gather->mixed && !gather->failed)
		return;
	*link = gather->next;
	if (gather->failed) {
		gather_free(leader, gather);
		return;
	}
	gather->next = NULL;
	*leader->ready_end = gather;
	leader->ready_end = &gather->next;
	strobe_count(leader, EMDS_COLL_MSM, 1);
}

/* The node has taken in a collective when all its processes have called. */
static void count(struct strobe_leader *leader, struct strobe_gather *gather,
		  const struct strobe_work *work)
{
	if (work->slot != STROBE_FAR && ++gather->here == work->d.here)
		strobe_count(leader, EMDS_COLL_DEM, 1);
}

void strobe_gather_add(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe_gather **link = find(leader, work);
	struct strobe_gather *gather = *link;

	if (!gather) {
		gather = gather_new(leader, work);
		link = &leader->gathers;
	}
	if (!gather || work->d.size != gather->one->d.size) {
		fail(leader, work, gather ? -EPROTO : -ENOMEM, work->d.rank);
		share_free(leader, work);
		return;
	}
	gather->works[work->d.rank] = work;
	called_add(leader, gather, work);
	count(leader, gather, work);
	check(leader, gather, work);
	if (++gather->n == work->d.size)
		complete(leader, link);
}

void strobe_gather_give_up(struct strobe_leader *leader,
			   const struct strobe_work *work)
{
	struct strobe_gather *gather;

	for (gather = leader->gathers; gather; gather = gather->next)
		for (int rank = 0; rank < gather->one->d.size; rank++)
			if (gather->works[rank] && !gather->failed &&
			    !gather->works[rank]->d.eager &&
			    gather->works[rank]->slot == work->slot &&
			    gather->works[rank]->d.op == work->d.about) {
				fail_all(leader, gather, work->d.rank);
				return;
			}
}

/* False if there is no memory, now or when a share came. */
static bool table_make(struct strobe_leader *leader,
		       struct strobe_gather *gather)
{
	const int size = gather->one->d.size;
	uint64_t *shares;

	for (int rank = 0; rank < size; rank++)
		if (!gather->works[rank]->d.block)
			return false;
	gather->table = strobe_arena_get(&leader->arena,
					 (uint64_t)size * sizeof(uint64_t), 0);
	if (!gather->table)
		return false;
	shares = strobe_at(leader->strobe, gather->table);
	for (int rank = 0; rank < size; rank++)
		shares[rank] = gather->works[rank]->d.block;
	return true;
}

static void tell_all(struct strobe_leader *leader,
		     const struct strobe_gather *gather,
		     enum strobe_order_kind kind, bool last)
{
	for (int rank = 0; rank < gather->one->d.size; rank++)
		tell(leader, gather->works[rank], kind, gather->table, last);
}

static void begin(struct strobe_leader *leader, bool reduces,
		  enum strobe_order_kind kind, bool last)
{
	struct strobe_gather *gather;

	for (gather = leader->ready; gather; gather = gather->next) {
		if (gather->one->d.reduces != reduces || gather->failed)
			continue;
		if (gather->table || table_make(leader, gather)) {
			tell_all(leader, gather, kind, last);
			continue;
		}
		gather->failed = true;
		for (int i = 0; i < gather->one->d.size; i++)
			fail(leader, gather->works[i], -ENOMEM, 0);
	}
}

void strobe_gather_move(struct strobe_leader *leader)
{
	begin(leader, false, STROBE_MOVE, true);
}

void strobe_gather_fold(struct strobe_leader *leader)
{
	begin(leader, true, STROBE_FOLD, false);
	strobe_orders_run(leader);
	begin(leader, true, STROBE_KEEP, true);
}

void strobe_gather_end(struct strobe_leader *leader)
{
	struct strobe_gather *gather = leader->ready;
	struct strobe_gather *next;

	for (; gather; gather = next) {
		next = gather->next;
		if (gather->table)
			strobe_arena_put(leader->strobe->memory,
					 &leader->strobe->head->returned,
					 gather->table);
		gather_free(leader, gather);
	}
	leader->ready = NULL;
	leader->ready_end = &leader->ready;
}

void strobe_gather_stop(struct strobe_leader *leader)
{
	struct strobe_gather *gather;

	while ((gather = leader->gathers)) {
		leader->gathers = gather->next;
		gather_free(leader, gather);
	}
}
