/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Euler's equations of a gas, by Rusanov's fluxes and Heun's steps: nothing
 * that depends on the order in which tiles come, or who has them.
 */
#include "sage_tile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"

#define COLUMNS 2  /* of a tile of level 0 */
#define ROWS    64 /* of cells across the channel */

#define GAMMA   1.4
#define COURANT 0.4

enum { DENSITY, ALONG, ACROSS, ENERGY };

static int rows(int level)
{
	return ROWS << level;
}

static int columns(int level)
{
	return COLUMNS << level;
}

int tile_edge_size(int level)
{
	return rows(level) * TILE_VALUES;
}

int tile_size(int level)
{
	return columns(level) * tile_edge_size(level);
}

int tile_cells(int level)
{
	return columns(level) * rows(level);
}

struct tile tile_room(int place, int level)
{
	const int all = tile_size(level) + 2 * tile_edge_size(level);
	struct tile tile = { .place = place, .level = level };

	for (int i = 0; i < 2; i++)
		tile.cells[i] = kernel_room((uint64_t)all, sizeof(double));
	return tile;
}

void tile_free(struct tile *tile)
{
	free(tile->cells[0]);
	free(tile->cells[1]);
}

static double *cell(const struct tile *tile, int middle, int column, int row)
{
	return tile->cells[middle] + column * tile_edge_size(tile->level) +
	       row * TILE_VALUES;
}

double *tile_inside(const struct tile *tile)
{
	return cell(tile, 0, 1, 0);
}

/* A compressed gas at the begin, which breaks into one of uneven density. */
struct tile tile_new(int place, int places)
{
	struct tile tile = tile_room(place, 0);
	const double pressure = place < (places + 7) / 8 ? 10 : 0.1;

	for (int i = 0; i < tile_cells(0); i++) {
		double *c = tile_inside(&tile) + i * TILE_VALUES;

		c[DENSITY] = 1 + fabs(i % ROWS - ROWS / 2.0) / ROWS;
		c[ENERGY] = pressure / (GAMMA - 1);
	}
	return tile;
}

double *tile_edge(const struct tile *tile, int middle, int last)
{
	return cell(tile, middle, last ? columns(tile->level) : 1, 0);
}

/*
 * A column beside the tile: the mean of a finer tile's, or a coarser one's as
 * it is.
 */
void tile_beside(struct tile *tile, int middle, int last, const double *edge,
		 int level)
{
	const int column = last ? columns(tile->level) + 1 : 0;
	const int finer = level > tile->level ? level - tile->level : 0;
	const int coarser = level < tile->level ? tile->level - level : 0;

	for (int row = 0; row < rows(tile->level); row++) {
		const double *from = edge;
		double *to = cell(tile, middle, column, row);

		from += (row >> coarser << finer) * TILE_VALUES;
		for (int k = 0; k < TILE_VALUES; k++) {
			to[k] = 0;
			for (int i = 0; i < 1 << finer; i++)
				to[k] += from[i * TILE_VALUES + k];
			to[k] /= 1 << finer;
		}
	}
}

static double pressure_of(const double *c)
{
	const double momenta = c[ALONG] * c[ALONG] + c[ACROSS] * c[ACROSS];

	return (GAMMA - 1) * (c[ENERGY] - momenta / c[DENSITY] / 2);
}

static double speed_of(const double *c, int axis, double pressure)
{
	return fabs(c[axis] / c[DENSITY]) + sqrt(GAMMA * pressure / c[DENSITY]);
}

/* The flow from a to b, which follows a on the axis. */
static void flux(const double *a, const double *b, int axis, double out[])
{
	const double pa = pressure_of(a);
	const double pb = pressure_of(b);
	const double va = a[axis] / a[DENSITY];
	const double vb = b[axis] / b[DENSITY];
	const double speed = fmax(speed_of(a, axis, pa), speed_of(b, axis, pb));

	for (int k = 0; k < TILE_VALUES; k++)
		out[k] = (va * a[k] + vb * b[k] - speed * (b[k] - a[k])) / 2;
	out[axis] += (pa + pb) / 2;
	out[ENERGY] += (va * pa + vb * pb) / 2;
}

/* Beyond the walls of the channel all is as here, but moves the other way. */
static void wall(const double *c, double out[])
{
	memcpy(out, c, TILE_VALUES * sizeof(double));
	out[ACROSS] = -c[ACROSS];
}

