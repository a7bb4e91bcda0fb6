/* SPDX-License-Identifier: BSD-3-Clause */

/* A rectangle of points and its relaxation; knows no MPI. */
#include "jor_grid.h"

#include <math.h>
#include <stdlib.h>

#include "benchmarks/lib/kernel.h"

static size_t width(const struct grid *grid)
{
	return (size_t)grid->columns + 2;
}

/* From -1, which is a neighbour's. */
static size_t at(const struct grid *grid, int row, int column)
{
	return (size_t)(row + 1) * width(grid) + (size_t)(column + 1);
}

struct grid grid_new(int rows, int columns)
{
	struct grid grid = { .rows = rows, .columns = columns };
	const uint64_t points = (uint64_t)(rows + 2) * width(&grid);

	grid.now = kernel_room(points, sizeof(double));
	grid.next = kernel_room(points, sizeof(double));
	return grid;
}

void grid_free(struct grid *grid)
{
	free(grid->now);
	free(grid->next);
}

void grid_begin(struct grid *grid)
{
	for (int row = 0; row < grid->rows; row++)
		for (int column = 0; column < grid->columns; column++)
			grid->now[at(grid, row, column)] = 1;
}

static void relax(struct grid *grid, int row, int first, int end)
{
	const double *here = &grid->now[at(grid, row, 0)];
	const double *above = here - width(grid);
	const double *below = here + width(grid);
	double *restrict next = &grid->next[at(grid, row, 0)];

	for (int i = first; i < end; i++)
		next[i] = (above[i] + here[i - 1] + here[i + 1] + below[i]) / 4;
}

void grid_relax_inside(struct grid *grid)
{
	for (int row = 1; row + 1 < grid->rows; row++)
		relax(grid, row, 1, grid->columns - 1);
}

void grid_relax_edges(struct grid *grid)
{
	const int last = grid->columns - 1;

	relax(grid, 0, 0, grid->columns);
	for (int row = 1; row + 1 < grid->rows; row++) {
		relax(grid, row, 0, 1);
		relax(grid, row, last, last + 1);
	}
	relax(grid, grid->rows - 1, 0, grid->columns);
}

void grid_next(struct grid *grid)
{
	double *now = grid->next;

	grid->next = grid->now;
	grid->now = now;
}

/* A side as a line of points, `out` from its own: where, and how far apart. */
static size_t line(const struct grid *grid, enum grid_side side, int first,
		   int out, size_t *step)
{
	*step = side == GRID_ABOVE || side == GRID_BELOW ? 1 : width(grid);
	switch (side) {
	case GRID_ABOVE:
		return at(grid, -out, first);
	case GRID_BELOW:
		return at(grid, grid->rows - 1 + out, first);
	case GRID_LEFT:
		return at(grid, first, -out);
	default:
		return at(grid, first, grid->columns - 1 + out);
	}
}

void grid_edge(const struct grid *grid, enum grid_side side, int first,
	       int count, double *values)
{
	size_t step;
	const size_t from = line(grid, side, first, 0, &step);

	for (int i = 0; i < count; i++)
		values[i] = grid->now[from + (size_t)i * step];
}

void grid_beside(struct grid *grid, enum grid_side side, int first, int count,
		 const double *values)
{
	size_t step;
	const size_t from = line(grid, side, first, 1, &step);

	for (int i = 0; i < count; i++) {
		grid->now[from + (size_t)i * step] = values[i];
		grid->next[from + (size_t)i * step] = values[i];
	}
}

/* Where it was too much it mostly still is: that is looked at first. */
bool grid_within(struct grid *grid, double error)
{
	for (int i = 0; i < grid->rows; i++) {
		const int row = (grid->worst + i) % grid->rows;
		const double *here = &grid->now[at(grid, row, 0)];

		for (int column = 0; column < grid->columns; column++)
			if (!(fabs(here[column]) <= error)) {
				grid->worst = row;
				return false;
			}
	}
	return true;
}

uint64_t grid_check(const struct grid *grid, int top, int left, int across)
{
	uint64_t check = 0;

	for (int row = 0; row < grid->rows; row++)
		for (int column = 0; column < grid->columns; column++)
			check += kernel_hash((uint64_t)(top + row) *
							     (uint64_t)across +
						     (uint64_t)(left + column),
					     grid->now[at(grid, row, column)]);
	return check;
}
