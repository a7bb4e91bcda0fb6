/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Processes, mostly two, whose collectives do not fit together, in the way that
 * the argument names; each prints the error class that it got.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int in[3000];
static int out[3000];

static int call(const char *how)
{
	const MPI_Comm comm = MPI_COMM_WORLD;

	if (strcmp(how, "call") == 0 && rank == 0)
		return MPI_Bcast(in, 1, MPI_INT, 0, comm);
	if (strcmp(how, "call") == 0)
		return MPI_Barrier(comm);
	if (strcmp(how, "root") == 0) /* each waits for the other */
		return MPI_Bcast(in, 1, MPI_INT, !rank, comm);
	if (strcmp(how, "late") == 0) /* nobody waits for anything */
		return MPI_Bcast(in, 1, MPI_INT, rank, comm);
	if (strcmp(how, "after") == 0) { /* the second fits, if alone */
		if (rank == 0)
			MPI_Bcast(in, 1, MPI_INT, 1, comm);
		else
			MPI_Barrier(comm);
		return MPI_Bcast(in, 1, MPI_INT, 1, comm);
	}
	if (strcmp(how, "end") == 0 && rank)
		return MPI_Barrier(comm);
	if (strcmp(how, "odd") == 0 && rank == 3)
		return MPI_Bcast(in, 1, MPI_INT, 0, comm);
	if (strcmp(how, "odd") == 0)
		return MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, comm);
	if (strcmp(how, "op") == 0)
		return MPI_Allreduce(in, out, 1, MPI_INT,
				     rank ? MPI_SUM : MPI_MAX, comm);
	if (strcmp(how, "count") == 0)
		return MPI_Allreduce(in, out, rank ? 2 : 3000, MPI_INT, MPI_SUM,
				     comm);
	if (strcmp(how, "scatter") == 0)
		return MPI_Reduce_scatter_block(in, out, rank ? 10 : 11,
						MPI_INT, MPI_SUM, comm);
	return MPI_SUCCESS;
}

/* Both wait, one of them for what it began. */
static int waits(const char *how)
{
	MPI_Request request;

	if (strcmp(how, "later") == 0)
		MPI_Ibcast(in, 1, MPI_INT, !rank, MPI_COMM_WORLD, &request);
	else if (rank == 0)
		MPI_Ibarrier(MPI_COMM_WORLD, &request);
	else
		return MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int class = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(argv[1], "later") == 0 || strcmp(argv[1], "blocks") == 0)
		MPI_Error_class(waits(argv[1]), &class);
	else
		MPI_Error_class(call(argv[1]), &class);
	printf("%d: %s\n", rank, class == MPI_SUCCESS ? "success" : "error");
	MPI_Finalize();
	return 0;
}
