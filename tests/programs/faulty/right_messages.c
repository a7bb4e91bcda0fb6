/* SPDX-License-Identifier: BSD-3-Clause */

/* Messages that look wrong and are right. */
#include "faulty.h"

static MPI_Request one;

static void odd_even(void)
{
	if (rank % 2)
		SSEND(other, 0);
	RECV(other, 0);
	if (rank % 2 == 0)
		SSEND(other, 0);
}

static void ring_but_one(void)
{
	if (rank == 0)
		SSEND(after, 0);
	RECV(before, 0);
	if (rank)
		SSEND(after, 0);
}

static void late_sender(void)
{
	if (rank == 0) {
		usleep(400000);
		SEND(1, 0);
	} else if (rank == 1) {
		RECV(0, 0);
	}
}

static void late_receiver(void)
{
	if (rank == 0) {
		SSEND(1, 0);
	} else if (rank == 1) {
		usleep(400000);
		RECV(0, 0);
	}
}

static void sends_first(void)
{
	SEND(other, 0);
	SEND(other, 1);
	RECV(other, 1);
	RECV(other, 0);
}

static void posts_first(void)
{
	MPI_Irecv(y, MANY, MPI_INT, other, 0, comm, &one);
	MPI_Send(x, MANY, MPI_INT, other, 0, comm);
	WAIT(&one);
}

static void exchange_ring(void)
{
	MPI_Sendrecv(x, MANY, MPI_INT, after, 0, y, MANY, MPI_INT, before, 0,
		     comm, NOTHING);
}

static void exchange_nobody(void)
{
	const int to = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
	const int from = rank ? rank - 1 : MPI_PROC_NULL;

	MPI_Sendrecv(x, 1, MPI_INT, to, 0, y, 1, MPI_INT, from, 0, comm,
		     NOTHING);
}

static void recv_nobody(void)
{
	RECV(MPI_PROC_NULL, 3);
	SSEND(MPI_PROC_NULL, 3);
	IRECV(MPI_PROC_NULL, 3, &one);
	WAIT(&one);
}

static void receives_shorter(void)
{
	MPI_Sendrecv(x, 2, MPI_INT, after, 0, y, SOME, MPI_INT, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 0, MPI_INT, after, 0, y, 0, MPI_INT, before, 0, comm,
		     NOTHING);
}

static void gathers_any(void)
{
	if (rank)
		SEND(0, rank);
	for (int i = 1; rank == 0 && i < size; i++)
		RECV(MPI_ANY_SOURCE, MPI_ANY_TAG);
	BARRIER();
}

/* Either may come first, and that is all the same to this one. */
static void two_are_there(void)
{
	if (rank)
		ISEND(0, 0, &one);
	BARRIER();
	for (int i = 1; rank == 0 && i < size; i++)
		RECV(MPI_ANY_SOURCE, 0);
	if (rank)
		WAIT(&one);
}

static void buffered(void)
{
	static char room[1000];
	void *address;
	int bytes;

	MPI_Buffer_attach(room, sizeof(room));
	MPI_Bsend(x, 1, MPI_INT, other, 0, comm);
	MPI_Bsend(x, 1, MPI_INT, other, 1, comm);
	RECV(other, 1);
	RECV(other, 0);
	MPI_Buffer_detach(&address, &bytes);
}

static void ready(void)
{
	IRECV(before, 0, &one);
	BARRIER();
	MPI_Rsend(x, 1, MPI_INT, after, 0, comm);
	WAIT(&one);
}

static void same_tag_two_comms(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	SEND(after, 0);
	MPI_Send(x, 1, MPI_INT, after, 0, dup);
	MPI_Recv(y, 1, MPI_INT, before, 0, dup, NOTHING);
	RECV(before, 0);
	MPI_Comm_free(&dup);
}

static void bytes_for_packed(void)
{
	char packed[64];
	int at = 0;

	MPI_Pack(x, 2, MPI_INT, packed, sizeof(packed), &at, comm);
	MPI_Isend(packed, at, MPI_PACKED, after, 0, comm, &one);
	MPI_Recv(y, 2, MPI_INT, before, 0, comm, NOTHING);
	WAIT(&one);
}

static void structs_for_parts(void)
{
	const int lengths[] = { 1, 1 };
	const MPI_Aint at[] = { 0, 8 };
	const MPI_Datatype of[] = { MPI_INT, MPI_DOUBLE };
	MPI_Datatype pair;

	MPI_Type_create_struct(2, lengths, at, of, &pair);
	MPI_Type_commit(&pair);
	MPI_Sendrecv(x, 3, pair, after, 0, y, 3, pair, before, 0, comm,
		     NOTHING);
	MPI_Type_free(&pair);
}

static void vector_for_row(void)
{
	MPI_Datatype column;

	MPI_Type_vector(4, 1, 3, MPI_INT, &column);
	MPI_Type_commit(&column);
	MPI_Sendrecv(x, 1, column, after, 0, y, 4, MPI_INT, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 4, MPI_INT, after, 0, y, 1, column, before, 0, comm,
		     NOTHING);
	MPI_Type_free(&column);
}

static void errors_handled(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
	MPI_Send(x, 1, MPI_INT, size + 3, 0, dup);
	MPI_Comm_free(&dup);
}

