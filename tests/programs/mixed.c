/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Rank 0 waits for a message that the others send after another operation of
 * MPI: a non-blocking collective, or one-sided communication.  While rank 0
 * waits it has to do its part of that operation.  The reverse is tested, too.
 * The rest of a freed communicator belongs to no other.  Errors come with their
 * requests and handlers.
 */
#include <mpi.h>
#include <stdio.h>

static int rank;
static int size;

static void hear_from_all(int tag)
{
	int x;

	for (int i = 1; i < size; i++)
		MPI_Recv(&x, 1, MPI_INT, i, tag, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

static void collective(void)
{
	MPI_Request request;
	int in = rank;
	int sum = -1;

	MPI_Iallreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
		       &request);
	if (rank == 0)
		hear_from_all(1);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank != 0)
		MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	printf("%d: sum %d\n", rank, sum);
}

static void one_sided(void)
{
	const int one = 1;
	int *memory;
	MPI_Win win;

	MPI_Win_allocate(sizeof(*memory), sizeof(*memory), MPI_INFO_NULL,
			 MPI_COMM_WORLD, &memory, &win);
	*memory = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		hear_from_all(2);
	} else {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
		MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM,
			       win);
		MPI_Win_unlock(0, win);
		MPI_Send(&one, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d: %d came\n", rank, *memory);
	MPI_Win_free(&win);
}

/*
 * Rank 1 is in a call of MPI's own when a receive of its gets a message.  Rank
 * 0 goes on as soon as rank 1 has a receive for the next message.
 */
static void in_a_call(void)
{
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Comm made;
	int in[2] = { 0, 0 };

	if (rank == 0) {
		MPI_Send(&size, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
		MPI_Issend(&size, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Recv(&in[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Irecv(&in[1], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
	}
	MPI_Comm_dup(MPI_COMM_WORLD, &made);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&made);
	printf("%d: received %d %d\n", rank, in[0], in[1]);
}

/* A message outlives its communicator, whose handle another of one gets. */
static void freed(void)
{
	const int left = (rank + size - 1) % size;
	const int right = (rank + 1) % size;
	MPI_Request requests[2];
	MPI_Status statuses[2];
	MPI_Comm comm;
	int in = -1;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Irecv(&in, 1, MPI_INT, right, 5, comm, &requests[0]);
	MPI_Isend(&rank, 1, MPI_INT, left, 5, comm, &requests[1]);
	MPI_Comm_free(&comm);
	MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm);
	MPI_Waitall(2, requests, statuses);
	MPI_Comm_free(&comm);
	printf("%d: %d of %d\n", rank, in, statuses[0].MPI_SOURCE);
}

/* A message of two for `in`, which takes one. */
static MPI_Request too_long(int *in, MPI_Comm comm)
{
	const int two[2] = { 1, 2 };
	MPI_Request receive;
	MPI_Request send;

	MPI_Irecv(in, 1, MPI_INT, rank, 6, comm, &receive);
	MPI_Isend(two, 2, MPI_INT, rank, 6, comm, &send);
	MPI_Wait(&send, MPI_STATUS_IGNORE);
	return receive;
}

static int class_of(int error)
{
	int class;

	MPI_Error_class(error, &class);
	return class;
}

/* One of two requests fails; the other is MPI's own. */
static void one_fails(void)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];
	int errors[2] = { -1, -1 };
	int indices[2];
	int in[2];
	int n;
	int rc;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	requests[0] = too_long(&in[0], MPI_COMM_WORLD);
	MPI_Irecv(&in[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
		  &requests[1]);
	for (;;) {
		rc = MPI_Waitsome(2, requests, &n, indices, statuses);
		if (n == MPI_UNDEFINED)
			break;
		for (int i = 0; i < n; i++)
			errors[indices[i]] =
				rc == MPI_SUCCESS
					? MPI_SUCCESS
					: class_of(statuses[i].MPI_ERROR);
	}
	printf("%d: errors %d %d\n", rank, errors[0], errors[1]);
	MPI_Irecv(&in[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
		  &requests[1]);
	requests[0] = MPI_REQUEST_NULL;
	statuses[0].MPI_ERROR = -7;
	MPI_Waitany(2, requests, &n, statuses);
	printf("%d: error as before: %d\n", rank, statuses[0].MPI_ERROR);
}

static void other_handler(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	printf("%d: %d is told to another\n", rank, class_of(*code));
}

/* Its communicator is gone, and another has its handle. */
static void freed_fails(void)
{
	MPI_Errhandler handler;
	MPI_Request request;
	MPI_Comm comm;
	MPI_Comm other;
	int in;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	request = too_long(&in, comm);
	MPI_Comm_free(&comm);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	MPI_Comm_create_errhandler(other_handler, &handler);
	MPI_Comm_set_errhandler(other, handler);
	printf("%d: error %d\n", rank,
	       class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)));
	MPI_Errhandler_free(&handler);
	MPI_Comm_free(&other);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 20; i++) {
		collective();
		one_sided();
		in_a_call();
	}
	freed();
	one_fails();
	freed_fails();
	MPI_Finalize();
	return 0;
}
