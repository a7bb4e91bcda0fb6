/* SPDX-License-Identifier: BSD-3-Clause */

/* Prints the class of the error that MPI makes of calls it cannot serve. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

static int rank;

static void says(const char *call, int rc)
{
	int error = MPI_SUCCESS;

	MPI_Error_class(rc, &error);
	printf("%d %s: %d\n", rank, call, error);
}
#define SAYS(call) says(#call, call)

static void handles(void)
{
	MPI_Status status;
	MPI_Win win;
	int flag;
	int x = 0;

	SAYS(MPI_Comm_free(NULL));
	SAYS(MPI_Comm_disconnect(NULL));
	SAYS(MPI_Win_free(NULL));
	SAYS(MPI_Comm_dup(MPI_COMM_WORLD, NULL));
	SAYS(MPI_Comm_dup(MPI_COMM_NULL, (MPI_Comm *)&x));
	SAYS(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, NULL));
	SAYS(MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_NULL, &x, &win));
	SAYS(MPI_Mrecv(&x, 1, MPI_INT, NULL, &status));
	SAYS(MPI_Imrecv(&x, 1, MPI_INT, NULL, (MPI_Request *)&x));
	SAYS(MPI_Iprobe(0, 0, MPI_COMM_WORLD, NULL, &status));
	SAYS(MPI_Test(NULL, &flag, &status));
}

static void requests(void)
{
	MPI_Request null = MPI_REQUEST_NULL;
	MPI_Status status;
	int flag;
	int x = 0;

	SAYS(MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, NULL));
	SAYS(MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, NULL));
	SAYS(MPI_Send_init(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, NULL));
	SAYS(MPI_Wait(NULL, &status));
	SAYS(MPI_Wait(&null, &status));
	SAYS(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE));
	SAYS(MPI_Waitany(1, &null, NULL, &status));
	SAYS(MPI_Testall(1, &null, NULL, MPI_STATUSES_IGNORE));
	SAYS(MPI_Testall(-1, &null, &flag, MPI_STATUSES_IGNORE));
	SAYS(MPI_Request_free(NULL));
	SAYS(MPI_Request_free(&null));
	SAYS(MPI_Cancel(NULL));
	SAYS(MPI_Cancel(&null));
	SAYS(MPI_Start(NULL));
	SAYS(MPI_Start(&null));
	SAYS(MPI_Startall(1, NULL));
}

static void messages(void)
{
	const int other = rank ^ 1;
	MPI_Status status;
	int x[2] = { 0, 0 };
	int n = -1;

	SAYS(MPI_Send(x, -1, MPI_INT, other, 0, MPI_COMM_WORLD));
	SAYS(MPI_Send(NULL, 1, MPI_INT, other, 0, MPI_COMM_WORLD));
	SAYS(MPI_Send(x, 1, MPI_DATATYPE_NULL, other, 0, MPI_COMM_WORLD));
	SAYS(MPI_Send(x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD));
	SAYS(MPI_Send(x, 1, MPI_INT, other, -7, MPI_COMM_WORLD));
	SAYS(MPI_Send(x, 1, MPI_INT, other, 0, MPI_COMM_NULL));
	SAYS(MPI_Recv(x, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &status));
	SAYS(MPI_Recv(x, 1, MPI_INT, other, -7, MPI_COMM_WORLD, &status));
	SAYS(MPI_Probe(99, 0, MPI_COMM_WORLD, &status));
	SAYS(MPI_Bsend(x, 1, MPI_INT, other, 0, MPI_COMM_WORLD));
	SAYS(MPI_Sendrecv(x, 1, MPI_INT, 99, 0, x, 1, MPI_INT, other, 0,
			  MPI_COMM_WORLD, &status));

	/* Longer than its buffer. */
	SAYS(MPI_Sendrecv(x, 2, MPI_INT, other, 1, x + 1, 1, MPI_INT, other, 1,
			  MPI_COMM_WORLD, &status));
	MPI_Get_count(&status, MPI_INT, &n);
	printf("%d from %d, tag %d\n", rank, status.MPI_SOURCE, status.MPI_TAG);
}

static int n_handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	n_handled++;
}

/* A handler of the program's own hears of each error once. */
static void handlers(void)
{
	const int other = rank ^ 1;
	MPI_Datatype vector;
	MPI_Errhandler handler;
	MPI_Message message;
	MPI_Request request;
	MPI_Status status;
	MPI_Comm comm;
	int x[4] = { 0 };

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_create_errhandler(handle, &handler);
	MPI_Comm_set_errhandler(comm, handler);
	MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
	SAYS(MPI_Send(x, 1, vector, other, 3, comm));
	SAYS(MPI_Recv(x, 1, vector, other, 3, comm, &status));
	SAYS(MPI_Irecv(x, 1, vector, other, 3, comm, &request));
	SAYS(MPI_Send(x, -1, MPI_INT, other, 3, comm));
	SAYS(MPI_Sendrecv(x, 2, MPI_INT, other, 4, x + 2, 1, MPI_INT, other, 4,
			  comm, &status));
	MPI_Send(x, 1, MPI_INT, other, 5, comm);
	MPI_Mprobe(other, 5, comm, &message, &status);
	SAYS(MPI_Mrecv(x, -1, MPI_INT, &message, &status));
	SAYS(MPI_Mrecv(x, 1, MPI_INT, &message, &status));
	printf("%d handled %d\n", rank, n_handled);
	MPI_Errhandler_free(&handler);
	MPI_Type_free(&vector);
	MPI_Comm_free(&comm);
}

