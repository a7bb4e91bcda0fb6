/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A stencil of 27 points in the manner of LULESH.  A grid of N x N x N cells is
 * cut into boxes, one a rank.  In a step a rank exchanges faces, edges and
 * corners with up to 26 neighbours, takes the mean of the 27 cells around each
 * cell, and agrees with all ranks on the largest change.
 *
 * A cell has the same bits however the grid is cut.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "benchmarks/lib/kernel.h"

static const char help[] =
	"usage: stencil [N] [STEPS]\n"
	"Means of 27 points on a grid of N x N x N cells (64), as often as "
	"there\n"
	"are STEPS (100).  Prints the seconds it took and a check value.\n";

enum { AXES = 3, SIDES = 27, HERE = 13 };

/* A side is a number of three digits to the base 3: before, at, after. */
static int digit(int side, int axis)
{
	static const int power[AXES] = { 1, 3, 9 };

	return side / power[axis] % 3 - 1;
}

static int all = 64;    /* cells of an axis */
static int first[AXES]; /* cell of this rank */
static int cells[AXES]; /* of this rank */
static int neighbour[SIDES];
static double *now; /* with a layer around it */
static double *next;
static double *out[SIDES];
static double *in[SIDES];

static size_t at(int x, int y, int z)
{
	return ((size_t)z * (size_t)(cells[1] + 2) + (size_t)y) *
		       (size_t)(cells[0] + 2) +
	       (size_t)x;
}

/* The cells of a side, its own or those around it: from `low` to `high`. */
static void range(int side, bool around, int low[AXES], int high[AXES])
{
	for (int axis = 0; axis < AXES; axis++) {
		const int d = digit(side, axis);

		low[axis] = d > 0 ? cells[axis] + around : d < 0 ? !around : 1;
		high[axis] = d == 0 ? cells[axis] : low[axis];
	}
}

/* Returns the number of cells. */
static int copy(int side, bool around, double *buffer)
{
	int low[AXES];
	int high[AXES];
	int n = 0;

	range(side, around, low, high);
	for (int z = low[2]; z <= high[2]; z++)
		for (int y = low[1]; y <= high[1]; y++)
			for (int x = low[0]; x <= high[0]; x++, n++)
				if (around)
					now[at(x, y, z)] = buffer[n];
				else
					buffer[n] = now[at(x, y, z)];
	return n;
}

static int count(int side)
{
	int low[AXES];
	int high[AXES];

	range(side, false, low, high);
	return (high[0] - low[0] + 1) * (high[1] - low[1] + 1) *
	       (high[2] - low[2] + 1);
}

static void exchange(void)
{
	MPI_Request requests[2 * SIDES];
	MPI_Status statuses[2 * SIDES];
	int n = 0;

	for (int side = 0; side < SIDES; side++)
		if (neighbour[side] >= 0)
			MPI_Irecv(in[side], count(side), MPI_DOUBLE,
				  neighbour[side], SIDES - 1 - side,
				  MPI_COMM_WORLD, &requests[n++]);
	for (int side = 0; side < SIDES; side++)
		if (neighbour[side] >= 0)
			MPI_Isend(out[side], copy(side, false, out[side]),
				  MPI_DOUBLE, neighbour[side], side,
				  MPI_COMM_WORLD, &requests[n++]);
	MPI_Waitall(n, requests, statuses);
	for (int side = 0; side < SIDES; side++)
		if (neighbour[side] >= 0)
			copy(side, true, in[side]);
}

static double mean_around(int x, int y, int z)
{
	double sum = 0;

	for (int k = z - 1; k <= z + 1; k++)
		for (int j = y - 1; j <= y + 1; j++)
			for (int i = x - 1; i <= x + 1; i++)
				sum += now[at(i, j, k)];
	return sum / SIDES;
}

