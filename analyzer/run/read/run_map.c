/* SPDX-License-Identifier: BSD-3-Clause */

/* Maps of numbers, and columns: shared by the readers of a file's parts. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"

void run_map_set(struct run_map *map, uint64_t from, size_t to)
{
	const size_t at = intern_add(&map->numbers, &from, sizeof(from));

	map->to = mem_grow(map->to, &map->room, at, sizeof(*map->to));
	map->to[at] = to;
}

size_t run_map_get(const struct run_map *map, uint64_t from)
{
	const size_t at = intern_find(&map->numbers, &from, sizeof(from));

	return at == INTERN_NONE ? INTERN_NONE : map->to[at];
}

void run_map_clear(struct run_map *map)
{
	intern_clear(&map->numbers);
	free(map->to);
}

void run_columns(const struct record_table *table, const char *const *names,
		 size_t n, int *places)
{
	for (size_t i = 0; i < n; i++)
		places[i] = record_column(table, names[i]);
}

size_t run_word_at(struct run *run, const struct record_table *table,
		   size_t row, int column)
{
	return intern_text(&run->words, record_str(table, row, column));
}

size_t run_comm_at(const struct run_reading *reading,
		   const struct record_table *table, size_t row, int column)
{
	if (*record_str(table, row, column) == '\0')
		return INTERN_NONE;
	return run_map_get(&reading->comms, record_u64(table, row, column));
}

void run_span_add(struct run_reading *reading, const struct run_span *span)
{
	struct run *run = reading->run;
	struct run_span *added;

	run->spans = mem_grow(run->spans, &run->spans_room, run->n_spans,
			      sizeof(*run->spans));
	added = &run->spans[run->n_spans++];
	*added = *span;
	added->rank = reading->rank->rank;
	added->host = reading->rank->facts[RUN_HOST];
}

uint64_t run_process_u64(const struct record *record, const char *key)
{
	const char *value = record_value(record, "process", key);

	return value ? strtoull(value, NULL, 10) : 0;
}
