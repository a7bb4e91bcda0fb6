/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives that are scheduled.  A running one waits for the shares of other
 * nodes.  When all are here it is ready: each process is told where they lie.
 */
#include <errno.h>

#include "libbcs/strobe/leader/strobe_leader.h"

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
	if ((*link)->shares == (*link)->wanted)
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
		if (gather->works[rank])
			strobe_moves_end(leader, gather->works[rank]->slot);
}

/* Shares of the other processes; or sums, this node's too. */
static void count_wanted(struct strobe_gather *gather)
{
	const struct strobe_descriptor *d = &gather->local->d;

	gather->shares = d->sums_to ? 0 : (int)gather->here;
	gather->wanted = d->sums_to ? (int)d->sums_below + 1 : d->size;
}

void strobe_gather_schedule(struct strobe_leader *leader,
			    struct strobe_gather **link)
{
	struct strobe_gather *gather = strobe_gathers_remove(&leader->pending,
							     link);

	strobe_count(leader, EMDS_COLL_MSM, 1);
	moves_begin(leader, gather);
	count_wanted(gather);
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

/* Behind the ranks' shares comes the sum of this node, if there is one. */
static void table_fill(struct strobe_leader *leader,
		       const struct strobe_gather *gather, uint64_t table)
{
	uint64_t *shares = strobe_at(leader->strobe, table);
	const int size = gather->d.size;

	for (int rank = 0; rank < size; rank++)
		shares[rank] = gather->works[rank]
				       ? gather->works[rank]->d.block
				       : 0;
	shares[size] = gather->sum;
}

uint64_t strobe_table_make(struct strobe_leader *leader,
			   const struct strobe_gather *gather)
{
	const uint64_t n = (uint64_t)gather->d.size + 1;
	const uint64_t table = strobe_arena_get(&leader->arena,
						n * sizeof(uint64_t), 0);

	if (table)
		table_fill(leader, gather, table);
	return table;
}

/* Memory was short when a share came, or a sum was made. */
static bool is_short(const struct strobe_gather *gather)
{
	for (int rank = 0; rank < gather->d.size; rank++)
		if (gather->works[rank] && !gather->works[rank]->d.block)
			return true;
	return gather->local->d.sums && !gather->table;
}

bool strobe_table_ready(struct strobe_leader *leader,
			struct strobe_gather *gather)
{
	if (is_short(gather))
		return false;
	if (gather->table)
		table_fill(leader, gather, gather->table);
	else
		gather->table = strobe_table_make(leader, gather);
	return gather->table != 0;
}

static void tell_all(struct strobe_leader *leader,
		     const struct strobe_gather *gather,
		     enum strobe_order_kind kind, bool last)
{
	for (int rank = 0; rank < gather->d.size; rank++)
		if (gather->works[rank])
			tell(leader, gather->works[rank], kind, gather->table,
			     last);
}

static void begin(struct strobe_leader *leader, bool reduces,
		  enum strobe_order_kind kind, bool last)
{
	struct strobe_gather *gather;

	for (gather = leader->ready.first; gather; gather = gather->next) {
		if (gather->d.reduces != reduces || gather->failed)
			continue;
		if (strobe_table_ready(leader, gather)) {
			tell_all(leader, gather, kind, last);
			continue;
		}
		gather->failed = true;
		for (int i = 0; i < gather->d.size; i++)
			if (gather->works[i])
				strobe_gather_fail(leader, gather->works[i],
						   -ENOMEM, 0);
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

static void place_put(struct strobe_leader *leader, uint64_t place)
{
	if (place)
		strobe_arena_put(leader->strobe->memory,
				 &leader->strobe->head->returned, place);
}

/* One whose last share came in RM waits for the next slice's BBM. */
void strobe_gather_end(struct strobe_leader *leader)
{
	struct strobe_gather **link = &leader->ready.first;
	struct strobe_gather *gather;

	while ((gather = *link)) {
		if (!gather->d.reduces && !gather->table && !gather->failed) {
			link = &gather->next;
			continue;
		}
		moves_end(leader, gather);
		place_put(leader, gather->table);
		place_put(leader, gather->sum);
		strobe_gather_free(leader,
				   strobe_gathers_remove(&leader->ready, link));
	}
}

void strobe_gather_stop(struct strobe_leader *leader)
{
	free_all(leader, &leader->pending);
	free_all(leader, &leader->running);
	free_all(leader, &leader->ready);
}