/* Returns the largest change of a cell of this rank. */
static double compute(void)
{
	double *const was = now;
	double most = 0;

	for (int z = 1; z <= cells[2]; z++)
		for (int y = 1; y <= cells[1]; y++)
			for (int x = 1; x <= cells[0]; x++) {
				const size_t cell = at(x, y, z);

				next[cell] = mean_around(x, y, z);
				most = fmax(most, fabs(next[cell] - now[cell]));
			}
	now = next;
	next = was;
	return most;
}

static void cut(void)
{
	int sides[AXES] = { 0 };
	int periods[AXES] = { 0 };
	int place[AXES];
	MPI_Comm grid;
	int rank;
	int size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, AXES, sides);
	MPI_Cart_create(MPI_COMM_WORLD, AXES, sides, periods, 0, &grid);
	MPI_Comm_rank(grid, &rank);
	MPI_Cart_coords(grid, rank, AXES, place);
	for (int axis = 0; axis < AXES; axis++) {
		first[axis] = kernel_first(all, place[axis], sides[axis]);
		cells[axis] = kernel_first(all, place[axis] + 1, sides[axis]) -
			      first[axis];
	}
	for (int side = 0; side < SIDES; side++) {
		int there[AXES];
		bool inside = side != HERE;

		for (int axis = 0; axis < AXES; axis++) {
			there[axis] = place[axis] + digit(side, axis);
			inside &= there[axis] >= 0 && there[axis] < sides[axis];
		}
		neighbour[side] = -1;
		if (inside)
			MPI_Cart_rank(grid, there, &neighbour[side]);
	}
	MPI_Comm_free(&grid);
}

static void make(void)
{
	const uint64_t room = at(0, 0, cells[2] + 2);

	now = kernel_room(room, sizeof(*now));
	next = kernel_room(room, sizeof(*next));
	for (int side = 0; side < SIDES; side++) {
		in[side] = kernel_room((uint64_t)count(side), sizeof(double));
		out[side] = kernel_room((uint64_t)count(side), sizeof(double));
	}
	for (int z = 1; z <= cells[2]; z++)
		for (int y = 1; y <= cells[1]; y++)
			for (int x = 1; x <= cells[0]; x++)
				now[at(x, y, z)] = (first[0] + x) % 7 +
						   (first[1] + y) % 5 +
						   (first[2] + z) % 3;
}

static uint64_t check(void)
{
	uint64_t sum = 0;

	for (int z = 0; z < cells[2]; z++)
		for (int y = 0; y < cells[1]; y++)
			for (int x = 0; x < cells[0]; x++)
				sum += kernel_hash(
					((uint64_t)(first[2] + z) *
						 (uint64_t)all +
					 (uint64_t)(first[1] + y)) *
							(uint64_t)all +
						(uint64_t)(first[0] + x),
					now[at(x + 1, y + 1, z + 1)]);
	return sum;
}

static void end(void)
{
	free(now);
	free(next);
	for (int side = 0; side < SIDES; side++) {
		free(in[side]);
		free(out[side]);
	}
}

static void run(int steps)
{
	const double start = kernel_now();
	double most;

	for (int i = 0; i < steps; i++) {
		exchange();
		most = compute();
		MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX,
			      MPI_COMM_WORLD);
	}
	kernel_result(kernel_now() - start, check());
}

static int start(int argc, char **argv)
{
	int steps = 100;

	if (kernel_help(argc, argv, help))
		return 0;
	if (!kernel_number(argc, argv, 1, "N", 1000, &all) ||
	    !kernel_number(argc, argv, 2, "STEPS", 1000000, &steps))
		return 2;
	if (argc > 3 && !kernel_wrong("an argument too many:", argv[3]))
		return 2;
	cut();
	make();
	run(steps);
	end();
	return 0;
}

int main(int argc, char **argv)
{
	int status;

	MPI_Init(&argc, &argv);
	status = start(argc, argv);
	MPI_Finalize();
	return status;
}
