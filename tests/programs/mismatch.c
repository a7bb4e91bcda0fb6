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

/* Less is sent than there is room for, which MPICH takes. */
static int sizes(const char *how)
{
	const int ones[] = { 1, 1, 1, 1 };
	const int twos[] = { 2, 2, 2, 2 };
	const int at[] = { 0, 2, 4, 6 };
	const MPI_Comm comm = MPI_COMM_WORLD;
	MPI_Request request;

	if (strcmp(how, "gather") == 0)
		return MPI_Gather(in, 1, MPI_INT, out, 1, MPI_DOUBLE, 0, comm);
	if (strcmp(how, "own") == 0) /* the root's alone */
		return MPI_Gather(in, rank ? 2 : 1, MPI_INT, out, 2, MPI_INT, 0,
				  comm);
	if (strcmp(how, "less") == 0) /* a part of a process alone */
		return MPI_Gather(in, rank ? 1 : 2, MPI_INT, out, 2, MPI_INT, 0,
				  comm);
	if (strcmp(how, "scatter2") == 0)
		return MPI_Scatter(in, 1, MPI_INT, out, 2, MPI_INT, 0, comm);
	if (strcmp(how, "allgather") == 0)
		return MPI_Allgather(in, 1, MPI_INT, out, 2, MPI_INT, comm);
	if (strcmp(how, "alltoallv") == 0)
		return MPI_Alltoallv(in, ones, at, MPI_INT, out, twos, at,
				     MPI_INT, comm);
	if (strcmp(how, "ialltoall") == 0) {
		MPI_Ialltoall(in, 1, MPI_INT, out, 2, MPI_INT, comm, &request);
		return MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	return MPI_SUCCESS;
}

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
	return sizes(how);
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
