/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A 2-D halo exchange.  A grid of N x N cells is cut into rectangles, one a
 * rank.  In a step a rank exchanges its borders with up to four neighbours,
 * takes the mean of the cells around each cell, and lets each cell react for 1
 * or 3 rounds: by turns the left half of the grid has more, and the right half.
 * The cells within a rectangle come first, those at its borders last.
 *
 * A cell has the same bits however the grid is cut.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"

static const char help[] =
	"usage: halo VARIANT [N] [STEPS]\n"
	"A grid of N x N cells (2048), and as many STEPS (20) with an exchange "
	"of\n"
	"borders.  Prints the seconds it took and a check value.\n"
	"blocking: MPI_Sendrecv; nonblocking: MPI_Irecv and MPI_Isend, waited "
	"for\n"
	"where the borders are used.\n";

enum { AXES = 2, SIDES = 4 }; /* left, right, above, below */

static int all = 2048; /* cells of an axis */
static int first[AXES];
static int cells[AXES]; /* of this rank */
static int neighbour[SIDES];
static double *now;
static double *next;
static double *out[SIDES];
static double *in[SIDES];
static MPI_Request requests[2 * SIDES];

static size_t at(int x, int y)
{
	return (size_t)y * (size_t)cells[0] + (size_t)x;
}

static int count(int side)
{
	return cells[side < 2];
}

static int opposite(int side)
{
	return side ^ 1;
}

/* The cell `i` of a side. */
static double *cell(int side, int i)
{
	switch (side) {
	case 0:
		return &now[at(0, i)];
	case 1:
		return &now[at(cells[0] - 1, i)];
	case 2:
		return &now[at(i, 0)];
	default:
		return &now[at(i, cells[1] - 1)];
	}
}

static void pack(int side)
{
	for (int i = 0; i < count(side); i++)
		out[side][i] = *cell(side, i);
}

