/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_GRID_H
#define JOR_GRID_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A rectangle of jor's domain, and its relaxation by the mean of four
 * neighbours.  It knows no MPI.  All around it is a line of points that are
 * others': what lies outside of the domain is 0, and so is the solution.
 */

enum grid_side { GRID_ABOVE, GRID_BELOW, GRID_LEFT, GRID_RIGHT, GRID_SIDES };

struct grid {
	int rows;
	int columns;
	double *now;
	double *next;
	int worst; /* the row that was last seen to be too far off */
};

struct grid grid_new(int rows, int columns);
void grid_free(struct grid *grid);

/* Sets the grid to 1, as before the first iteration: the error is at most 1. */
void grid_begin(struct grid *grid);

/* An iteration: of the points that need no neighbour's, then of the others. */
void grid_relax_inside(struct grid *grid);
void grid_relax_edges(struct grid *grid);
void grid_next(struct grid *grid);

/* Copies the part's own points along a side, from the first on. */
void grid_edge(const struct grid *grid, enum grid_side side, int first,
	       int count, double *values);

/* The neighbour's there, until they are set again. */
void grid_beside(struct grid *grid, enum grid_side side, int first, int count,
		 const double *values);

/* Whether no point is further from the solution. */
bool grid_within(struct grid *grid, double error);

/* To be summed over all rectangles; where it begins in a domain so far across.
 */
uint64_t grid_check(const struct grid *grid, int top, int left, int across);

#endif
