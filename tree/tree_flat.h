/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_FLAT_H
#define BCS_TREE_FLAT_H

/*
 * What a tree decides, as it is looked up at run time: a row for each range of
 * processes, which is found once for a communicator, and in it a byte for each
 * range of bytes.  The range is found by the exponent of the bytes; as many
 * comparisons follow as ranges begin within a power of two, mostly none.
 *
 * A range goes from its point of the map up to the next one; the first begins
 * at 0 and the last has no end.
 */
#include "tree/tree_quad.h"

#define TREE_EXPONENTS 65

struct tree_flat {
	const uint8_t *cells;  /* by row and column: a method */
	const uint64_t *last;  /* of each column, the most bytes in it */
	const uint32_t *least; /* of each row, the fewest processes in it */
	uint16_t n_rows;
	uint8_t n_columns;
	uint8_t n_steps; /* of columns that begin within a power of two */
	uint8_t n_methods;
	uint8_t first[TREE_EXPONENTS]; /* the column of the least such bytes */
	const struct tree_method *methods;
	char collective[TREE_NAME_MAX];
};

/* Returns 0 or -ENOMEM.  To be cleared; `quad` need not stay. */
int tree_flat_make(struct tree_flat *flat, const struct tree_quad *quad);
void tree_flat_clear(struct tree_flat *flat);

/* What a lookup may touch, with 8 bytes for each method. */
size_t tree_flat_bytes(const struct tree_flat *flat);

/* The row of a communicator. */
static inline const uint8_t *tree_flat_row(const struct tree_flat *flat,
					   uint32_t processes)
{
	size_t row = flat->n_rows - 1u;

	while (row && flat->least[row] > processes)
		row--;
	return flat->cells + row * flat->n_columns;
}

/* The method for so many bytes, in a row. */
static inline uint8_t tree_flat_method(const struct tree_flat *flat,
				       const uint8_t *row, uint64_t bytes)
{
	unsigned column = flat->first[bytes ? 64 - __builtin_clzll(bytes) : 0];

	for (unsigned i = flat->n_steps; i; i--)
		column += bytes > flat->last[column];
	return row[column];
}

/* The least bytes of a column. */
static inline uint64_t tree_flat_from(const struct tree_flat *flat,
				      unsigned column)
{
	return column ? flat->last[column - 1] + 1 : 0;
}

/*
 * tree_flat_ranges.c: of these ranges, each named by its least; `cells` by row
 * and column.  What is given is copied.  Returns 0 or -ENOMEM.
 */
struct tree_ranges {
	const char *collective;
	const struct tree_method *methods;
	size_t n_methods;
	const uint32_t *processes;
	size_t n_rows;
	const uint64_t *bytes;
	size_t n_columns;
	const uint8_t *cells;
};

int tree_flat_from_ranges(struct tree_flat *flat,
			  const struct tree_ranges *ranges);

#endif