static void exchange_blocking(void)
{
	for (int side = 0; side < SIDES; side++) {
		const int from = opposite(side);

		pack(side);
		MPI_Sendrecv(out[side], count(side), MPI_DOUBLE,
			     neighbour[side], side, in[from], count(from),
			     MPI_DOUBLE, neighbour[from], side, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	}
}

static void exchange_begin(void)
{
	for (int side = 0; side < SIDES; side++)
		MPI_Irecv(in[side], count(side), MPI_DOUBLE, neighbour[side],
			  opposite(side), MPI_COMM_WORLD, &requests[side]);
	for (int side = 0; side < SIDES; side++) {
		pack(side);
		MPI_Isend(out[side], count(side), MPI_DOUBLE, neighbour[side],
			  side, MPI_COMM_WORLD, &requests[SIDES + side]);
	}
}

static void exchange_end(void)
{
	MPI_Status statuses[2 * SIDES];

	MPI_Waitall(2 * SIDES, requests, statuses);
}

static double from_side(int side, int i)
{
	return neighbour[side] == MPI_PROC_NULL ? 0 : in[side][i];
}

/* The cell itself, or one of the neighbours' borders. */
static double value(int x, int y)
{
	if (x < 0)
		return from_side(0, y);
	if (x == cells[0])
		return from_side(1, y);
	if (y < 0)
		return from_side(2, x);
	if (y == cells[1])
		return from_side(3, x);
	return now[at(x, y)];
}

static double reacted(double cell, int x, int step)
{
	const int left = first[0] + x < all / 2;
	const int rounds = left == step % 2 ? 3 : 1;

	for (int i = 0; i < rounds; i++)
		cell = cell / (1 + cell * cell) + 0.5;
	return cell;
}

static void compute_within(int step)
{
	for (int y = 1; y < cells[1] - 1; y++)
		for (int x = 1; x < cells[0] - 1; x++) {
			const double *here = &now[at(x, y)];
			const double mean = (here[-1] + here[1] +
					     here[-cells[0]] + here[cells[0]]) /
					    4;

			next[at(x, y)] = reacted(mean, x, step);
		}
}

static void compute_at(int x, int y, int step)
{
	const double mean = (value(x - 1, y) + value(x + 1, y) +
			     value(x, y - 1) + value(x, y + 1)) /
			    4;

	next[at(x, y)] = reacted(mean, x, step);
}

static void compute_borders(int step)
{
	for (int x = 0; x < cells[0]; x++) {
		compute_at(x, 0, step);
		compute_at(x, cells[1] - 1, step);
	}
	for (int y = 0; y < cells[1]; y++) {
		compute_at(0, y, step);
		compute_at(cells[0] - 1, y, step);
	}
}

static void swap(void)
{
	double *const was = now;

	now = next;
	next = was;
}

static void run_blocking(int steps)
{
	for (int i = 0; i < steps; i++) {
		exchange_blocking();
		compute_within(i);
		compute_borders(i);
		swap();
	}
}

static void run_nonblocking(int steps)
{
	for (int i = 0; i < steps; i++) {
		exchange_begin();
		compute_within(i);
		exchange_end();
		compute_borders(i);
		swap();
	}
}

/* False: there are more ranks than cells of an axis. */
static bool cut(void)
{
	int sides[AXES] = { 0 };
	int place[AXES];
	int rank;
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (all < size)
		return kernel_wrong("more ranks than", "N");
	MPI_Dims_create(size, AXES, sides);
	place[0] = rank % sides[0];
	place[1] = rank / sides[0];
	for (int axis = 0; axis < AXES; axis++) {
		const int by = axis ? sides[0] : 1;
		const int last = place[axis] == sides[axis] - 1;

		first[axis] = kernel_first(all, place[axis], sides[axis]);
		cells[axis] = kernel_first(all, place[axis] + 1, sides[axis]) -
			      first[axis];
		neighbour[2 * axis] = place[axis] ? rank - by : MPI_PROC_NULL;
		neighbour[2 * axis + 1] = last ? MPI_PROC_NULL : rank + by;
	}
	return true;
}

static void make(void)
{
	const uint64_t room = at(0, cells[1]);

	now = kernel_room(room, sizeof(*now));
	next = kernel_room(room, sizeof(*next));
	for (int side = 0; side < SIDES; side++) {
		in[side] = kernel_room((uint64_t)count(side), sizeof(double));
		out[side] = kernel_room((uint64_t)count(side), sizeof(double));
	}
	for (int y = 0; y < cells[1]; y++)
		for (int x = 0; x < cells[0]; x++)
			now[at(x, y)] = (first[0] + x) % 7 + (first[1] + y) % 5;
}

static uint64_t check(void)
{
	uint64_t sum = 0;

	for (int y = 0; y < cells[1]; y++)
		for (int x = 0; x < cells[0]; x++)
			sum += kernel_hash((uint64_t)(first[1] + y) *
							   (uint64_t)all +
						   (uint64_t)(first[0] + x),
					   now[at(x, y)]);
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

static void (*variant(const char *name))(int steps)
{
	if (strcmp(name, "blocking") == 0)
		return run_blocking;
	if (strcmp(name, "nonblocking") == 0)
		return run_nonblocking;
	kernel_wrong("VARIANT is blocking or nonblocking, not", name);
	return NULL;
}

static int start(int argc, char **argv)
{
	void (*run)(int steps);
	int steps = 20;
	double begin;

	if (kernel_help(argc, argv, help))
		return 0;
	run = variant(argc > 1 ? argv[1] : "");
	if (!run || !kernel_number(argc, argv, 2, "N", 10000, &all) ||
	    !kernel_number(argc, argv, 3, "STEPS", 1000000, &steps))
		return 2;
	if (argc > 4 && !kernel_wrong("an argument too many:", argv[4]))
		return 2;
	if (!cut())
		return 2;
	make();
	begin = kernel_now();
	run(steps);
	kernel_result(kernel_now() - begin, check());
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
