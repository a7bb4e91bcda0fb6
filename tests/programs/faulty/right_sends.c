/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Nonblocking sends and receives whose buffers seem to be changed too early,
 * or to overlap.
 */
#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];
static int flag;

static MPI_Datatype every_second(void)
{
	MPI_Datatype type;

	MPI_Type_vector(SOME, 1, 2, MPI_INT, &type);
	MPI_Type_commit(&type);
	return type;
}

/* The gaps between the elements are not sent. */
static void gaps_change(void)
{
	MPI_Datatype type = every_second();

	MPI_Isend(x, 1, type, after, 0, comm, &one);
	for (int i = 1; i < 2 * SOME; i += 2)
		x[i]++;
	MPI_Recv(y, 1, type, before, 0, comm, NOTHING);
	WAIT(&one);
	MPI_Type_free(&type);
}

static void padding_changes(void)
{
	static struct {
		char kind;
		char unused[7];
		double value;
	} part[SOME];
	const int lengths[] = { 1, 1 };
	const MPI_Aint at[] = { 0, 8 };
	const MPI_Datatype of[] = { MPI_CHAR, MPI_DOUBLE };
	MPI_Datatype type;

	MPI_Type_create_struct(2, lengths, at, of, &type);
	MPI_Type_commit(&type);
	MPI_Isend(part, SOME, type, after, 0, comm, &one);
	for (int i = 0; i < SOME; i++)
		part[i].unused[3] = 1;
	MPI_Recv(y, SOME, type, before, 0, comm, NOTHING);
	WAIT(&one);
	MPI_Type_free(&type);
}

/* One element of a type that begins before its address, and is longer. */
static void other_bounds(void)
{
	MPI_Datatype type;

	MPI_Type_create_resized(MPI_INT, -4, 12, &type);
	MPI_Type_commit(&type);
	MPI_Isend(x + 1, SOME, type, after, 0, comm, &one);
	x[0]++;
	x[2]++;
	MPI_Recv(y + 1, SOME, type, before, 0, comm, NOTHING);
	WAIT(&one);
	MPI_Type_free(&type);
}

static void backwards(void)
{
	MPI_Datatype type;

	MPI_Type_vector(SOME, 1, -1, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Isend(x + SOME, 1, type, after, 0, comm, &one);
	x[SOME + 1]++;
	MPI_Irecv(y + SOME, 1, type, before, 0, comm, &two[0]);
	IRECV(before, 1, &two[1]);
	y[SOME + 1]++;
	SSEND(after, 1);
	MPI_Waitall(2, two, NOTHINGS);
	WAIT(&one);
	MPI_Type_free(&type);
}

/* A send is done once a call has told so; its request is still there. */
static void told_before_the_wait(void)
{
	MPI_Isend(x, MANY, MPI_INT, after, 0, comm, &one);
	MPI_Recv(y, MANY, MPI_INT, before, 0, comm, NOTHING);
	for (flag = 0; !flag;)
		MPI_Request_get_status(one, &flag, NOTHING);
	x[0]++;
	WAIT(&one);
}

static void told_by_any(void)
{
	int at;

	MPI_Isend(x, SOME, MPI_INT, after, 0, comm, &two[0]);
	MPI_Irecv(y, SOME, MPI_INT, before, 0, comm, &two[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Waitany(2, two, &at, NOTHING);
		(at ? y : x)[0]++;
	}
}

/* Each start sends what is there then. */
static void changed_between_starts(void)
{
	MPI_Ssend_init(x, SOME, MPI_INT, after, 0, comm, &one);
	for (int i = 0; i < 3; i++) {
		x[i]++;
		MPI_Start(&one);
		MPI_Recv(y, SOME, MPI_INT, before, 0, comm, NOTHING);
		WAIT(&one);
	}
	MPI_Request_free(&one);
}

/* The second receive begins once the first has its message. */
static void one_buffer_in_turn(void)
{
	for (int i = 0; i < 2; i++) {
		MPI_Irecv(y + i, SOME, MPI_INT, before, i, comm, &one);
		MPI_Send(x, SOME, MPI_INT, after, i, comm);
		for (flag = 0; !flag;)
			MPI_Test(&one, &flag, NOTHING);
	}
}

static void rows_interleaved(void)
{
	MPI_Datatype type = every_second();

	for (int i = 0; i < 2; i++)
		MPI_Irecv(y + i, 1, type, before, i, comm, &two[i]);
	MPI_Ssend(x, 1, type, after, 1, comm);
	MPI_Ssend(x, 1, type, after, 0, comm);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Type_free(&type);
}

static void nothing_at_all(void)
{
	MPI_Isend(x, 0, MPI_INT, after, 0, comm, &two[0]);
	MPI_Irecv(x, 0, MPI_INT, before, 0, comm, &two[1]);
	x[0]++;
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Isend(x, SOME, MPI_INT, MPI_PROC_NULL, 0, comm, &one);
	x[0]++;
	WAIT(&one);
}

static void cancelled_receive(void)
{
	MPI_Irecv(y, SOME, MPI_INT, before, 9, comm, &two[0]);
	MPI_Cancel(&two[0]);
	WAIT(&two[0]);
	MPI_Irecv(y + 1, SOME, MPI_INT, before, 0, comm, &two[1]);
	MPI_Ssend(x, SOME, MPI_INT, after, 0, comm);
	WAIT(&two[1]);
}

const struct faulty right_sends[] = {
	CASE(gaps_change, 2),
	CASE(padding_changes, 2),
	CASE(other_bounds, 2),
	CASE(backwards, 2),
	CASE(told_before_the_wait, 2),
	CASE(told_by_any, 2),
	CASE(changed_between_starts, 2),
	CASE(one_buffer_in_turn, 2),
	CASE(rows_interleaved, 2),
	CASE(nothing_at_all, 2),
	CASE(cancelled_receive, 2),
	{ 0 },
};
