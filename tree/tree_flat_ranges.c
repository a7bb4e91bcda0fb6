/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes a look-up table from given ranges. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_flat.h"

/* The whole table is one allocation, which begins with the columns. */
static uint64_t *reserve(const struct tree_ranges *ranges)
{
	return calloc(1,
		      ranges->n_columns * sizeof(uint64_t) +
			      ranges->n_methods * sizeof(struct tree_method) +
			      ranges->n_rows * sizeof(uint32_t) +
			      ranges->n_rows * ranges->n_columns);
}

static void fill_columns(struct tree_flat *flat, uint64_t *last,
			 const struct tree_ranges *ranges)
{
	for (size_t i = 0; i + 1 < ranges->n_columns; i++)
		last[i] = ranges->bytes[i + 1] - 1;
	last[ranges->n_columns - 1] = UINT64_MAX;
	flat->last = last;
	flat->n_columns = (uint8_t)ranges->n_columns;
}

static void fill_first(struct tree_flat *flat)
{
	uint8_t column = 0;
	uint8_t steps;
	uint64_t low;
	uint64_t high;

	for (unsigned i = 0; i < TREE_EXPONENTS; i++) {
		low = i ? UINT64_C(1) << (i - 1) : 0;
		high = i ? low + (low - 1) : 0;
		while (low > flat->last[column])
			column++;
		flat->first[i] = column;
		for (steps = 0; high > flat->last[column + steps]; steps++)
			;
		if (steps > flat->n_steps)
			flat->n_steps = steps;
	}
}

int tree_flat_from_ranges(struct tree_flat *flat,
			  const struct tree_ranges *ranges)
{
	uint64_t *last = reserve(ranges);
	struct tree_method *methods;
	uint32_t *least;

	if (!last)
		return -ENOMEM;
	*flat = (struct tree_flat){ .n_rows = (uint16_t)ranges->n_rows,
				    .n_methods = (uint8_t)ranges->n_methods };
	strncpy(flat->collective, ranges->collective,
		sizeof(flat->collective) - 1);
	fill_columns(flat, last, ranges);
	methods = (struct tree_method *)(last + ranges->n_columns);
	memcpy(methods, ranges->methods, ranges->n_methods * sizeof(*methods));
	flat->methods = methods;
	least = (uint32_t *)(methods + ranges->n_methods);
	memcpy(least, ranges->processes, ranges->n_rows * sizeof(*least));
	flat->least = least;
	memcpy(least + ranges->n_rows, ranges->cells,
	       ranges->n_rows * ranges->n_columns);
	flat->cells = (const uint8_t *)(least + ranges->n_rows);
	fill_first(flat);
	return 0;
}

void tree_flat_clear(struct tree_flat *flat)
{
	/* The allocation begins with the columns. */
	free((void *)(uintptr_t)flat->last);
	*flat = (struct tree_flat){ 0 };
}

size_t tree_flat_bytes(const struct tree_flat *flat)
{
	return offsetof(struct tree_flat, methods) +
	       flat->n_columns * sizeof(*flat->last) +
	       flat->n_rows * sizeof(*flat->least) +
	       (size_t)flat->n_rows * flat->n_columns +
	       (size_t)flat->n_methods * 8;
}
