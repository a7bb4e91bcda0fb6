/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Buffers of MPI_Bsend as MPI 4.1 has them: one that MPI makes itself, one of a
 * communicator, and waiting until they are empty.  For two processes.  Exit
 * status 77: this MPI has no such functions.
 */
#include <mpi.h>
#include <stdio.h>

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)

#define LONG 60000 /* more than MPICH sends without its receive */

static int rank;
static int peer;
static char room[LONG + 1000]; /* for one of them */
static char out[LONG];
static char in[LONG];

static int class_of(int error)
{
	int class;

	MPI_Error_class(error, &class);
	return class;
}

#define SAYS(CALL) printf("%d: %s: class %d\n", rank, #CALL, class_of(CALL))

static int bsend(int to, MPI_Comm comm)
{
	return MPI_Bsend(out, LONG, MPI_CHAR, to, 1, comm);
}

static int receive(int from, MPI_Comm comm)
{
	return MPI_Recv(in, LONG, MPI_CHAR, from, 1, comm, MPI_STATUS_IGNORE);
}

static void automatic(void)
{
	void *at;
	int bytes;

	SAYS(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
	for (int i = 0; i < 3; i++)
		SAYS(bsend(peer, MPI_COMM_WORLD));
	for (int i = 0; i < 3; i++)
		SAYS(receive(peer, MPI_COMM_WORLD));
	SAYS(MPI_Buffer_detach(&at, &bytes));
	printf("%d: automatic: %d, %d\n", rank, at == MPI_BUFFER_AUTOMATIC,
	       bytes);
	SAYS(bsend(peer, MPI_COMM_WORLD));
}

/* A flush is not done before the other side receives. */
static void flushed(MPI_Comm comm, int start(MPI_Comm comm, MPI_Request *r))
{
	MPI_Request request;
	int flag = -1;

	SAYS(bsend(peer, comm));
	SAYS(start(comm, &request));
	MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	printf("%d: flushed before the receive: %d\n", rank, flag);
	MPI_Barrier(MPI_COMM_WORLD);
	SAYS(receive(peer, comm));
	SAYS(MPI_Wait(&request, MPI_STATUS_IGNORE));
	printf("%d: %d\n", rank, request == MPI_REQUEST_NULL);
	SAYS(bsend(peer, comm));
	SAYS(receive(peer, comm));
}

static int of_all(MPI_Comm comm, MPI_Request *request)
{
	(void)comm;
	return MPI_Buffer_iflush(request);
}

static void of_process(void)
{
	void *at;
	int bytes;

	SAYS(MPI_Buffer_attach(room, sizeof(room)));
	flushed(MPI_COMM_WORLD, of_all);
	SAYS(MPI_Buffer_flush());
	SAYS(MPI_Buffer_detach(&at, &bytes));
	printf("%d: detached %d, %d\n", rank, at == room, bytes);
}

/* Sends on others have no room in it. */
static void of_comm(void)
{
	MPI_Comm comm;
	MPI_Request request;
	void *at;
	int bytes;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	SAYS(MPI_Comm_attach_buffer(comm, room, sizeof(room)));
	SAYS(MPI_Comm_attach_buffer(comm, room, sizeof(room)));
	SAYS(bsend(peer, MPI_COMM_WORLD));
	flushed(comm, MPI_Comm_iflush_buffer);
	SAYS(MPI_Comm_flush_buffer(comm));
	SAYS(MPI_Bsend_init(out, LONG, MPI_CHAR, peer, 1, comm, &request));
	SAYS(MPI_Start(&request));
	SAYS(MPI_Wait(&request, MPI_STATUS_IGNORE));
	SAYS(receive(peer, comm));
	SAYS(MPI_Request_free(&request));
	SAYS(MPI_Comm_detach_buffer(comm, &at, &bytes));
	printf("%d: detached %d, %d\n", rank, at == room, bytes);
	SAYS(bsend(peer, comm));
	SAYS(MPI_Comm_detach_buffer(comm, &at, &bytes));
	MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	peer = 1 - rank;
	automatic();
	of_process();
	of_comm();
	MPI_Finalize();
	return 0;
}

#else

int main(void)
{
	printf("no MPI_Buffer_flush here\n");
	return 77;
}

#endif
