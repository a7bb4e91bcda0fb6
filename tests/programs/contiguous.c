/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Datatypes that are one block of bytes, made in many ways, and some that only
 * look so.  Two ranks exchange elements of each by all kinds of calls; rank 0
 * prints sums of what came.  With an argument it broadcasts 64 MiB of one, and
 * says whether that took memory for a second buffer.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define INTS  240 /* of a buffer */
#define N     4   /* elements, of 6 integers at most */
#define LARGE (64 << 20)

static int rank;
static unsigned sum;

static void fill(int *buffer, int first)
{
	for (int i = 0; i < INTS; i++)
		buffer[i] = first + i;
}

static void add(const int *buffer)
{
	for (int i = 0; i < INTS; i++)
		sum = sum * 31 + (unsigned)buffer[i];
}

static void add_status(MPI_Status *status, MPI_Datatype type)
{
	int count;

	MPI_Get_count(status, type, &count);
	sum = sum * 31 + (unsigned)count;
	MPI_Get_elements(status, type, &count);
	sum = sum * 31 + (unsigned)count;
}

static void messages(MPI_Datatype type)
{
	const int peer = 1 - rank;
	int out[INTS];
	int in[INTS];
	MPI_Request r[2];
	MPI_Status status;
	MPI_Message message;
	int bytes;

	fill(out, rank * 1000);
	fill(in, -1000);
	MPI_Sendrecv(out, N, type, peer, 1, in, N, type, peer, 1,
		     MPI_COMM_WORLD, &status);
	add_status(&status, type);
	MPI_Irecv(in + 1, N, type, peer, 2, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(out + 3, N - 1, type, peer, 2, MPI_COMM_WORLD, &r[1]);
	MPI_Wait(&r[0], &status);
	MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	add_status(&status, type);
	/* Sent as integers, and not the whole of the last element. */
	MPI_Irecv(in, N, type, peer, 3, MPI_COMM_WORLD, &r[0]);
	MPI_Type_size(type, &bytes);
	MPI_Send(out, N * bytes / 4 - 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
	MPI_Wait(&r[0], &status);
	add_status(&status, type);
	MPI_Isend(out, 2, type, peer, 4, MPI_COMM_WORLD, &r[0]);
	MPI_Mprobe(peer, 4, MPI_COMM_WORLD, &message, &status);
	MPI_Mrecv(in, N, type, &message, &status);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	add_status(&status, type);
	add(in);
	MPI_Sendrecv_replace(out, N, type, peer, 5, peer, 5, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	add(out);
}

static void persistent(MPI_Datatype type)
{
	int out[INTS];
	int in[INTS];
	MPI_Request r[2];

	fill(out, rank * 1000);
	fill(in, -1000);
	MPI_Send_init(out, N, type, 1 - rank, 6, MPI_COMM_WORLD, &r[0]);
	MPI_Recv_init(in, N, type, 1 - rank, 6, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 3; i++) {
		out[i] = i;
		MPI_Startall(2, r);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		add(in);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void collectives(MPI_Datatype type)
{
	int out[INTS];
	int in[INTS];
	MPI_Request r;

	fill(out, rank * 1000);
	fill(in, -1000);
	MPI_Bcast(out, N, type, 1, MPI_COMM_WORLD);
	add(out);
	MPI_Gather(out, 2, type, in, 2, type, 0, MPI_COMM_WORLD);
	MPI_Scatter(out, 2, type, in + 24, 2, type, 1, MPI_COMM_WORLD);
	MPI_Allgather(out, 2, type, in + 48, 2, type, MPI_COMM_WORLD);
	MPI_Alltoall(out, 2, type, in + 96, 2, type, MPI_COMM_WORLD);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, type,
		      MPI_COMM_WORLD);
	MPI_Iallgather(out, 1, type, in + 160, 1, type, MPI_COMM_WORLD, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	add(in);
}

/* The program may free a type while something goes by it. */
static void freed(MPI_Datatype type)
{
	int out[INTS];
	int in[INTS];
	MPI_Request r[2];
	MPI_Datatype other;
	int bytes;

	MPI_Type_size(type, &bytes);
	fill(out, rank * 1000);
	fill(in, -1000);
	MPI_Irecv(in, N, type, 1 - rank, 7, MPI_COMM_WORLD, &r[0]);
	MPI_Type_free(&type);
	/* It may get the same handle. */
	MPI_Type_vector(2, 1, 2, MPI_INT, &other);
	MPI_Type_commit(&other);
	MPI_Isend(out, N * bytes / 8, other, 1 - rank, 7, MPI_COMM_WORLD,
		  &r[1]);
	MPI_Type_free(&other);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	add(in);
}

static void show(const char *name, MPI_Datatype type)
{
	MPI_Type_commit(&type);
	messages(type);
	persistent(type);
	collectives(type);
	freed(type);
	if (rank == 0)
		printf("%s %u\n", name, sum);
}

static MPI_Datatype contiguous(int n, MPI_Datatype of)
{
	MPI_Datatype type;

	MPI_Type_contiguous(n, of, &type);
	return type;
}

static MPI_Datatype indexed(int n, const int *lengths, const int *places)
{
	MPI_Datatype type;

	MPI_Type_indexed(n, lengths, places, MPI_INT, &type);
	return type;
}

static MPI_Datatype structure(int n, const int *lengths, const MPI_Aint *places,
			      const MPI_Datatype *types)
{
	MPI_Datatype type;

	MPI_Type_create_struct(n, lengths, places, types, &type);
	return type;
}

/* Made by every constructor that can make a block. */
static void flat(void)
{
	static const int ones[] = { 1, 2, 0, 1 };
	static const int follow[] = { 0, 1, 77, 3 };
	static const MPI_Aint bytes[] = { 0, 4, 77, 12 };
	const MPI_Datatype pair = contiguous(2, MPI_INT);
	const MPI_Datatype parts[] = { MPI_INT, pair };
	static const MPI_Aint at[] = { 0, 4 };
	MPI_Datatype type;

	show("contiguous", contiguous(3, MPI_INT));
	show("of contiguous", contiguous(2, pair));
	MPI_Type_vector(3, 2, 2, MPI_INT, &type);
	show("vector", type);
	MPI_Type_vector(1, 3, 77, MPI_INT, &type);
	show("one block", type);
	MPI_Type_create_hvector(2, 2, 16, pair, &type);
	show("hvector", type);
	show("indexed", indexed(4, ones, follow));
	MPI_Type_create_hindexed(4, ones, bytes, MPI_INT, &type);
	show("hindexed", type);
	show("structure", structure(2, ones, at, parts));
	MPI_Type_dup(pair, &type);
	show("duplicate", type);
	MPI_Type_create_resized(pair, 0, 8, &type);
	show("resized to itself", type);
	MPI_Type_contiguous_c(2, MPI_INT, &type);
	show("large count", type);
	MPI_Type_free((MPI_Datatype[]){ pair });
}

/* Types that are as long as wide, but no block; or a block elsewhere. */
static void not_flat(void)
{
	static const int ones[] = { 1, 1 };
	static const int backwards[] = { 1, 0 };
	static const int later[] = { 1, 2 };
	static const int twice[] = { 0, 0 };
	static const MPI_Aint gap[] = { 0, 8 };
	static const MPI_Datatype parts[] = { MPI_INT, MPI_INT };
	MPI_Datatype type;

	show("backwards", indexed(2, ones, backwards));
	show("later", indexed(2, ones, later));
	show("twice", indexed(2, ones, twice));
	show("gap", structure(2, ones, gap, parts));
	MPI_Type_vector(2, 1, 2, MPI_INT, &type);
	show("strided", type);
	MPI_Type_create_resized(MPI_INT, 0, 8, &type);
	show("wider", type);
	MPI_Type_create_resized(MPI_INT, -4, 4, &type);
	show("shifted", type);
	MPI_Type_create_subarray(2, (int[]){ 2, 4 }, (int[]){ 2, 2 },
				 (int[]){ 0, 1 }, MPI_ORDER_C, MPI_INT, &type);
	show("subarray", type);
	show("pairs", contiguous(2, MPI_2INT));
}

/* A structure of structures of structures: who looks into each never ends. */
static void deep(void)
{
	MPI_Datatype parts[16];
	MPI_Aint places[16];
	int ones[16];
	MPI_Datatype type = MPI_INT;
	MPI_Aint bytes = sizeof(int);

	for (int depth = 0; depth < 10; depth++) {
		for (int i = 0; i < 16; i++) {
			ones[i] = 1;
			places[i] = i * bytes;
			parts[i] = type;
		}
		type = structure(16, ones, places, parts);
		bytes *= 16;
		if (depth > 0)
			MPI_Type_free((MPI_Datatype[]){ parts[0] });
	}
	MPI_Type_commit(&type);
	MPI_Type_free(&type);
}

/* MPI gives the handle of a freed type to the next one.  PMPI_Type_free is not
 * seen by the preload. */
static void handle_again(void)
{
	MPI_Datatype type;

	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_commit(&type);
	PMPI_Type_free(&type);
	MPI_Type_vector(2, 1, 2, MPI_INT, &type);
	show("behind one freed by PMPI", type);
}

static long kilobytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void large(void)
{
	char *buffer = malloc(LARGE);
	MPI_Datatype type;
	long before;

	MPI_Type_contiguous(1 << 20, MPI_CHAR, &type);
	MPI_Type_commit(&type);
	memset(buffer, rank, LARGE);
	before = kilobytes();
	MPI_Bcast(buffer, LARGE >> 20, type, 0, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Send(buffer, LARGE >> 20, type, 1, 0, MPI_COMM_WORLD);
	else
		MPI_Recv(buffer, LARGE >> 20, type, 0, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	printf("%s\n", kilobytes() - before > LARGE / 2048 ? "a second buffer"
							   : "one buffer");
	MPI_Type_free(&type);
	free(buffer);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc > 1) {
		large();
	} else {
		flat();
		not_flat();
		deep();
		handle_again();
	}
	MPI_Finalize();
	return 0;
}
