/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reductions that MPICH folds on each node before it folds the nodes' sums.
 * The first process of a node folds what its processes have.  Only that sum
 * travels, to the nodes whose processes fold the sums.  In a short reduce it
 * goes up a binomial tree: each node first adds the sums from below to its own.
 */
#include "libbcs/strobe/leader/strobe_exchange.h"

/* The first process of this node. */
static const struct strobe_work *first_of(const struct strobe_gather *gather)
{
	int rank = 0;

	while (!gather->works[rank] ||
	       gather->works[rank]->slot == STROBE_REMOTE)
		rank++;
	return gather->works[rank];
}

static uint64_t latest_path(const struct strobe *strobe,
			    const struct strobe_gather *gather)
{
	const struct strobe_share *share = strobe_at(strobe,
						     first_of(gather)->d.block);
	uint64_t path = share->path;

	for (int rank = 0; rank < gather->d.size; rank++) {
		if (!gather->works[rank])
			continue;
		share = strobe_at(strobe, gather->works[rank]->d.block);
		if ((int64_t)(share->path - path) > 0)
			path = share->path;
	}
	return path;
}

/* Room for the sum, as a share of the first process; 0: no memory. */
static uint64_t sum_make(struct strobe_leader *leader,
			 const struct strobe_gather *gather)
{
	struct strobe *strobe = leader->strobe;
	const struct strobe_share *like = strobe_at(strobe,
						    first_of(gather)->d.block);
	const uint64_t bytes = like->parts[0].bytes;
	const uint64_t head = (sizeof(*like) + sizeof(like->parts[0]) + 15) &
			      ~15ull;
	const uint64_t place = strobe_arena_get(&leader->arena, head + bytes,
						strobe_reserve(leader));
	struct strobe_share *share = strobe_at(strobe, place);

	if (!place)
		return 0;
	atomic_store_explicit(&share->called, 0, memory_order_relaxed);
	share->slot = like->slot;
	share->path = latest_path(strobe, gather);
	share->n_parts = 1;
	share->parts[0] = (struct strobe_part){ .inlined = head,
						.bytes = bytes };
	return place;
}

void strobe_sums_begin(struct strobe_leader *leader,
		       struct strobe_gather *gather)
{
	const struct strobe_work *first = first_of(gather);
	struct strobe_order order = { .kind = STROBE_SUM, .op = first->d.op };

	if (!first->d.sums)
		return;
	gather->sum = sum_make(leader, gather);
	order.block = gather->sum ? strobe_table_make(leader, gather) : 0;
	gather->table = order.block;
	if (order.block)
		strobe_order_give(leader, first->slot, &order);
}

/* The node's sum has not left, and the sums that it waits for are here. */
static bool is_due(const struct strobe_gather *gather)
{
	const struct strobe_descriptor *d = &gather->local->d;

	return d->sums_to && !gather->is_sent &&
	       (!d->merges || gather->shares == (int)d->sums_below);
}

/* Adds the sums from below to this node's, unless memory was short. */
static void merge(struct strobe_leader *leader, struct strobe_gather *gather)
{
	const struct strobe_work *first = first_of(gather);
	struct strobe_share *share = strobe_at(leader->strobe, gather->sum);
	const struct strobe_order order = { .kind = STROBE_MERGE,
					    .op = first->d.op,
					    .block = gather->table };

	if (!strobe_table_ready(leader, gather))
		return;
	share->path = latest_path(leader->strobe, gather);
	strobe_order_give(leader, first->slot, &order);
}

static void merge_all(struct strobe_leader *leader)
{
	struct strobe_gather *gather = leader->running.first;
	bool any = false;

	for (; gather; gather = gather->next) {
		if (!is_due(gather) || !gather->local->d.merges)
			continue;
		merge(leader, gather);
		any = true;
	}
	if (any)
		strobe_orders_run(leader);
}

static void send(struct strobe_leader *leader, struct strobe_gather *gather)
{
	struct strobe_work sum = *first_of(gather);

	sum.d.block = gather->table && strobe_table_ready(leader, gather)
			      ? gather->sum
			      : 0;
	sum.d.nodes &= sum.d.sums_to;
	if (sum.d.sums)
		strobe_exchange_share(leader, &sum);
}

void strobe_sums_send(struct strobe_leader *leader)
{
	struct strobe_gather *gather = leader->running.first;
	struct strobe_gather *next;

	merge_all(leader);
	for (; gather; gather = next) {
		next = gather->next;
		if (!is_due(gather))
			continue;
		gather->is_sent = true;
		send(leader, gather);
		strobe_gather_share(leader, gather);
	}
}

bool strobe_sums_wait(const struct strobe_leader *leader)
{
	const struct strobe_gather *gather = leader->running.first;

	while (gather && !is_due(gather))
		gather = gather->next;
	return gather != NULL;
}

unsigned strobe_sums_rounds(const struct strobe_leader *leader)
{
	const struct strobe_gather *gather = leader->running.first;
	unsigned most = 0;

	for (; gather; gather = gather->next)
		if (!gather->is_sent && gather->local->d.merges > most)
			most = gather->local->d.merges;
	return most;
}
