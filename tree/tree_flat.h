/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_FLAT_H
#define BCS_TREE_FLAT_H

/*
 * The look-up table that a tree becomes at run time.  A row is a range of
 * processes, found once per communicator.  A column is a range of bytes, and
 * each cell is one byte, the method.
 *
 * The column is found by the exponent of the bytes, followed by `n_steps`
 * comparisons.  That is the number of ranges that begin within one power of
 * two, mostly 0.
 *
 * A range goes from its point of the map up to the next point.  The first range
 * begins at 0 and the last has no end.
 */
#include "tree/tree_quad.h"

#define TREE_EXPONENTS 65

struct tree_flat {
	const uint8_t *cells;  /* by row and column: a method */
	const uint64_t *last;  /* largest number of bytes in each column */
	const uint32_t *least; /* smallest number of processes in each row */
	uint16_t n_rows;
	uint8_t n_columns;
	uint8_t n_steps; /* most columns that begin within a power of two */
	uint8_t n_methods;
	/* The column of the exponent's smallest size. */
	uint8_t first[TREE_EXPONENTS];
	const struct tree_method *methods;
	char collective[TREE_NAME_MAX];
	/* Processes of the first row's measurements; 0: they are not known. */
	uint32_t fewest;
};

/* Returns 0 or -ENOMEM.  Clear with tree_flat_clear; `quad` may go before. */
int tree_flat_make(struct tree_flat *flat, const struct tree_quad *quad);
void tree_flat_clear(struct tree_flat *flat);

/* Bytes that a lookup may touch, including 8 for each method. */
size_t tree_flat_bytes(const struct tree_flat *flat);

/* The row for a communicator of this size. */
static inline const uint8_t *tree_flat_row(const struct tree_flat *flat,
					   uint32_t processes)
{
	size_t row = flat->n_rows - 1u;

	while (row && flat->least[row] > processes)
		row--;
	return flat->cells + row * flat->n_columns;
}

/* The method for a message of this size, in a row. */
static inline uint8_t tree_flat_method(const struct tree_flat *flat,
				       const uint8_t *row, uint64_t bytes)
{
	unsigned column = flat->first[bytes ? 64 - __builtin_clzll(bytes) : 0];

	for (unsigned i = flat->n_steps; i; i--)
		column += bytes > flat->last[column];
	return row[column];
}

/* The smallest number of bytes in a column. */
static inline uint64_t tree_flat_from(const struct tree_flat *flat,
				      unsigned column)
{
	return column ? flat->last[column - 1] + 1 : 0;
}

/*
 * Makes a table from ranges, each named by its smallest value; `cells` is by
 * row and column.  Copies its input.  Returns 0 or -ENOMEM.
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
