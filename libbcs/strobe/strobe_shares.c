/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives that are scheduled.  A running one waits for the shares of other
 * nodes.  When all are here it is ready: each process is told where they lie.
 */
#include <errno.h>

#include "libbcs/strobe/strobe_leader.h"

static void tell(struct strobe_leader *leader, const struct strobe_work *work,
		 enum strobe_order_kind kind, uint64_t table, bool last)
{
	const struct strobe_order order = {
		.kind = kind, .last = last, .op = work->d.op, .block = table
	};

	if (!work->d.eager)
		strobe_order_give(leader, work->slot, &order);
}

/* All shares are here: the slice runs it. */
static void complete(struct strobe_leader *leader, struct strobe_gather **link)
{
	if ((*link)->shares == (*link)->d.size)
		strobe_gathers_add(
			&leader->ready,
			strobe_gathers_remove(&leader->running, link));
}

/* While shares come its processes' waits are not in vain. */
static void moves_begin(struct strobe_leader *leader,
			const struct strobe_gather *gather)
{
	for (int rank = 0; rank < gather->d.size; rank++)
		if (gather->works[rank])
			strobe_moves_begin(leader, gather->works[rank]->slot);
}

static void moves_end(struct strobe_leader *leader,
		      const struct strobe_gather *gather)
{
	for (int rank = 0; rank < gather->d.size; rank++)
		strobe_moves_end(leader, gather->works[rank]->slot);
}

void strobe_gather_schedule(struct strobe_leader *leader,
			    struct strobe_gather **link)
{
	struct strobe_gather *gather = strobe_gathers_remove(&leader->pending,
							     link);

	strobe_count(leader, EMDS_COLL_MSM, 1);
	moves_begin(leader, gather);
	gather->shares = (int)gather->here;
	link = leader->running.end;
	strobe_gathers_add(&leader->running, gather);
	complete(leader, link);
}

void strobe_gather_share(struct strobe_leader *leader,
			 struct strobe_gather *gather)
{
	struct strobe_gather **link = &leader->running.first;

	while (*link != gather)
		link = &(*link)->next;
	gather->shares++;
	complete(leader, link);
}

/* False if there is no memory, now or when a share came. */
static bool table_make(struct strobe_leader *leader,
		       struct strobe_gather *gather)
{
	const int size = gather->d.size;
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
	for (int rank = 0; rank < gather->d.size; rank++)
		tell(leader, gather->works[rank], kind, gather->table, last);
}

static void begin(struct strobe_leader *leader, bool reduces,
		  enum strobe_order_kind kind, bool last)
{
	struct strobe_gather *gather;

	for (gather = leader->ready.first; gather; gather = gather->next) {
		if (gather->d.reduces != reduces || gather->failed)
			continue;
		if (gather->table || table_make(leader, gather)) {
			tell_all(leader, gather, kind, last);
			continue;
		}
		gather->failed = true;
		for (int i = 0; i < gather->d.size; i++)
			strobe_gather_fail(leader, gather->works[i], -ENOMEM,
					   0);
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

static void free_all(struct strobe_leader *leader,
		     struct strobe_gathers *gathers)
{
	while (gathers->first)
		strobe_gather_free(leader, strobe_gathers_remove(
						   gathers, &gathers->first));
}

void strobe_gather_end(struct strobe_leader *leader)
{
	struct strobe_gather *gather = leader->ready.first;

	for (; gather; gather = gather->next) {
		moves_end(leader, gather);
		if (gather->table)
			strobe_arena_put(leader->strobe->memory,
					 &leader->strobe->head->returned,
					 gather->table);
	}
	free_all(leader, &leader->ready);
}

void strobe_gather_stop(struct strobe_leader *leader)
{
	free_all(leader, &leader->pending);
	free_all(leader, &leader->running);
}
