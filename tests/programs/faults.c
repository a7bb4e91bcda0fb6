/* SPDX-License-Identifier: BSD-3-Clause */

/* Ends by a fault, by its name; a comment with it marks the line. */
#include <mpi.h>
#include <string.h>

static int rank;
static int size;
static int room[8];

static void truncated(void)
{
	if (rank == 0)
		MPI_Send(room, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(room, 4, MPI_INT, 0, 7, /* truncation */
			 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wrong(void)
{
	if (rank == size - 1)
		MPI_Send(room, 5, MPI_INT, size, 7, /* mpi-error */
			 MPI_COMM_WORLD);
}

static void waits(void)
{
	MPI_Recv(room, 4, MPI_INT, (rank + 1) % size, 7, /* deadlock */
		 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void mismatched(void)
{
	if (rank == size - 1)
		MPI_Barrier(MPI_COMM_WORLD);
	else
		MPI_Bcast(room, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* An error that the program handles. */
static void handled(void)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Send(room, 5, MPI_INT, size, 7, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (strcmp(what, "truncation") == 0)
		truncated();
	else if (strcmp(what, "mpi-error") == 0)
		wrong();
	else if (strcmp(what, "deadlock") == 0)
		waits();
	else if (strcmp(what, "collective-mismatch") == 0)
		mismatched();
	else
		handled();
	MPI_Finalize();
	return 0;
}
