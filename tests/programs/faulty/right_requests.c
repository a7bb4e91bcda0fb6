/* SPDX-License-Identifier: BSD-3-Clause */

/* Requests that look forgotten or mixed up, and are right. */
#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];
static int flag;
static int index_of;

static void polls_long(void)
{
	if (rank == 0) {
		IRECV(1, 0, &one);
		for (flag = 0; !flag; usleep(1000))
			MPI_Test(&one, &flag, NOTHING);
	} else if (rank == 1) {
		usleep(300000);
		SEND(0, 0);
	}
}

static void probes_long(void)
{
	if (rank == 0) {
		for (flag = 0; !flag; usleep(1000))
			MPI_Iprobe(1, 0, comm, &flag, NOTHING);
		RECV(1, 0);
	} else if (rank == 1) {
		usleep(300000);
		SEND(0, 0);
	}
}

static void send_self(void)
{
	IRECV(rank, 0, &one);
	SSEND(rank, 0);
	WAIT(&one);
}

static void cancelled(void)
{
	IRECV(after, 77, &one);
	MPI_Cancel(&one);
	WAIT(&one);
}

static void freed_active(void)
{
	MPI_Isend(z, 1, MPI_INT, after, 0, comm, &one);
	MPI_Request_free(&one);
	RECV(before, 0);
	BARRIER();
}

static void waits_null(void)
{
	one = MPI_REQUEST_NULL;
	WAIT(&one);
	two[0] = two[1] = MPI_REQUEST_NULL;
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Waitany(2, two, &index_of, NOTHING);
	MPI_Testall(2, two, &flag, NOTHINGS);
}

static void waits_inactive(void)
{
	MPI_Recv_init(y, 1, MPI_INT, before, 0, comm, &two[0]);
	MPI_Send_init(x, 1, MPI_INT, after, 0, comm, &two[1]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, two);
		MPI_Waitany(2, two, &index_of, NOTHING);
		MPI_Waitall(2, two, NOTHINGS);
	}
	for (int i = 0; i < 2; i++)
		MPI_Request_free(&two[i]);
}

static void started_never(void)
{
	MPI_Recv_init(y, 1, MPI_INT, before, 0, comm, &one);
	MPI_Request_free(&one);
}

static void tests_until_done(void)
{
	ISEND(after, 0, &two[0]);
	IRECV(before, 0, &two[1]);
	for (flag = 0; !flag;)
		MPI_Testall(2, two, &flag, NOTHINGS);
}

static void asks_status(void)
{
	IRECV(before, 0, &one);
	SEND(after, 0);
	for (flag = 0; !flag;)
		MPI_Request_get_status(one, &flag, NOTHING);
	WAIT(&one);
}

static void waitsome_all(void)
{
	int indices[2];

	ISEND(after, 0, &two[0]);
	IRECV(before, 0, &two[1]);
	for (int left = 2; left > 0; left -= index_of)
		MPI_Waitsome(2, two, &index_of, indices, NOTHINGS);
}

static void asks_length(void)
{
	MPI_Status status;
	int n;

	MPI_Isend(x, 10 + rank, MPI_INT, after, 0, comm, &one);
	MPI_Probe(before, 0, comm, &status);
	MPI_Get_count(&status, MPI_INT, &n);
	MPI_Recv(y, n, MPI_INT, before, 0, comm, &status);
	WAIT(&one);
}

static void mprobe_mrecv(void)
{
	MPI_Message message;

	SEND(after, 4);
	MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, NOTHING);
	MPI_Mrecv(y, 1, MPI_INT, &message, NOTHING);
}

static void improbe_imrecv(void)
{
	MPI_Message message;

	SEND(after, 4);
	for (flag = 0; !flag;)
		MPI_Improbe(before, 4, comm, &flag, &message, NOTHING);
	MPI_Imrecv(y, 1, MPI_INT, &message, &one);
	WAIT(&one);
}

static void type_freed_early(void)
{
	MPI_Datatype column;

	MPI_Type_vector(4, 1, 3, MPI_INT, &column);
	MPI_Type_commit(&column);
	MPI_Irecv(y, 1, column, before, 0, comm, &one);
	MPI_Type_free(&column);
	MPI_Send(x, 4, MPI_INT, after, 0, comm);
	WAIT(&one);
}

static void side_by_side(void)
{
	MPI_Irecv(y, 4, MPI_INT, before, 0, comm, &two[0]);
	MPI_Irecv(y + 4, 4, MPI_INT, before, 1, comm, &two[1]);
	MPI_Send(x, 4, MPI_INT, after, 1, comm);
	MPI_Send(x, 4, MPI_INT, after, 0, comm);
	MPI_Waitall(2, two, NOTHINGS);
}

static void sink(void)
{
	IRECV(before, 0, &two[0]);
	IRECV(before, 1, &two[1]);
	SEND(after, 0);
	SEND(after, 1);
	MPI_Waitall(2, two, NOTHINGS);
}

static void interleaved(void)
{
	MPI_Datatype every;

	MPI_Type_vector(4, 1, 2, MPI_INT, &every);
	MPI_Type_commit(&every);
	MPI_Irecv(y, 1, every, before, 0, comm, &two[0]);
	MPI_Irecv(y + 1, 1, every, before, 1, comm, &two[1]);
	MPI_Send(x, 1, every, after, 0, comm);
	MPI_Send(x, 1, every, after, 1, comm);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&every);
}

static void same_send_twice(void)
{
	for (int i = 0; i < 2; i++)
		MPI_Isend(x, MANY, MPI_INT, other, i, comm, &two[i]);
	MPI_Recv(y, MANY, MPI_INT, other, 0, comm, NOTHING);
	MPI_Recv(z, MANY, MPI_INT, other, 1, comm, NOTHING);
	MPI_Waitall(2, two, NOTHINGS);
}

const struct faulty right_requests[] = {
	CASE(polls_long, 2),
	CASE(probes_long, 2),
	CASE(send_self, 2),
	CASE(cancelled, 2),
	CASE(freed_active, 2),
	CASE(waits_null, 2),
	CASE(waits_inactive, 2),
	CASE(started_never, 2),
	CASE(tests_until_done, 2),
	CASE(asks_status, 2),
	CASE(waitsome_all, 2),
	CASE(asks_length, 2),
	CASE(mprobe_mrecv, 2),
	CASE(improbe_imrecv, 2),
	CASE(type_freed_early, 2),
	CASE(side_by_side, 2),
	CASE(sink, 2),
	CASE(interleaved, 2),
	CASE(same_send_twice, 2),
	{ 0 },
};
