/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A shock in a gas on a mesh that is refined where the shock is, in the manner
 * of SAGE. A rank has a stretch of the channel.  In each half of a step it
 * exchanges edges with its neighbours, whose size depends on their refinement.
 * At the end of a step all agree on the length of the next.  Now and then cells
 * are refined and coarsened, and moved so that all ranks have as many.
 *
 * A cell has the same bits whichever rank has it.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/lib/kernel.h"
#include "sage_share.h"

static const char help[] = "usage: sage [CELLS] [STEPS]\n"
			   "A shock runs for STEPS (400) through a channel of "
			   "CELLS (128), which are\n"
			   "cut finer where it is.  Prints the seconds it took "
			   "and a check value.\n";

#define CELLS_MOST 100000
#define STEPS_MOST 1000000000

#define REGRID_STEPS   8 /* from one to the next */
#define SURVEY_REGRIDS 4 /* from one with a survey to the next */

#define FINEST (TILE_LEVELS - 1)

static struct channel channel;
static double *edges[2]; /* what came from before and after */

static int level_of(int count)
{
	int level = 0;

	while (tile_edge_size(level) < count)
		level++;
	return level;
}

static struct tile *tile_at(int last)
{
	return &channel.tiles[last ? channel.n_tiles - 1 : 0];
}

static void edges_begin(int middle, MPI_Request requests[4])
{
	for (int last = 0; last < 2; last++) {
		const struct tile *tile = tile_at(last);

		MPI_Irecv(edges[last], tile_edge_size(FINEST), MPI_DOUBLE,
			  channel.beside[last], SAGE_EDGE, MPI_COMM_WORLD,
			  &requests[last]);
		MPI_Isend(tile_edge(tile, middle, last),
			  tile_edge_size(tile->level), MPI_DOUBLE,
			  channel.beside[last], SAGE_EDGE, MPI_COMM_WORLD,
			  &requests[2 + last]);
	}
}

static void edges_inside(int middle)
{
	for (int i = 0; i + 1 < channel.n_tiles; i++) {
		struct tile *a = &channel.tiles[i];
		struct tile *b = &channel.tiles[i + 1];

		tile_beside(a, middle, 1, tile_edge(b, middle, 0), b->level);
		tile_beside(b, middle, 0, tile_edge(a, middle, 1), a->level);
	}
}

/* At an end of the channel all goes on as it is. */
static void edge_outside(int middle, int last, const MPI_Status *status)
{
	struct tile *tile = tile_at(last);
	const double *edge = edges[last];
	int level = tile->level;
	int count;

	if (channel.beside[last] == MPI_PROC_NULL) {
		edge = tile_edge(tile, middle, last);
	} else {
		MPI_Get_count(status, MPI_DOUBLE, &count);
		level = level_of(count);
	}
	tile_beside(tile, middle, last, edge, level);
}

static void edges_exchange(int middle)
{
	MPI_Request requests[4];
	MPI_Status statuses[4];

	if (channel.n_tiles == 0)
		return;
	edges_begin(middle, requests);
	edges_inside(middle);
	MPI_Waitall(4, requests, statuses);
	for (int last = 0; last < 2; last++)
		edge_outside(middle, last, &statuses[last]);
}

static double pace(void)
{
	double here = HUGE_VAL;
	double least;

	for (int i = 0; i < channel.n_tiles; i++)
		here = fmin(here, tile_pace(&channel.tiles[i]));
	MPI_Allreduce(&here, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
	return least;
}

static void step(double seconds)
{
	for (int middle = 0; middle < 2; middle++) {
		edges_exchange(middle);
		for (int i = 0; i < channel.n_tiles; i++)
			tile_half(&channel.tiles[i], middle, seconds);
	}
}

/* The neighbours' columns are as all tiles were before. */
static void adapt(void)
{
	for (int i = 0; i < channel.n_tiles; i++) {
		const double rough = tile_rough(&channel.tiles[i]);
		int level = FINEST;

		for (double r = rough; level > 0 && r < channel.threshold;
		     r *= 4)
			level--;
		tile_adapt(&channel.tiles[i], level);
	}
}

static void regrid(int number)
{
	if (number % SURVEY_REGRIDS == 0)
		channel_survey(&channel);
	edges_exchange(0);
	adapt();
	channel_balance(&channel);
}

static void edges_make(void)
{
	for (int last = 0; last < 2; last++)
		edges[last] = kernel_room((uint64_t)tile_edge_size(FINEST),
					  sizeof(double));
}

static void edges_free(void)
{
	free(edges[0]);
	free(edges[1]);
}

static uint64_t check_of_tiles(void)
{
	uint64_t check = 0;

	for (int i = 0; i < channel.n_tiles; i++)
		check += tile_check(&channel.tiles[i]);
	return check;
}

static void run(int steps)
{
	const double start = kernel_now();
	double seconds = pace();

	for (int i = 0; i < steps; i++) {
		if (i % REGRID_STEPS == 0)
			regrid(i / REGRID_STEPS);
		step(seconds);
		seconds = pace();
	}
	kernel_result(kernel_now() - start, check_of_tiles());
}

static int start(int argc, char **argv)
{
	int places = 128;
	int steps = 400;

	if (kernel_help(argc, argv, help))
		return 0;
	if (!kernel_number(argc, argv, 1, "CELLS", CELLS_MOST, &places) ||
	    !kernel_number(argc, argv, 2, "STEPS", STEPS_MOST, &steps))
		return 2;
	if (argc > 3 && !kernel_wrong("an argument too many:", argv[3]))
		return 2;
	channel_make(&channel, places);
	edges_make();
	run(steps);
	edges_free();
	channel_free(&channel);
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
