/* SPDX-License-Identifier: BSD-3-Clause */

/* Requests and messages that are left at the program's end. */
#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];

static void left_irecv(void)
{
	/* ! receive-not-matched */
	IRECV(after, 8, &one);
}

static void left_irecv_any(void)
{
	/* ! receive-not-matched */
	IRECV(MPI_ANY_SOURCE, MPI_ANY_TAG, &one);
}

static void left_start(void)
{
	/* ! request-not-freed */
	MPI_Recv_init(y, 1, MPI_INT, other, 3, comm, &one);
	/* ! receive-not-matched */
	MPI_Start(&one);
}

static void left_unstarted(void)
{
	MPI_Recv_init(y, 1, MPI_INT, before, 3, comm, &one);
	SEND(rank, 3);
	/* ! request-not-started */
	WAIT(&one);
	RECV(rank, 3);
	MPI_Request_free(&one);
}

static void left_unstarted_all(void)
{
	MPI_Send_init(x, 1, MPI_INT, after, 3, comm, &two[0]);
	MPI_Recv_init(y, 1, MPI_INT, before, 3, comm, &two[1]);
	MPI_Start(&two[0]);
	/* ! request-not-started */
	MPI_Waitall(2, two, NOTHINGS);
	RECV(before, 3);
	MPI_Request_free(&two[0]);
	MPI_Request_free(&two[1]);
}

static void left_done(void)
{
	/* ! request-not-completed */
	IRECV(before, 3, &one);
	SEND(after, 3);
	BARRIER();
}

static void left_overwritten(void)
{
	for (int i = 0; i < 2; i++)
		/* ! request-not-completed */
		IRECV(before, i, &one);
	SEND(after, 0);
	SEND(after, 1);
	WAIT(&one);
}

static void left_one_of_two(void)
{
	IRECV(before, 0, &two[0]);
	/* ! request-not-completed */
	MPI_Irecv(z, 1, MPI_INT, before, 1, comm, &two[1]);
	SEND(after, 0);
	SEND(after, 1);
	MPI_Waitall(1, two, NOTHINGS);
}

static void left_isend(void)
{
	/* ! request-not-completed */
	MPI_Isend(x, MANY, MPI_INT, after, 0, comm, &one);
	MPI_Recv(y, MANY, MPI_INT, before, 0, comm, NOTHING);
}

static void left_issend(void)
{
	/* ! request-not-completed */
	MPI_Issend(x, 1, MPI_INT, after, 0, comm, &one);
	RECV(before, 0);
}

static void left_ibarrier(void)
{
	/* ! request-not-completed */
	MPI_Ibarrier(comm, &one);
}

static void left_ibcast(void)
{
	/* ! request-not-completed */
	MPI_Ibcast(x, 1, MPI_INT, 0, comm, &one);
	MPI_Ibcast(x, 1, MPI_INT, 0, comm, &one);
	WAIT(&one);
}

static void left_iallreduce(void)
{
	/* ! request-not-completed */
	MPI_Iallreduce(x, y, SOME, MPI_INT, MPI_SUM, comm, &one);
	BARRIER();
}

static void left_send(void)
{
	/* ! message-not-received */
	SEND(after, 7);
}

static void left_isend_wait(void)
{
	/* ! message-not-received */
	ISEND(other, 7, &one);
	WAIT(&one);
}

static void left_bsend(void)
{
	static char room[1000];
	void *address;
	int bytes;

	MPI_Buffer_attach(room, sizeof(room));
	/* ! message-not-received */
	MPI_Bsend(x, 1, MPI_INT, other, 7, comm);
	MPI_Buffer_detach(&address, &bytes);
}

static void left_mprobe(void)
{
	MPI_Message message;

	SEND(after, 7);
	/* ! message-not-received */
	MPI_Mprobe(before, 7, comm, &message, NOTHING);
}

static void left_send_init(void)
{
	/* ! request-not-freed */
	MPI_Send_init(x, 1, MPI_INT, other, 7, comm, &one);
}

static void left_barrier_init(void)
{
	/* ! request-not-freed */
	MPI_Barrier_init(comm, MPI_INFO_NULL, &one);
	MPI_Start(&one);
	WAIT(&one);
}

static void left_comm_create(void)
{
	MPI_Group group;
	MPI_Comm made;

	MPI_Comm_group(comm, &group);
	/* ! communicator-not-freed */
	MPI_Comm_create(comm, group, &made);
	MPI_Group_free(&group);
}

static void left_idup(void)
{
	MPI_Comm dup;

	/* ! communicator-not-freed */
	MPI_Comm_idup(comm, &dup, &one);
	WAIT(&one);
}

static void left_cart(void)
{
	MPI_Comm cart;

	/* ! communicator-not-freed */
	MPI_Cart_create(comm, 1, &size, &(int){ 1 }, 0, &cart);
}

static void left_type(void)
{
	MPI_Datatype inner;
	MPI_Datatype outer;

	MPI_Type_contiguous(2, MPI_INT, &inner);
	/* ! datatype-not-freed */
	MPI_Type_dup(inner, &outer);
	MPI_Type_free(&inner);
}

static void left_group(void)
{
	MPI_Group all;
	MPI_Group part;

	MPI_Comm_group(comm, &all);
	/* ! group-not-freed */
	MPI_Group_incl(all, 1, &(int){ 0 }, &part);
	MPI_Group_free(&all);
}

static void left_win(void)
{
	MPI_Win win;
	void *memory;

	/* ! window-not-freed */
	MPI_Win_allocate(8, 1, MPI_INFO_NULL, comm, &memory, &win);
}

static void left_info(void)
{
	MPI_Info info;

	/* ! info-not-freed */
	MPI_Comm_get_info(comm, &info);
}

const struct faulty faulty_left[] = {
	CASE(left_irecv, 2),
	CASE(left_irecv_any, 2),
	CASE(left_start, 2),
	CASE(left_unstarted, 2),
	CASE(left_unstarted_all, 2),
	CASE(left_done, 3),
	CASE(left_overwritten, 2),
	CASE(left_one_of_two, 2),
	CASE(left_isend, 3),
	CASE(left_issend, 2),
	CASE(left_ibarrier, 4),
	CASE(left_ibcast, 2),
	CASE(left_iallreduce, 2),
	CASE(left_send, 2),
	CASE(left_isend_wait, 2),
	CASE(left_bsend, 2),
	CASE(left_mprobe, 2),
	CASE(left_send_init, 2),
	CASE(left_barrier_init, 2),
	CASE(left_comm_create, 3),
	CASE(left_idup, 2),
	CASE(left_cart, 4),
	CASE(left_type, 2),
	CASE(left_group, 2),
	CASE(left_win, 2),
	CASE(left_info, 2),
	{ 0 },
};
