/* SPDX-License-Identifier: BSD-3-Clause */

/* Datatypes that differ, and ends of a program that are none. */
#include <signal.h>

#include "faulty.h"

static MPI_Request one;

static void type_recv(void)
{
	/* ! sent */
	SEND(after, 0);
	/* ! type-mismatch */
	MPI_Recv(y, 1, MPI_FLOAT, before, 0, comm, NOTHING);
}

static void type_unsigned(void)
{
	/* ! sent */
	MPI_Send(x, 1, MPI_UNSIGNED, after, 0, comm);
	/* ! type-mismatch */
	RECV(before, 0);
}

static void type_wider(void)
{
	/* ! sent */
	MPI_Send(x, 4, MPI_INT, after, 0, comm);
	/* ! type-mismatch */
	MPI_Recv(y, 4, MPI_DOUBLE, before, 0, comm, NOTHING);
}

static void type_large(void)
{
	if (rank == 0)
		/* ! sent */
		MPI_Send(x, MANY, MPI_INT, 1, 0, comm);
	if (rank == 1)
		/* ! type-mismatch */
		MPI_Recv(y, MANY, MPI_FLOAT, 0, 0, comm, NOTHING);
}

static void type_ssend(void)
{
	if (rank == 0)
		/* ! sent */
		SSEND(1, 0);
	if (rank == 1)
		/* ! type-mismatch */
		MPI_Recv(y, 1, MPI_FLOAT, 0, 0, comm, NOTHING);
}

static void type_irecv(void)
{
	/* ! type-mismatch */
	MPI_Irecv(y, 2, MPI_DOUBLE, before, 0, comm, &one);
	/* ! sent */
	MPI_Send(x, 2, MPI_LONG, after, 0, comm);
	WAIT(&one);
}

static void type_start(void)
{
	MPI_Recv_init(y, 1, MPI_DOUBLE, before, 0, comm, &one);
	/* ! type-mismatch */
	MPI_Start(&one);
	/* ! sent */
	SEND(after, 0);
	WAIT(&one);
	MPI_Request_free(&one);
}

static void type_exchange(void)
{
	/* ! type-mismatch */
	MPI_Sendrecv(x, 1, MPI_INT, after, 0, y, 1, MPI_FLOAT, before, 0, comm,
		     NOTHING);
}

static void type_mrecv(void)
{
	MPI_Message message;

	/* ! sent */
	SEND(after, 0);
	MPI_Mprobe(before, 0, comm, &message, NOTHING);
	/* ! type-mismatch */
	MPI_Mrecv(y, 1, MPI_FLOAT, &message, NOTHING);
}

static void type_gather(void)
{
	/* ! type-mismatch */
	MPI_Gather(x, 1, MPI_INT, y, 4, MPI_CHAR, 0, comm);
}

static void type_scatter(void)
{
	/* ! type-mismatch */
	MPI_Scatter(x, 2, MPI_INT, y, 1, MPI_DOUBLE, 0, comm);
}

static void type_allgather(void)
{
	/* ! type-mismatch */
	MPI_Allgather(x, 1, MPI_INT, y, 1, MPI_UNSIGNED, comm);
}

static void type_ialltoall(void)
{
	/* ! type-mismatch */
	MPI_Ialltoall(x, 1, MPI_INT, y, 1, MPI_FLOAT, comm, &one);
	WAIT(&one);
}

static void op_reduce(void)
{
	/* ! operation-type */
	MPI_Reduce(x, y, 1, MPI_FLOAT, MPI_LXOR, 0, comm);
}

static void op_iallreduce(void)
{
	/* ! operation-type */
	MPI_Iallreduce(x, y, 2, MPI_DOUBLE, MPI_LAND, comm, &one);
	WAIT(&one);
}

static void freed_irecv(void)
{
	/* ! receive-freed */
	IRECV(before, 0, &one);
	MPI_Request_free(&one);
	SEND(after, 0);
	BARRIER();
}

static void freed_start(void)
{
	MPI_Recv_init(y, 1, MPI_INT, before, 0, comm, &one);
	/* ! receive-freed */
	MPI_Start(&one);
	SEND(after, 0);
	MPI_Request_free(&one);
	BARRIER();
}

static void ends_by_signal(void)
{
	if (rank == 1)
		/* ! crash */
		raise(SIGSEGV);
	BARRIER();
}

static void count_of_memory(void)
{
	MPI_Sendrecv(x, 1, MPI_INT, after, 0, y, 1, MPI_INT, before, 0, comm,
		     NOTHING);
	/* ! crash */
	MPI_Bcast((void *)16, 1000, MPI_INT, 0, comm);
}

static void ends_early(void)
{
	/* ! not-finalized */
	exit(0);
}

static void ends_in_part(void)
{
	if (rank == 1)
		/* ! not-finalized */
		exit(0);
	usleep(200000);
	exit(0);
}

const struct faulty faulty_types[] = {
	CASE(type_recv, 2),       CASE(type_unsigned, 3),
	CASE(type_wider, 2),      CASE(type_large, 2),
	CASE(type_ssend, 2),      CASE(type_irecv, 2),
	CASE(type_start, 2),      CASE(type_exchange, 4),
	CASE(type_mrecv, 2),      CASE(type_gather, 2),
	CASE(type_scatter, 2),    CASE(type_allgather, 3),
	CASE(type_ialltoall, 2),  CASE(ends_early, 2),
	CASE(ends_in_part, 2),    CASE(freed_irecv, 2),
	CASE(freed_start, 3),     CASE(ends_by_signal, 2),
	CASE(count_of_memory, 2), CASE(op_reduce, 2),
	CASE(op_iallreduce, 3),   { 0 },
};