/* A message may end where a part of its receive's type does. */
static void signatures_that_fit(void)
{
	const int lengths[] = { 1, 1, 1 };
	const MPI_Aint places[] = { 0, 4, 8 };
	const MPI_Datatype types[] = { MPI_INT, MPI_FLOAT, MPI_INT };
	MPI_Datatype pair;
	MPI_Datatype four;
	MPI_Datatype three;

	MPI_Type_create_struct(2, lengths, places, types, &pair);
	MPI_Type_create_struct(3, lengths, places, types, &three);
	MPI_Type_contiguous(2, pair, &four);
	MPI_Type_commit(&pair);
	MPI_Type_commit(&three);
	MPI_Type_commit(&four);
	MPI_Sendrecv(x, 4, pair, after, 0, y, 2, four, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 3, pair, after, 0, y, 2, four, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 1, three, after, 0, y, 2, pair, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 1, pair, after, 0, y, 1, three, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 1, MPI_INT, after, 0, y, 1, three, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 2, MPI_INT, after, 0, y, 1, MPI_2INT, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 1, three, after, 0, y, 12, MPI_BYTE, before, 0, comm,
		     NOTHING);
	MPI_Type_free(&pair);
	MPI_Type_free(&three);
	MPI_Type_free(&four);
}

/* Empty messages have no elements, so their types do not matter. */
static void nothing_as_anything(void)
{
	MPI_Datatype none;

	MPI_Type_contiguous(0, MPI_INT, &none);
	MPI_Type_commit(&none);
	MPI_Sendrecv(x, 0, MPI_INT, after, 0, y, 0, MPI_CHAR, before, 0, comm,
		     NOTHING);
	MPI_Sendrecv(x, 0, MPI_INT, after, 0, y, 4, MPI_2DOUBLE_PRECISION,
		     before, 0, comm, NOTHING);
	MPI_Sendrecv(x, 3, none, after, 0, y, 4, MPI_DOUBLE, before, 0, comm,
		     NOTHING);
	IRECV(before, 0, &one);
	MPI_Send(NULL, 0, MPI_DOUBLE, after, 0, comm);
	WAIT(&one);
	MPI_Type_free(&none);
}

static MPI_Datatype struct_of(int n, const MPI_Datatype *types,
			      const MPI_Aint *places)
{
	const int lengths[] = { 1, 1, 1 };
	MPI_Datatype made;

	MPI_Type_create_struct(n, lengths, places, types, &made);
	MPI_Type_commit(&made);
	return made;
}

static void exchange(int n, MPI_Datatype out, MPI_Datatype in)
{
	MPI_Sendrecv(x, n, out, after, 0, y, 3, in, before, 0, comm, NOTHING);
}

/* MPI_2INT has two elements, in a structure as well as alone. */
static void pairs_in_structs(void)
{
	const MPI_Aint places[] = { 0, 8, 16 };
	MPI_Datatype pair = struct_of(
		2, (MPI_Datatype[]){ MPI_2INT, MPI_DOUBLE }, places);
	MPI_Datatype apart = struct_of(
		3, (MPI_Datatype[]){ MPI_INT, MPI_INT, MPI_DOUBLE }, places);
	MPI_Datatype one_each = struct_of(
		2, (MPI_Datatype[]){ MPI_INT, MPI_DOUBLE }, places);

	exchange(3, pair, apart);
	exchange(3, apart, pair);
	exchange(1, MPI_INT, pair);
	exchange(1, MPI_INT, one_each);
	exchange(2, MPI_INT, apart);
	MPI_Type_free(&pair);
	MPI_Type_free(&apart);
	MPI_Type_free(&one_each);
}

/* Complex numbers of two lengths are of one class, and differ in size. */
static void lengths_in_structs(void)
{
	const MPI_Aint places[] = { 0, 8, 24 };
	MPI_Datatype both = struct_of(
		2,
		(MPI_Datatype[]){ MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX },
		places);
	MPI_Datatype nested = struct_of(2, (MPI_Datatype[]){ both, MPI_INT },
					(const MPI_Aint[]){ 0, 24 });
	MPI_Datatype flat = struct_of(3,
				      (MPI_Datatype[]){ MPI_C_FLOAT_COMPLEX,
							MPI_C_DOUBLE_COMPLEX,
							MPI_INT },
				      places);

	exchange(2, nested, flat);
	exchange(2, flat, nested);
	exchange(1, MPI_C_FLOAT_COMPLEX, both);
	MPI_Type_free(&both);
	MPI_Type_free(&nested);
	MPI_Type_free(&flat);
}

const struct faulty right_messages[] = {
	CASE(odd_even, 2),
	CASE(ring_but_one, 2),
	CASE(late_sender, 2),
	CASE(late_receiver, 2),
	CASE(sends_first, 2),
	CASE(posts_first, 2),
	CASE(exchange_ring, 2),
	CASE(exchange_nobody, 2),
	CASE(recv_nobody, 2),
	CASE(receives_shorter, 2),
	CASE(two_are_there, 3),
	CASE(gathers_any, 2),
	CASE(buffered, 2),
	CASE(ready, 2),
	CASE(same_tag_two_comms, 2),
	CASE(bytes_for_packed, 2),
	CASE(structs_for_parts, 2),
	CASE(vector_for_row, 2),
	CASE(errors_handled, 2),
	CASE(signatures_that_fit, 2),
	CASE(nothing_as_anything, 2),
	CASE(pairs_in_structs, 2),
	CASE(lengths_in_structs, 2),
	{ 0 },
};
