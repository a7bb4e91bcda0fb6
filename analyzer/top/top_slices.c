/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The slices of each node, from the flight recorder of its first process.  On
 * demand there are none.
 */
#include "analyzer/top/top_slices.h"

#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"

static const struct table_column columns[] = {
	{ "rank", "rank", TABLE_RANK, 0, 0 },
	{ "host", "host", TABLE_TEXT, 0, 0 },
	{ "slice", "slice", TABLE_COUNT, 0, 0 },
	{ "slices_per_s", "slices/s", TABLE_COUNT, 0, 0 },
	{ "length_ns", "length", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "takes_ns", "takes", TABLE_TIME, TABLE_UNIT_A, 0 },
	{ "bytes_per_s", "bytes/s", TABLE_TEXT, TABLE_RIGHT | TABLE_PEOPLE, 0 },
	{ "bytes_per_s", "bytes/s", TABLE_BYTES, TABLE_MACHINE, 0 },
	{ "budget_bytes", "budget", TABLE_BYTES, 0, 0 },
	{ "full", "full", TABLE_SHARE, 0, 0 },
	{ 0 },
};

static const struct top_slices *find(const struct top_picture *picture,
				     uint64_t rank)
{
	for (size_t i = 0; i < picture->n_slices; i++)
		if (picture->slices[i].rank == rank)
			return &picture->slices[i];
	return NULL;
}

static uint64_t more(uint64_t now, uint64_t was)
{
	return now > was ? now - was : 0;
}

/* A process that was not looked at since has the rates of before. */
static void set_rates(struct top_slices *s, const struct top_slices *before)
{
	static const struct top_slices start;
	const struct top_slices *was = before ? before : &start;
	const uint64_t n = more(s->n, was->n);
	const double ns = (double)more(s->ns, was->ns);
	const double bytes = (double)more(s->moved, was->moved);

	if (ns == 0) {
		s->slices = was->slices;
		s->bytes = was->bytes;
		s->takes = was->takes;
		s->full = was->full;
		return;
	}
	s->slices = (double)n * 1e9 / ns;
	s->bytes = bytes * 1e9 / ns;
	s->takes = n ? more(s->busy, was->busy) / n : 0;
	s->full = n && s->budget ? 100 * bytes / ((double)n * (double)s->budget)
				 : 0;
}

void top_slices_add(struct top_picture *picture,
		    const struct top_picture *before,
		    const struct flight *flight)
{
	const struct flight_head *head = flight_head(flight);
	const struct flight_slices *from = flight_slices(flight);
	struct top_slices *s;

	if (from->at <= head->begun || !from->length_ns)
		return;
	picture->slices = mem_grow(picture->slices, &picture->slices_room,
				   picture->n_slices, sizeof(*s));
	s = &picture->slices[picture->n_slices++];
	*s = (struct top_slices){
		.rank = head->rank > 0 ? (uint64_t)head->rank : 0,
		.host = mem_text(head->host),
		.ns = flight_ns(flight, (double)(from->at - head->begun)),
		.slice = from->slice,
		.length = from->length_ns,
		.budget = from->budget,
		.n = from->n,
		.moved = from->bytes,
		.busy = flight_ns(flight, (double)from->ticks),
	};
	set_rates(s, find(before, s->rank));
}

void top_slices_clear(struct top_picture *picture)
{
	for (size_t i = 0; i < picture->n_slices; i++)
		free(picture->slices[i].host);
	free(picture->slices);
}

static void put_row(struct table *table, const struct top_slices *s)
{
	table_row(table, 0);
	table_number(table, s->rank);
	table_words(table, s->host);
	table_number(table, s->slice);
	table_number(table, (uint64_t)s->slices);
	table_number(table, s->length);
	table_number_if(table, s->takes, s->takes);
	table_words(table, units_bytes_text((uint64_t)s->bytes));
	table_number(table, (uint64_t)s->bytes);
	table_number(table, s->budget);
	table_real(table, s->full);
}

struct table *top_slices_table(const struct top_picture *picture)
{
	struct table *table = table_new("slices", "Slices of each node",
					columns, 0);

	for (size_t i = 0; i < picture->n_slices; i++)
		put_row(table, &picture->slices[i]);
	return table;
}
