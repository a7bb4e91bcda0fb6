/* SPDX-License-Identifier: BSD-3-Clause */

/* Divides the domain among processes: columns, rows and blocks. */
#include "jor_layout.h"

#include <stdint.h>

#include "benchmarks/lib/kernel.h"
#include "jor_grid.h"

/*
 * The number of blocks from left to right that gives the shortest edges.  It
 * depends on ranks and columns only, as if a site's part were square.  So a
 * frontier that moves does not change who is beside whom.
 */
static int across(const struct layout *layout, int site)
{
	const int ranks = layout->ranks[site];
	int best = 1;

	for (int n = 2; layout->blocks && n <= layout->columns; n++)
		if (ranks % n == 0 && n + ranks / n < best + ranks / best)
			best = n;
	return best;
}

int layout_rows_least(const struct layout *layout, int site)
{
	return layout->ranks[site] / across(layout, site);
}

static void cut(int whole, int at, int pieces, int *first, int *count)
{
	*first = kernel_first(whole, at, pieces);
	*count = kernel_first(whole, at + 1, pieces) - *first;
}

static struct part part_of(const struct layout *layout, int site, int i)
{
	const int wide = across(layout, site);
	struct part part = { .site = site };

	cut(layout->rows[site], i / wide, layout->ranks[site] / wide, &part.top,
	    &part.rows);
	cut(layout->columns, i % wide, wide, &part.left, &part.columns);
	part.top += site == 1 ? layout->rows[0] : 0;
	return part;
}

void layout_parts(const struct layout *layout, struct part parts[])
{
	for (int site = 0; site < 2; site++)
		for (int i = 0; i < layout->ranks[site]; i++)
			*parts++ = part_of(layout, site, i);
}

static bool beside(const struct part *mine, const struct part *other, int side)
{
	switch (side) {
	case GRID_ABOVE:
		return other->top + other->rows == mine->top;
	case GRID_BELOW:
		return mine->top + mine->rows == other->top;
	case GRID_LEFT:
		return other->left + other->columns == mine->left;
	default:
		return mine->left + mine->columns == other->left;
	}
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

bool layout_touch(const struct part *mine, const struct part *other, int side,
		  int *first, int *count)
{
	const bool along = side == GRID_ABOVE || side == GRID_BELOW;
	const int a = along ? mine->left : mine->top;
	const int b = along ? other->left : other->top;
	const int a_end = a + (along ? mine->columns : mine->rows);
	const int b_end = b + (along ? other->columns : other->rows);
	const int end = a_end < b_end ? a_end : b_end;

	*first = larger(a, b) - a;
	*count = end - larger(a, b);
	return beside(mine, other, side) && *count > 0;
}
