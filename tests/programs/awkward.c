/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reductions that are easily got wrong, while their processes do something
 * else.  They are of pairs, of a type that is freed meanwhile, of elements that
 * lie on top of each other.  They run while one process is in a call of another
 * kind, and while one goes on before the other has come.  For two processes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LONG 100000

static int rank;
static MPI_Datatype known; /* by the operation */
static int n_strangers;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const int *x = in;
	int *y = inout;

	if (*type != MPI_INT && *type != known)
		n_strangers++;
	for (int i = 0; i < *n; i++)
		y[*type == MPI_INT ? i : 2 * i] +=
			x[*type == MPI_INT ? i : 2 * i];
}

static void pairs(void)
{
	struct {
		double value;
		int index;
	} out = { 5.5 - rank, rank }, in = { 0, 0 };
	MPI_Request request;

	MPI_Iallreduce(&out, &in, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD,
		       &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	printf("%d: least %.1f at %d\n", rank, in.value, in.index);
}

static void freed(MPI_Op op)
{
	int out[6] = { rank + 1, 0, rank + 2, 0, rank + 3, 0 };
	int in[6] = { -1, -1, -1, -1, -1, -1 };
	MPI_Datatype type;
	MPI_Request request;

	MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
	MPI_Type_commit(&type);
	known = type;
	MPI_Iallreduce(out, in, 3, type, op, MPI_COMM_WORLD, &request);
	MPI_Type_free(&type);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	printf("%d: %d %d %d %d %d, strangers %d\n", rank, in[0], in[1], in[2],
	       in[3], in[4], n_strangers);
}

/* One makes a communicator first, the other waits for the sum first. */
static void elsewhere(MPI_Op op)
{
	int *out = calloc(LONG, sizeof(*out));
	int *in = calloc(LONG, sizeof(*in));
	MPI_Request request;
	MPI_Comm comm;

	for (int i = 0; i < LONG; i++)
		out[i] = i + rank;
	MPI_Iallreduce(out, in, LONG, MPI_INT, op, MPI_COMM_WORLD, &request);
	if (rank != 0)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	if (rank == 0)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	printf("%d: %d %d\n", rank, in[0], in[LONG - 1]);
	MPI_Comm_free(&comm);
	free(in);
	free(out);
}

static void on_top(MPI_Op op)
{
	MPI_Datatype type;
	int out = 7 + rank;
	int in = -1;

	MPI_Type_create_resized(MPI_INT, 0, 0, &type);
	MPI_Type_commit(&type);
	known = type;
	MPI_Allreduce(&out, &in, 1, type, op, MPI_COMM_WORLD);
	printf("%d: on top %d\n", rank, in);
	MPI_Type_free(&type);
}

/* Made, used and freed before what was begun on them is done. */
static void communicators(void)
{
	MPI_Request request;
	MPI_Comm comm;
	long sum = 0;
	int in;

	for (int i = 0; i < 1000; i++) {
		MPI_Comm_split(MPI_COMM_WORLD, i % 3 ? 0 : rank, i % 2 - rank,
			       &comm);
		MPI_Iallreduce(&i, &in, 1, MPI_INT, MPI_SUM, comm, &request);
		MPI_Comm_free(&comm);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		sum += in;
	}
	printf("%d: communicators %ld\n", rank, sum);
}

/* A request and a message that was taken outlive their communicator. */
static void outlived(void)
{
	const int other = rank ^ 1;
	MPI_Request requests[2];
	MPI_Status statuses[2];
	MPI_Message message;
	MPI_Comm comm;
	int out = rank;
	int in = -1;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Send(&out, 1, MPI_INT, other, 1, comm);
	MPI_Mprobe(other, 1, comm, &message, MPI_STATUS_IGNORE);
	MPI_Send_init(&out, 1, MPI_INT, other, 2, comm, &requests[0]);
	MPI_Recv_init(&in, 1, MPI_INT, other, 2, comm, &requests[1]);
	MPI_Comm_free(&comm);
	MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	printf("%d: taken %d\n", rank, in);
	for (int i = 0; i < 3; i++) {
		out = 10 * rank + i;
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, statuses);
		printf("%d: again %d\n", rank, in);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

/* Sends to, and gets from, the other. */
static void swap_messages(void)
{
	const int other = rank ^ 1;
	int in;

	MPI_Sendrecv(&rank, 1, MPI_INT, other, 3, &in, 1, MPI_INT, other, 3,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_message(void)
{
	const int other = rank ^ 1;
	MPI_Request request;
	int in;

	MPI_Irecv(&in, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &request);
	MPI_Send(&rank, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive_message(void)
{
	int in;

	MPI_Send(&rank, 1, MPI_INT, rank ^ 1, 3, MPI_COMM_WORLD);
	MPI_Recv(&in, 1, MPI_INT, rank ^ 1, 3, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

static void meet(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

/*
 * A receive of elements apart is freed before its message comes.  That it came
 * the program knows from a later one, and MPI_Barrier.
 */
static void let_go(void)
{
	static void (*const ways[])(void) = { swap_messages, wait_for_message,
					      receive_message, meet };
	const int other = rank ^ 1;
	MPI_Request request;
	MPI_Datatype apart;
	int out[20];
	int in[20];

	MPI_Type_vector(10, 1, 2, MPI_INT, &apart);
	MPI_Type_commit(&apart);
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 20; k++) {
			out[k] = 100 * rank + 10 * i + k;
			in[k] = 0;
		}
		MPI_Irecv(in, 1, apart, other, 4, MPI_COMM_WORLD, &request);
		MPI_Request_free(&request);
		meet();
		MPI_Send(out, 1, apart, other, 4, MPI_COMM_WORLD);
		ways[i]();
		printf("%d: let go %d %d\n", rank, in[0], in[18]);
		meet();
	}
	MPI_Type_free(&apart);
}

/* Process 0 waits in none of these calls for process 1. */
static void ahead(void)
{
	int out = rank;
	int in = 0;
	int none;

	if (rank == 1)
		MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	for (int i = 0; i < 40; i++) {
		MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Reduce(&out, &in, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
		MPI_Reduce(&out, &none, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
		MPI_Scan(&out, &none, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	printf("%d: %d in the end\n", rank, in);
}

int main(int argc, char **argv)
{
	MPI_Op op;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Op_create(add, 1, &op);
	pairs();
	freed(op);
	elsewhere(op);
	on_top(op);
	communicators();
	outlived();
	let_go();
	ahead();
	MPI_Op_free(&op);
	MPI_Finalize();
	return 0;
}
