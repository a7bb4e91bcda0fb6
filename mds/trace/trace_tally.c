/* SPDX-License-Identifier: BSD-3-Clause */

/* Counts messages as a reader numbers them (analyzer/trace/messages.h). */
#include "mds/trace/trace_tally.h"
#include "mds/trace/trace_read.h"

#define COUNTS_MAX (TRACE_TALLY_PLACES / 4 * 3)

static uint32_t hash_of(uint32_t kind, const struct trace_row *row)
{
	uint64_t hash = (uint64_t)row->comm << 32 ^ (uint32_t)row->peer;

	hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
	hash ^= (uint64_t)(uint32_t)row->tag << 2 ^ kind;
	return (uint32_t)(hash * 0x9e3779b97f4a7c15u >> 32);
}

static bool is_of(const struct trace_tally_count *count, uint32_t kind,
		  const struct trace_row *row)
{
	return count->kind == kind && count->comm == row->comm &&
	       count->peer == row->peer && count->tag == row->tag;
}

static void count_end(struct trace_tally *tally, uint32_t kind,
		      const struct trace_row *row)
{
	const uint32_t mask = TRACE_TALLY_PLACES - 1;
	struct trace_tally_count *count;
	uint32_t i = hash_of(kind, row) & mask;

	while (tally->places[i].n && !is_of(&tally->places[i], kind, row))
		i = (i + 1) & mask;
	count = &tally->places[i];
	if (count->n == 0 && tally->n == COUNTS_MAX) {
		tally->is_full = true;
		return;
	}
	tally->n += count->n == 0;
	*count = (struct trace_tally_count){ count->n + 1, kind, row->comm,
					     row->peer, row->tag };
}

/* The effect of a call itself, as the reader sees it. */
static int kind_of(const struct trace_row *row, unsigned does)
{
	if (row->kind == TRACE_SENT)
		return TRACE_TALLY_SENT;
	if (row->kind == TRACE_RECEIVED)
		return TRACE_TALLY_RECEIVED;
	if (row->kind != TRACE_CALL)
		return -1;
	if (does & TRACE_DOES_ALL)
		return TRACE_TALLY_ALL;
	if (does & TRACE_DOES_SEND)
		return TRACE_TALLY_SENT;
	return does & TRACE_DOES_RECEIVE ? TRACE_TALLY_RECEIVED : -1;
}

void trace_tally_add(struct trace_tally *tally, const struct trace_row *row,
		     unsigned does)
{
	const int kind = kind_of(row, does);

	if (kind == TRACE_TALLY_ALL)
		tally->all[row->comm]++;
	else if (kind >= 0 && row->peer >= 0)
		count_end(tally, (uint32_t)kind, row);
}

void trace_tally_each(const struct trace_tally *tally,
		      void (*each)(void *to,
				   const struct trace_tally_count *count),
		      void *to)
{
	struct trace_tally_count all = { .kind = TRACE_TALLY_ALL };

	for (all.comm = 0; all.comm < TRACE_TALLY_COMMS; all.comm++) {
		all.n = tally->all[all.comm];
		if (all.n)
			each(to, &all);
	}
	for (uint32_t i = 0; i < TRACE_TALLY_PLACES; i++)
		if (tally->places[i].n)
			each(to, &tally->places[i]);
}
