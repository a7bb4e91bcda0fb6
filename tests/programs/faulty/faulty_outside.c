/* SPDX-License-Identifier: BSD-3-Clause */

/* Calls before MPI_Init and after MPI_Finalize. */
#include "faulty.h"

static MPI_Request one;

static void early_send(void)
{
	/* ! call-outside */
	MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void early_rank(void)
{
	int flag;

	MPI_Initialized(&flag);
	/* ! call-outside */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void late_send(void)
{
	MPI_Finalize();
	/* ! call-outside */
	MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void late_wait(void)
{
	MPI_Irecv(y, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &one);
	WAIT(&one);
	MPI_Finalize();
	/* ! call-outside */
	MPI_Wait(&one, NOTHING);
}

static void late_questions(void)
{
	int flag;

	MPI_Finalize();
	MPI_Initialized(&flag);
	MPI_Finalized(&flag);
	exit(flag ? 0 : 1);
}

const struct faulty faulty_early[] = {
	CASE(early_send, 2),
	CASE(early_rank, 2),
	{ 0 },
};

const struct faulty faulty_late[] = {
	CASE(late_send, 2),
	CASE(late_wait, 2),
	CASE(late_questions, 2),
	{ 0 },
};
