/* SPDX-License-Identifier: BSD-3-Clause */

/* More communicators at a time than the record has rows for. */
#include <mpi.h>

#define N 600

int main(int argc, char **argv)
{
	static MPI_Comm comms[N];
	const int dims = 1;
	const int periods = 1;
	int in[2];
	int out = 1;

	MPI_Init(&argc, &argv);
	for (int i = 0; i < N; i++)
		MPI_Cart_create(MPI_COMM_SELF, 1, &dims, &periods, 0,
				&comms[i]);
	for (int i = 0; i < N; i++)
		MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT,
				       comms[i]);
	for (int i = 0; i < N; i++)
		MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, in, 1, MPI_INT, 0, 0,
			     comms[i], MPI_STATUS_IGNORE);
	for (int i = 0; i < N; i++)
		MPI_Comm_free(&comms[i]);
	MPI_Finalize();
	return 0;
}
