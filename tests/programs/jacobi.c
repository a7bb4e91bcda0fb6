/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Jacobi's method on a square, in strips of rows.  Each rank exchanges its
 * outer rows with its neighbours, and now and then all ask how far they have
 * come.
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#define N          512
#define ITERATIONS 400
#define CHECK      20

static int rank;
static int size;
static int rows;

static void exchange(double (*u)[N])
{
	const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	const int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
	MPI_Request requests[4];
	MPI_Status statuses[4];

	MPI_Irecv(u[0], N, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(u[rows + 1], N, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
		  &requests[1]);
	MPI_Isend(u[1], N, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(u[rows], N, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
		  &requests[3]);
	MPI_Waitall(4, requests, statuses);
}

static double relax(double (*from)[N], double (*to)[N])
{
	double change = 0;

	for (int i = 1; i <= rows; i++)
		for (int j = 1; j < N - 1; j++) {
			to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] +
					   from[i][j - 1] + from[i][j + 1]);
			if (to[i][j] - from[i][j] > change)
				change = to[i][j] - from[i][j];
		}
	return change;
}

static double solve(double (*u)[N], double (*v)[N])
{
	double(*swap)[N];
	double most = 0;

	for (int i = 1; i <= ITERATIONS; i++) {
		double change;

		exchange(u);
		change = relax(u, v);
		if (i % CHECK == 0)
			MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX,
				      MPI_COMM_WORLD);
		swap = u;
		u = v;
		v = swap;
	}
	return most;
}

int main(int argc, char **argv)
{
	double(*u)[N];
	double(*v)[N];
	double change;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	rows = N / size + (rank < N % size);
	u = calloc((size_t)rows + 2, sizeof(*u));
	v = calloc((size_t)rows + 2, sizeof(*v));
	if (!u || !v)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < rows + 2; i++)
		u[i][0] = v[i][0] = 1; /* the left edge is hot */
	change = solve(u, v);
	if (rank == 0)
		printf("last change %.3e\n", change);
	free(u);
	free(v);
	MPI_Finalize();
	return 0;
}
