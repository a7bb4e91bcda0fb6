/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Particle transport by discrete ordinates, in the manner of SWEEP3D. A grid of
 * N x N x N cells is cut into columns, one a rank.  For each octant of
 * directions a wave goes through them from a corner.  A rank receives the flow
 * into its cells from two neighbours, and works on a block of angles and
 * planes. It sends the flow out of its cells to the other two.  A step takes a
 * few ms.
 *
 * The flow through a cell has the same bits however the grid is cut.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"
#include "sweep_cells.h"

static const char help[] =
	"usage: sweep VARIANT [N] [ITERATIONS]\n"
	"Particle transport through N x N x N cells (64), as often as there "
	"are\n"
	"ITERATIONS (8).  Prints the seconds it took and a check value.\n"
	"blocking: MPI_Recv and MPI_Send, as SWEEP3D; nonblocking: MPI_Irecv\n"
	"ahead, MPI_Isend, waited for two steps later.\n";

#define N_MOST          1000
#define ITERATIONS_MOST 1000000

static struct sweep_part part;
static int neighbour[AXES][2]; /* before, after */

/*
 * While a step is worked on, what the one before it made leaves and what the
 * next one needs comes.
 */
enum { SETS = 3 };

static double *faces[SETS][AXES];

static int from(const struct sweep_step *step, enum axis axis)
{
	return neighbour[axis][!step->forward[axis]];
}

static int to(const struct sweep_step *step, enum axis axis)
{
	return neighbour[axis][step->forward[axis]];
}

/* From outside nothing enters. */
static void compute(const struct sweep_step *step, double *face[AXES])
{
	for (enum axis axis = X; axis < AXES; axis++)
		if (from(step, axis) == MPI_PROC_NULL)
			memset(face[axis], 0,
			       (size_t)step->count[axis] * sizeof(double));
	sweep_step_do(step, face);
}

static void sweep_blocking(void)
{
	for (int i = 0; i < SWEEP_STEPS; i++) {
		const struct sweep_step step = sweep_step_at(i);

		for (enum axis axis = X; axis < AXES; axis++)
			MPI_Recv(faces[0][axis], step.count[axis], MPI_DOUBLE,
				 from(&step, axis), axis, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		compute(&step, faces[0]);
		for (enum axis axis = X; axis < AXES; axis++)
			MPI_Send(faces[0][axis], step.count[axis], MPI_DOUBLE,
				 to(&step, axis), axis, MPI_COMM_WORLD);
	}
}

static void take(int number, MPI_Request requests[AXES])
{
	const struct sweep_step step = sweep_step_at(number);

	for (enum axis axis = X; axis < AXES; axis++)
		MPI_Irecv(faces[number % SETS][axis], step.count[axis],
			  MPI_DOUBLE, from(&step, axis), axis, MPI_COMM_WORLD,
			  &requests[axis]);
}

static void give(int number, MPI_Request requests[AXES])
{
	const struct sweep_step step = sweep_step_at(number);

	for (enum axis axis = X; axis < AXES; axis++)
		MPI_Isend(faces[number % SETS][axis], step.count[axis],
			  MPI_DOUBLE, to(&step, axis), axis, MPI_COMM_WORLD,
			  &requests[axis]);
}

static void finish(MPI_Request requests[AXES])
{
	MPI_Status statuses[AXES];

	MPI_Waitall(AXES, requests, statuses);
}

/* A send has the time of the next step to complete. */
static void sweep_nonblocking(void)
{
	MPI_Request in[AXES];
	MPI_Request out[2][AXES] = { { MPI_REQUEST_NULL, MPI_REQUEST_NULL },
				     { MPI_REQUEST_NULL, MPI_REQUEST_NULL } };

	take(0, in);
	for (int i = 0; i < SWEEP_STEPS; i++) {
		const struct sweep_step step = sweep_step_at(i);

		finish(in);
		finish(out[i % 2]);
		if (i + 1 < SWEEP_STEPS)
			take(i + 1, in);
		compute(&step, faces[i % SETS]);
		give(i, out[i % 2]);
	}
	finish(out[0]);
	finish(out[1]);
}

static void grid_cut(void)
{
	int sides[AXES] = { 0 };
	int at[AXES];
	int rank;
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, AXES, sides);
	at[X] = rank % sides[X];
	at[Y] = rank / sides[X];
	for (enum axis axis = X; axis < AXES; axis++) {
		const int by = axis == X ? 1 : sides[X];

		part.first[axis] = kernel_first(part.n, at[axis], sides[axis]);
		part.cells[axis] = kernel_first(part.n, at[axis] + 1,
						sides[axis]) -
				   part.first[axis];
		neighbour[axis][0] = at[axis] ? rank - by : MPI_PROC_NULL;
		neighbour[axis][1] = at[axis] + 1 < sides[axis] ? rank + by
								: MPI_PROC_NULL;
	}
}

static void faces_make(void)
{
	for (int set = 0; set < SETS; set++)
		for (enum axis axis = X; axis < AXES; axis++)
			faces[set][axis] = kernel_room(sweep_cells_face(axis),
						       sizeof(double));
}

static void faces_free(void)
{
	for (int i = 0; i < SETS * AXES; i++)
		free(faces[i / AXES][i % AXES]);
}

/* By how much any cell's flux did, anywhere. */
static double changed(void)
{
	const double here = sweep_cells_changed();
	double most;

	MPI_Allreduce(&here, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return most;
}

static void run(void (*sweep)(void), int iterations)
{
	const double start = kernel_now();

	for (int i = 0; i < iterations; i++) {
		sweep_cells_emit();
		sweep();
		if (changed() <= 0)
			break;
	}
	kernel_result(kernel_now() - start, sweep_cells_check());
}

static void (*variant(const char *name))(void)
{
	if (strcmp(name, "blocking") == 0)
		return sweep_blocking;
	if (strcmp(name, "nonblocking") == 0)
		return sweep_nonblocking;
	kernel_wrong("VARIANT is blocking or nonblocking, not", name);
	return NULL;
}

static int start(int argc, char **argv)
{
	void (*sweep)(void);
	int iterations = 8;

	part.n = 64;
	if (kernel_help(argc, argv, help))
		return 0;
	sweep = variant(argc > 1 ? argv[1] : "");
	if (!sweep || !kernel_number(argc, argv, 2, "N", N_MOST, &part.n) ||
	    !kernel_number(argc, argv, 3, "ITERATIONS", ITERATIONS_MOST,
			   &iterations))
		return 2;
	if (argc > 4 && !kernel_wrong("an argument too many:", argv[4]))
		return 2;
	grid_cut();
	sweep_cells_make(&part);
	faces_make();
	run(sweep, iterations);
	faces_free();
	sweep_cells_free();
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