/* A communicator may be freed while messages on it are under way. */
static void freed(void)
{
	const int other = rank ^ 1;
	MPI_Datatype vector;
	MPI_Request request;
	MPI_Status status;
	MPI_Comm comm;
	int out[3] = { 1, 2, 3 };
	int in[3] = { 0 };

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
	MPI_Type_commit(&vector);
	MPI_Irecv(in, 1, vector, other, 6, comm, &request);
	MPI_Send(out, 1, vector, other, 6, comm);
	MPI_Comm_free(&comm);
	MPI_Type_free(&vector);
	SAYS(MPI_Wait(&request, &status));
	printf("%d got %d %d %d\n", rank, in[0], in[1], in[2]);
}

/* The send and the receive buffer lie in the same place. */
static void aliased(void)
{
	const MPI_Comm world = MPI_COMM_WORLD;
	const int twos[2] = { 2, 2 };
	const int at[2] = { 0, 2 };
	int x[4] = { 1, 2, 3, 4 };
	int *own = x + (ptrdiff_t)2 * rank;

	SAYS(MPI_Allreduce(x, x, 4, MPI_INT, MPI_SUM, world));
	SAYS(MPI_Allreduce(x, x, 0, MPI_INT, MPI_SUM, world));
	SAYS(MPI_Reduce_scatter_block(x, x, 2, MPI_INT, MPI_SUM, world));
	SAYS(MPI_Reduce_scatter(x, x, twos, MPI_INT, MPI_SUM, world));
	SAYS(MPI_Scan(x, x, 4, MPI_INT, MPI_SUM, world));
	SAYS(MPI_Allgather(own, 2, MPI_INT, x, 2, MPI_INT, world));
	SAYS(MPI_Allgatherv(own, 2, MPI_INT, x, twos, at, MPI_INT, world));
	SAYS(MPI_Alltoall(x, 2, MPI_INT, x, 2, MPI_INT, world));
	SAYS(MPI_Alltoallv(x, twos, at, MPI_INT, x, twos, at, MPI_INT, world));
	if (rank != 0)
		return;
	SAYS(MPI_Reduce(x, x, 4, MPI_INT, MPI_SUM, 0, world));
	SAYS(MPI_Gather(x, 2, MPI_INT, x, 2, MPI_INT, 0, world));
	SAYS(MPI_Gatherv(x, 2, MPI_INT, x, twos, at, MPI_INT, 0, world));
	SAYS(MPI_Scatter(x, 2, MPI_INT, x, 2, MPI_INT, 0, world));
	SAYS(MPI_Scatterv(x, twos, at, MPI_INT, x, 2, MPI_INT, 0, world));
}

/* The calls differ a little from a good one that came before. */
static void almost(void)
{
	const MPI_Comm world = MPI_COMM_WORLD;
	const int less[2] = { -1, 0 };
	const int at[2] = { 0, 0 };
	int a[4] = { 1, 2, 3, 4 };
	int b[4] = { 0 };

	SAYS(MPI_Allreduce(a, b, 2, MPI_INT, MPI_BAND, world));
	SAYS(MPI_Allreduce(a, a, 2, MPI_INT, MPI_BAND, world));
	SAYS(MPI_Allreduce(NULL, b, 2, MPI_INT, MPI_BAND, world));
	SAYS(MPI_Allreduce(a, NULL, 2, MPI_INT, MPI_BAND, world));
	SAYS(MPI_Allreduce(a, MPI_IN_PLACE, 2, MPI_INT, MPI_BAND, world));
	SAYS(MPI_Allreduce(a, b, 2, MPI_FLOAT, MPI_BAND, world));
#if MPICH_NUMVERSION < 50000000 /* 5.0 ends with a failed assertion */
	SAYS(MPI_Allreduce(a, b, 2, MPI_DATATYPE_NULL, MPI_BAND, world));
#endif
	SAYS(MPI_Allreduce(a, b, 2, MPI_INT, MPI_OP_NULL, world));
	SAYS(MPI_Allreduce(MPI_IN_PLACE, b, 2, MPI_INT, MPI_BAND, world));

	SAYS(MPI_Bcast(b, 2, MPI_INT, 1, world));
	SAYS(MPI_Bcast(b, 2, MPI_INT, 2, world));
	SAYS(MPI_Bcast(b, 2, MPI_INT, -1, world));
	SAYS(MPI_Bcast(NULL, 2, MPI_INT, 1, world));
	SAYS(MPI_Bcast(b, -2, MPI_INT, 1, world));
	SAYS(MPI_Bcast(b, 2, MPI_DATATYPE_NULL, 1, world));

	SAYS(MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_INT, world));
	SAYS(MPI_Allgather(b + rank, 1, MPI_INT, b, 1, MPI_INT, world));
	SAYS(MPI_Allgather(NULL, 1, MPI_INT, b, 1, MPI_INT, world));
	SAYS(MPI_Allgather(a, 1, MPI_INT, NULL, 1, MPI_INT, world));
	SAYS(MPI_Allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, world));
	SAYS(MPI_Allgather(a, -1, MPI_INT, b, 1, MPI_INT, world));
	SAYS(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, world));
	SAYS(MPI_Allgather(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, world));
	printf("%d has %d %d\n", rank, b[0], b[1]);
	SAYS(MPI_Allgather(a, 0, MPI_INT, b, 0, MPI_INT, world));
	SAYS(MPI_Allgatherv(a, 0, MPI_INT, b, less, at, MPI_INT, world));
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);

	handles();
	requests();
	messages();
	handlers();
	freed();
	aliased();
	almost();

	MPI_Finalize();
	return 0;
}