/* The change of a cell after a second, in its own width. */
static void change(const struct tile *tile, int middle, int column, int row,
		   double out[])
{
	const double *c = cell(tile, middle, column, row);
	const double *above = c + TILE_VALUES;
	const double *below = c - TILE_VALUES;
	double mirror[TILE_VALUES];
	double f[4][TILE_VALUES];

	wall(c, mirror);
	if (row == 0)
		below = mirror;
	if (row == rows(tile->level) - 1)
		above = mirror;
	flux(cell(tile, middle, column - 1, row), c, ALONG, f[0]);
	flux(c, cell(tile, middle, column + 1, row), ALONG, f[1]);
	flux(below, c, ACROSS, f[2]);
	flux(c, above, ACROSS, f[3]);
	for (int k = 0; k < TILE_VALUES; k++)
		out[k] = f[0][k] - f[1][k] + f[2][k] - f[3][k];
}

/* Heun: to the end as at the begin, and from there; the mean is the step. */
static void half_cell(struct tile *tile, int middle, int column, int row,
		      double share)
{
	const double *from = cell(tile, middle, column, row);
	double *to = cell(tile, !middle, column, row);
	double by[TILE_VALUES];

	change(tile, middle, column, row, by);
	for (int k = 0; k < TILE_VALUES; k++) {
		const double value = from[k] + share * by[k];

		to[k] = middle ? (to[k] + value) / 2 : value;
	}
}

void tile_half(struct tile *tile, int middle, double seconds)
{
	const double share = seconds * rows(tile->level);

	for (int column = 1; column <= columns(tile->level); column++)
		for (int row = 0; row < rows(tile->level); row++)
			half_cell(tile, middle, column, row, share);
}

double tile_pace(const struct tile *tile)
{
	double most = 0;

	for (int i = 0; i < tile_cells(tile->level); i++) {
		const double *c = tile_inside(tile) + i * TILE_VALUES;
		const double pressure = pressure_of(c);

		most = fmax(most, speed_of(c, ALONG, pressure) +
					  speed_of(c, ACROSS, pressure));
	}
	return COURANT / (most * rows(tile->level));
}

double tile_rough(const struct tile *tile)
{
	double most = 0;

	for (int column = 0; column <= columns(tile->level); column++)
		for (int row = 0; row < rows(tile->level); row++) {
			const double a = pressure_of(
				cell(tile, 0, column, row));
			const double b = pressure_of(
				cell(tile, 0, column + 1, row));

			most = fmax(most, fabs(a - b) / (a + b));
		}
	return most;
}

static void split(const struct tile *from, struct tile *to)
{
	for (int column = 0; column < columns(to->level); column++)
		for (int row = 0; row < rows(to->level); row++)
			memcpy(cell(to, 0, column + 1, row),
			       cell(from, 0, column / 2 + 1, row / 2),
			       TILE_VALUES * sizeof(double));
}

static void merge(const struct tile *from, struct tile *to)
{
	for (int column = 0; column < columns(to->level); column++)
		for (int row = 0; row < rows(to->level); row++) {
			const double *a = cell(from, 0, 2 * column + 1,
					       2 * row);
			const double *b = cell(from, 0, 2 * column + 2,
					       2 * row);
			double *c = cell(to, 0, column + 1, row);

			for (int k = 0; k < TILE_VALUES; k++)
				c[k] = (a[k] + a[k + TILE_VALUES] + b[k] +
					b[k + TILE_VALUES]) /
				       4;
		}
}

void tile_adapt(struct tile *tile, int level)
{
	struct tile adapted;

	if (level == tile->level)
		return;
	adapted = tile_room(tile->place,
			    tile->level + (level > tile->level ? 1 : -1));
	if (level > tile->level)
		split(tile, &adapted);
	else
		merge(tile, &adapted);
	tile_free(tile);
	*tile = adapted;
}

uint64_t tile_check(const struct tile *tile)
{
	const uint64_t first = (uint64_t)tile->place << 32 |
			       (uint64_t)tile->level << 24;
	uint64_t check = 0;

	for (int i = 0; i < tile_size(tile->level); i++)
		check += kernel_hash(first + (uint64_t)i, tile_inside(tile)[i]);
	return check;
}
