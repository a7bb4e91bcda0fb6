/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAGE_TILE_H
#define SAGE_TILE_H

#include <stdint.h>

/*
 * The mesh of sage: a channel, cut across into tiles.  A tile has more and
 * smaller cells the higher its level is; it knows no MPI.
 */

#define TILE_LEVELS 3
#define TILE_VALUES \
	4 /* of a cell: density, momentum along and across, energy */

struct tile {
	int place; /* in the channel */
	int level;
	/*
	 * At a step's begin and at its middle: column after column of cells,
	 * with the neighbours' before the first and after the last.
	 */
	double *cells[2];
};

/* Doubles of a column, of all columns, and cells. */
int tile_edge_size(int level);
int tile_size(int level);
int tile_cells(int level);

/* A tile of a channel of so many, before anything moves. */
struct tile tile_new(int place, int places);

/* With values that nobody has set yet. */
struct tile tile_room(int place, int level);
void tile_free(struct tile *tile);

/* Its own columns, one after the other. */
double *tile_inside(const struct tile *tile);

/* Its own first or last column at the begin (0) or the middle (1) of a step. */
double *tile_edge(const struct tile *tile, int middle, int last);

/* Sets the neighbour's column there, to one of a tile of any level. */
void tile_beside(struct tile *tile, int middle, int last, const double *edge,
		 int level);

/* Half a step: both neighbours' columns are set. */
void tile_half(struct tile *tile, int middle, double seconds);

/* How long a step may be. */
double tile_pace(const struct tile *tile);

/* How much the pressure changes from cell to cell along the channel, at most.
 */
double tile_rough(const struct tile *tile);

/* Nearer by one to the level, each cell cut into four, or four made one. */
void tile_adapt(struct tile *tile, int level);

/* A hash of its values, to be summed over all tiles. */
uint64_t tile_check(const struct tile *tile);

#endif
