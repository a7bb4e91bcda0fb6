/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Some ranks begin a large reduction, and then wait in MPI for a message that
 * others send when the reduction is done.  The reduction then needs nothing
 * more from those ranks' threads.
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#define COUNT  200000
#define ROUNDS 5

static int errors;

/* Between who is set aside and the others, of which MPI sees to all messages.
 */
static MPI_Comm between(MPI_Comm comm, unsigned aside)
{
	MPI_Comm mine;
	MPI_Comm both;
	int first[2] = { 0, 0 }; /* of those that are not, and of those */
	int rank;
	int is;

	MPI_Comm_rank(comm, &rank);
	is = (int)(aside >> rank & 1);
	while (aside >> first[0] & 1)
		first[0]++;
	while (!(aside >> first[1] & 1))
		first[1]++;
	MPI_Comm_split(comm, is, rank, &mine);
	MPI_Intercomm_create(mine, 0, comm, first[!is], 0, &both);
	MPI_Comm_free(&mine);
	return both;
}

static void receive_all(MPI_Comm both)
{
	int n;

	MPI_Comm_remote_size(both, &n);
	for (int i = 0; i < n; i++)
		MPI_Recv(NULL, 0, MPI_INT, i, 0, both, MPI_STATUS_IGNORE);
}

static void send_all(MPI_Comm both)
{
	int n;

	MPI_Comm_remote_size(both, &n);
	for (int i = 0; i < n; i++)
		MPI_Send(NULL, 0, MPI_INT, i, 0, both);
}

static void check(const int *in, int n)
{
	for (int i = 0; i < COUNT; i++)
		errors += in[i] != n * i;
}

static void reduce(MPI_Comm comm, unsigned aside, int to_all)
{
	MPI_Comm both = between(comm, aside);
	int *out = malloc(COUNT * sizeof(int));
	int *in = malloc(COUNT * sizeof(int));
	MPI_Request request;
	int rank;
	int n;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &n);
	for (int i = 0; i < COUNT; i++)
		out[i] = i;
	if (to_all)
		MPI_Iallreduce(out, in, COUNT, MPI_INT, MPI_SUM, comm,
			       &request);
	else
		MPI_Ireduce(out, in, COUNT, MPI_INT, MPI_SUM, 0, comm,
			    &request);
	if (aside >> rank & 1)
		receive_all(both);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (!(aside >> rank & 1))
		send_all(both);
	if (to_all || rank == 0)
		check(in, n);
	free(out);
	free(in);
	MPI_Comm_disconnect(&both);
}

/* With nodes of three: a process that is no head, and heads that are no
 * leaders. */
int main(int argc, char **argv)
{
	MPI_Comm few;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 3 ? 0 : MPI_UNDEFINED, rank,
		       &few);
	for (int i = 0; i < ROUNDS; i++) {
		reduce(MPI_COMM_WORLD, 1 << 1, i % 2);
		if (few != MPI_COMM_NULL)
			reduce(few, 1 << 0 | 1 << 2, 1);
	}
	MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_SUM,
		      MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d errors\n", errors);
	MPI_Finalize();
	return 0;
}
