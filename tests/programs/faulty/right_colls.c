/* SPDX-License-Identifier: BSD-3-Clause */

/* Collective calls that look wrong and are right. */
#include "faulty.h"

static MPI_Request one;
static MPI_Request two[2];

static void counts_at_root_only(void)
{
	MPI_Gather(x, 1, MPI_INT, rank ? NULL : y, rank ? -1 : 1,
		   rank ? MPI_DATATYPE_NULL : MPI_INT, 0, comm);
	MPI_Scatter(rank ? NULL : x, rank ? -1 : 1,
		    rank ? MPI_DATATYPE_NULL : MPI_INT, y, 1, MPI_INT, 0, comm);
}

static void elements_for_types(void)
{
	MPI_Datatype pair;

	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Bcast(x, rank ? 2 : 1, rank ? MPI_INT : pair, 0, comm);
	MPI_Gather(x, 1, pair, y, 2, MPI_INT, 0, comm);
	MPI_Allgather(x, 2, MPI_INT, y, 1, pair, comm);
	MPI_Type_free(&pair);
}

static void in_place(void)
{
	MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_INT, MPI_SUM, comm);
	MPI_Reduce(rank ? x : MPI_IN_PLACE, rank ? NULL : x, 1, MPI_INT,
		   MPI_SUM, 0, comm);
	MPI_Gather(rank ? x : MPI_IN_PLACE, 1, MPI_INT, y, 1, MPI_INT, 0, comm);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 1, MPI_INT, comm);
}

static void nothing_at_all(void)
{
	MPI_Bcast(NULL, 0, MPI_INT, 0, comm);
	MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm);
	MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm);
}

static void uneven(void)
{
	int counts[16];
	int at[16];

	for (int i = 0; i < size && i < 16; i++) {
		counts[i] = i;
		at[i] = i * 16;
	}
	MPI_Gatherv(x, rank, MPI_INT, y, counts, at, MPI_INT, 0, comm);
	MPI_Allgatherv(x, rank, MPI_INT, y, counts, at, MPI_INT, comm);
	MPI_Scatterv(x, counts, at, MPI_INT, y, rank, MPI_INT, 0, comm);
}

static void roots_in_turn(void)
{
	for (int root = 0; root < size; root++)
		BCAST(root);
}

static void two_orders(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	MPI_Ibarrier(rank ? comm : dup, &two[0]);
	MPI_Ibarrier(rank ? dup : comm, &two[1]);
	MPI_Waitall(2, two, NOTHINGS);
	MPI_Comm_free(&dup);
}

static void waits_in_other_order(void)
{
	MPI_Ibcast(x, 1, MPI_INT, 0, comm, &two[0]);
	MPI_Iallreduce(y, z, 1, MPI_INT, MPI_SUM, comm, &two[1]);
	WAIT(&two[rank % 2]);
	WAIT(&two[1 - rank % 2]);
}

static void late_rank(void)
{
	if (rank == size - 1)
		usleep(400000);
	BARRIER();
}

static void late_root(void)
{
	if (rank == 0)
		usleep(400000);
	BCAST(0);
}

static void barrier_then_recv(void)
{
	MPI_Ibarrier(comm, &one);
	if (rank == 0)
		for (int i = 1; i < size; i++)
			RECV(MPI_ANY_SOURCE, 5);
	else
		SEND(0, 5);
	WAIT(&one);
}

static void part_only(void)
{
	MPI_Comm part;

	MPI_Comm_split(comm, rank ? 1 : MPI_UNDEFINED, 0, &part);
	if (rank) {
		MPI_Barrier(part);
		MPI_Bcast(x, 1, MPI_INT, 0, part);
		MPI_Comm_free(&part);
	}
}

static void two_halves(void)
{
	MPI_Comm half;

	MPI_Comm_split(comm, rank % 2, 0, &half);
	if (rank % 2)
		MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, half);
	else
		MPI_Bcast(x, 7, MPI_INT, 0, half);
	MPI_Comm_free(&half);
}

static void started_again(void)
{
	MPI_Allreduce_init(x, y, 1, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL,
			   &one);
	for (int i = 0; i < 3; i++) {
		MPI_Start(&one);
		WAIT(&one);
	}
	MPI_Request_free(&one);
}

static void tested_only(void)
{
	int flag = 0;

	MPI_Ialltoall(x, 1, MPI_INT, y, 1, MPI_INT, comm, &one);
	while (!flag)
		MPI_Test(&one, &flag, NOTHING);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *n; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void own_operation(void)
{
	MPI_Op op;

	MPI_Op_create(add, 1, &op);
	ALLREDUCE(op);
	MPI_Op_free(&op);
}

static void counts_of_own(void)
{
	int counts[16];

	for (int i = 0; i < size && i < 16; i++)
		counts[i] = 1 + i;
	MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, comm);
}

static void scans(void)
{
	MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, comm);
	MPI_Exscan(x, y, 1, MPI_INT, MPI_SUM, comm);
}

static void different_sizes_of_pairs(void)
{
	int to[16];
	int from[16];
	int at[16];

	for (int i = 0; i < size && i < 16; i++) {
		to[i] = rank < i ? 2 : 0;
		from[i] = rank > i ? 2 : 0;
		at[i] = 2 * i;
	}
	MPI_Alltoallv(x, to, at, MPI_INT, y, from, at, MPI_INT, comm);
}

const struct faulty right_colls[] = {
	CASE(counts_at_root_only, 2),
	CASE(elements_for_types, 2),
	CASE(in_place, 2),
	CASE(nothing_at_all, 2),
	CASE(uneven, 2),
	CASE(roots_in_turn, 2),
	CASE(two_orders, 2),
	CASE(waits_in_other_order, 2),
	CASE(late_rank, 2),
	CASE(late_root, 2),
	CASE(barrier_then_recv, 2),
	CASE(part_only, 2),
	CASE(two_halves, 2),
	CASE(started_again, 2),
	CASE(tested_only, 2),
	CASE(own_operation, 2),
	CASE(counts_of_own, 2),
	CASE(scans, 2),
	CASE(different_sizes_of_pairs, 2),
	{ 0 },
};
