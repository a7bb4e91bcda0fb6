/* SPDX-License-Identifier: BSD-3-Clause */

/* Counts calls and their times by key while a file is read. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/tally.h"

void tally_close(struct tally *tally)
{
	if (!tally->open)
		return;
	if (tally->ranks == 0 || tally->rank_time < tally->least_time) {
		tally->least_rank = tally->rank;
		tally->least_time = tally->rank_time;
	}
	if (tally->ranks == 0 || tally->rank_time > tally->most_time) {
		tally->most_rank = tally->rank;
		tally->most_time = tally->rank_time;
	}
	tally->ranks++;
	tally->open = 0;
}

static void open_for(struct tally *tally, uint64_t rank)
{
	if (tally->open && tally->rank == rank)
		return;
	tally_close(tally);
	tally->open = 1;
	tally->rank = rank;
	tally->rank_time = 0;
}

static void add_limits(struct tally *to, const struct tally *from)
{
	if (from->count == 0)
		return;
	if (to->count == 0 || from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	if (from->max_bytes == 0)
		return;
	if (to->max_bytes == 0 || from->min_bytes < to->min_bytes)
		to->min_bytes = from->min_bytes;
	if (from->max_bytes > to->max_bytes)
		to->max_bytes = from->max_bytes;
}

void tally_add(struct tally *tally, uint64_t rank, const struct tally *calls)
{
	open_for(tally, rank);
	add_limits(tally, calls);
	tally->rank_time = sat_add(tally->rank_time, calls->time);
	tally->count = sat_add(tally->count, calls->count);
	tally->time = sat_add(tally->time, calls->time);
	tally->waiting = sat_add(tally->waiting, calls->waiting);
	tally->sent = sat_add(tally->sent, calls->sent);
	tally->received = sat_add(tally->received, calls->received);
}

size_t tallies_at(struct tallies *tallies, const void *key, size_t size)
{
	const size_t n = tallies->keys.n;
	const size_t number = intern_add(&tallies->keys, key, size);

	if (number < n)
		return number;
	tallies->list = mem_grow(tallies->list, &tallies->room, n,
				 sizeof(*tallies->list));
	tallies->list[n] = (struct tally){ 0 };
	return number;
}

void tallies_close(struct tallies *tallies)
{
	for (size_t i = 0; i < tallies->keys.n; i++)
		tally_close(&tallies->list[i]);
}

void tallies_clear(struct tallies *tallies)
{
	for (size_t i = 0; i < tallies->keys.n; i++) {
		dist_clear(&tallies->list[i].times);
		dist_clear(&tallies->list[i].sizes);
	}
	intern_clear(&tallies->keys);
	free(tallies->list);
	*tallies = (struct tallies){ 0 };
}
