/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Whether all processes of a collective have called.  In DEM a node shows, in
 * its global memory, the collectives that its processes have all called.  The
 * node of the collective's first process asks for it: the Strobe Sender's node
 * puts the question to all its nodes in MSM, by Compare-And-Write.  Where it
 * holds it writes at all of them that the collective is scheduled.  In P2P each
 * node finds that, and shares leave.
 *
 * A collective is shown as a word in one of many slots.  Which slot that is
 * depends on the slice, too.  So where two words meet in a slot on one node,
 * and one has to wait, they hardly meet in the next slice.
 */
#include <stdlib.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_exchange.h"

static uint64_t mixed(uint64_t word)
{
	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

/* 0 shows nothing.  Calls that do not fit together have different words. */
static int64_t word_of(const struct strobe_gather *gather)
{
	const struct strobe_descriptor *d = &gather->local->d;
	const uint64_t call = (uint64_t)d->key.context << 32 |
			      (uint32_t)d->key.tag;
	const uint64_t whose = (uint64_t)d->first << 32 | d->signature;

	return (int64_t)(mixed(mixed(call) + whose) | 1);
}

static uint64_t shown_at(const struct strobe_leader *leader, int64_t word)
{
	const uint64_t slot = mixed((uint64_t)word + leader->slice) %
			      STROBE_CALL_SLOTS;

	return strobe_calls_at(leader->strobe->options.n_nodes) +
	       slot * 2 * sizeof(int64_t);
}

static uint64_t scheduled_at(uint64_t shown)
{
	return shown + sizeof(int64_t);
}

/* All calls of this node are here. */
static bool is_whole(const struct strobe_gather *gather)
{
	return gather->local && gather->here == gather->local->d.here &&
	       !gather->failed;
}

static bool spans_nodes(const struct strobe_gather *gather)
{
	return gather->d.nodes != 0;
}

/* If there is no room, in the next slice. */
static void ask(struct strobe_leader *leader,
		const struct strobe_gather *gather, int64_t word)
{
	const struct strobe_work *first = gather->works[0];

	if (!first)
		return;
	if (leader->strobe->options.node == 0)
		strobe_calls_add(leader, word, gather->d.nodes);
	else if (!strobe_exchange_ask(leader, word, gather->d.nodes))
		leader->calls_held = true;
}

/* If two words meet in a slot, all nodes show the lesser one. */
static void show(struct strobe_leader *leader,
		 const struct strobe_gather *gather)
{
	const int64_t word = word_of(gather);
	const uint64_t at = shown_at(leader, word);
	const int64_t other = core_load(leader->fabric, at);

	if (other == word)
		return;
	leader->calls_held |= other != 0;
	if (other && other < word)
		return;
	core_store(leader->fabric, scheduled_at(at), 0);
	core_store(leader->fabric, at, word);
	ask(leader, gather, word);
}

void strobe_calls_show(struct strobe_leader *leader)
{
	struct strobe_gather *gather = leader->pending.first;
	uint32_t n = 0;

	leader->calls_held = false;
	for (; gather; gather = gather->next) {
		if (!spans_nodes(gather) || !is_whole(gather))
			continue;
		n += gather->here;
		if (strobe_exchange_reserve(leader, n))
			show(leader, gather);
		else
			leader->calls_held = true;
	}
}

static bool asks_reserve(struct strobe_leader *leader)
{
	const uint32_t room = leader->asks_room ? 2 * leader->asks_room : 64;
	struct strobe_ask *asks;

	if (leader->n_asks < leader->asks_room)
		return true;
	asks = realloc(leader->asks, room * sizeof(*asks));
	if (!asks)
		return false;
	leader->asks = asks;
	leader->asks_room = room;
	return true;
}

void strobe_calls_add(struct strobe_leader *leader, int64_t word,
		      uint64_t nodes)
{
	if (asks_reserve(leader))
		leader->asks[leader->n_asks++] = (struct strobe_ask){ word,
								      nodes };
	else
		leader->calls_held = true;
}

static void put_questions(struct strobe_leader *leader,
			  const struct strobe_ask *asks, uint32_t n)
{
	struct core_query queries[STROBE_ASKED_AT_ONCE];
	uint64_t words[STROBE_ASKED_AT_ONCE][CORE_SET_WORDS(STROBE_NODES)];
	struct core_set sets[STROBE_ASKED_AT_ONCE];

	for (uint32_t i = 0; i < n; i++) {
		const uint64_t at = shown_at(leader, asks[i].word);

		words[i][0] = asks[i].nodes;
		sets[i] = (struct core_set){ words[i], leader->all.n };
		queries[i] = (struct core_query){
			.on = &sets[i],
			.condition = { at, CORE_EQ, asks[i].word },
			.assignment = { scheduled_at(at), asks[i].word },
		};
	}
	core_compare_and_write_all(leader->fabric, queries, n);
}

/* Within a node all have called when all its processes have. */
static void schedule_local(struct strobe_leader *leader)
{
	struct strobe_gather **link = &leader->pending.first;

	while (*link)
		if (!spans_nodes(*link) && is_whole(*link))
			strobe_gather_schedule(leader, link);
		else
			link = &(*link)->next;
}

void strobe_calls_ask(struct strobe_leader *leader)
{
	for (uint32_t i = 0; i < leader->n_asks; i += STROBE_ASKED_AT_ONCE)
		put_questions(leader, leader->asks + i,
			      leader->n_asks - i < STROBE_ASKED_AT_ONCE
				      ? leader->n_asks - i
				      : STROBE_ASKED_AT_ONCE);
	leader->n_asks = 0;
	schedule_local(leader);
}

/* One of the same word that is older would have been met before. */
static bool is_scheduled(struct strobe_leader *leader,
			 const struct strobe_gather *gather)
{
	const int64_t word = word_of(gather);
	const uint64_t at = shown_at(leader, word);

	if (core_load(leader->fabric, at) != word)
		return false;
	core_store(leader->fabric, at, 0);
	return core_load(leader->fabric, scheduled_at(at)) == word;
}

static void begin(struct strobe_leader *leader, struct strobe_gather **link)
{
	struct strobe_gather *gather = *link;

	for (int rank = 0; rank < gather->d.size; rank++)
		if (gather->works[rank] && !gather->local->d.sums_to)
			strobe_exchange_share(leader, gather->works[rank]);
	if (gather->local->d.sums_to)
		strobe_sums_begin(leader, gather);
	strobe_gather_schedule(leader, link);
}

/* Processes that wait hear who has called. */
static void tell(struct strobe_leader *leader,
		 const struct strobe_gather *gather)
{
	struct strobe_work *work;

	for (int rank = 0; rank < gather->d.size; rank++) {
		work = gather->works[rank];
		if (!work || work->is_told)
			continue;
		work->is_told = strobe_exchange_tell(leader, work);
		leader->calls_held |= !work->is_told;
	}
}

void strobe_calls_schedule(struct strobe_leader *leader)
{
	struct strobe_gather **link = &leader->pending.first;

	while (*link)
		if (spans_nodes(*link) && is_whole(*link) &&
		    is_scheduled(leader, *link)) {
			begin(leader, link);
		} else {
			if (spans_nodes(*link))
				tell(leader, *link);
			link = &(*link)->next;
		}
}
