/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: deadlock HOW, with 4 ranks, which wait for each other as HOW says.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE (1 << 20)

static int rank;
static int size;
static int value;

static void recv_from(int source, int tag, MPI_Comm comm)
{
	MPI_Recv(&value, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE);
}

static void recv_recv(void)
{
	recv_from(size - 1 - rank, 0, MPI_COMM_WORLD);
}

static void ring(void)
{
	MPI_Ssend(&value, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
	recv_from(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD);
}

static void large(void)
{
	char *data = calloc(LARGE, 1);

	MPI_Send(data, LARGE, MPI_BYTE, rank ^ 1, 0, MPI_COMM_WORLD);
	MPI_Recv(data, LARGE, MPI_BYTE, rank ^ 1, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	free(data);
}

static void tag(void)
{
	if (rank == 3)
		MPI_Send(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
	if (rank == 1)
		recv_from(3, 7, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void source(void)
{
	if (rank == 3)
		MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
	if (rank == 1)
		recv_from(2, 7, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void comm(void)
{
	MPI_Comm other;

	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	if (rank == 3)
		MPI_Send(&value, 1, MPI_INT, 1, 7, other);
	if (rank == 1)
		recv_from(3, 7, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void two_comms(void)
{
	MPI_Comm other;

	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	MPI_Barrier(rank ? other : MPI_COMM_WORLD);
	MPI_Barrier(rank ? MPI_COMM_WORLD : other);
}

/* MPI carries the call of all but one, which waits for a message. */
static void makes(void)
{
	MPI_Comm other;

	if (rank == 0)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
}

static void window(void)
{
	MPI_Win win;

	if (rank == 0)
		MPI_Ssend(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
	MPI_Win_create(&value, sizeof(value), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
		       &win);
}

/* Rank 2 is not there for the fence that ends the epoch. */
static void fence(void)
{
	MPI_Win win;

	MPI_Win_create(&value, sizeof(value), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
		       &win);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Win_fence(0, win);
}

static void win_free(void)
{
	MPI_Win win;

	MPI_Win_allocate(1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &value, &win);
	if (rank != 2)
		MPI_Win_free(&win);
}

static MPI_File file_open(void)
{
	char name[] = "/tmp/deadlock-0000000000";
	MPI_File file;

	snprintf(name, sizeof(name), "/tmp/deadlock-%010d", (int)getpid());
	MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &file);
	MPI_Barrier(MPI_COMM_WORLD);
	unlink(name);
	return file;
}

static void write_all(void)
{
	MPI_File file = file_open();

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_File_write_at_all(file, rank, &value, 1, MPI_INT,
			      MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

static void file_close(void)
{
	MPI_File file = file_open();

	MPI_File_write_at_all(file, rank, &value, 1, MPI_INT,
			      MPI_STATUS_IGNORE);
	if (rank != 2)
		MPI_File_close(&file);
}

static void graph(void)
{
	MPI_Comm made;

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED,
				       0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL,
				       0, &made);
}

/* A ring of all, in which each waits for the ranks beside it. */
static MPI_Comm ring_make(void)
{
	const int periodic = 1;
	MPI_Comm made;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &made);
	return made;
}

static void neighbor(void)
{
	MPI_Comm made = ring_make();
	int out[2] = { 0 };
	int in[2];

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, made);
}

static void ineighbor(void)
{
	MPI_Comm made = ring_make();
	MPI_Request request;
	int in[2];

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Ineighbor_allgather(&value, 1, MPI_INT, in, 1, MPI_INT, made,
				&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void idup(void)
{
	MPI_Request request;
	MPI_Comm made;

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void cart_sub(void)
{
	const int keep = 1;
	MPI_Comm made = ring_make();
	MPI_Comm part;

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Cart_sub(made, &keep, &part);
}

static void graph_create(void)
{
	const int ends[] = { 1, 2, 3, 4 };
	const int edges[] = { 1, 0, 3, 2 };
	MPI_Comm made;

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Graph_create(MPI_COMM_WORLD, 4, ends, edges, 0, &made);
}

static void set_view(void)
{
	MPI_File file = file_open();

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_close(&file);
}

static void write_ordered(void)
{
	MPI_File file = file_open();

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_File_write_ordered(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

static void read_ordered(void)
{
	MPI_File file = file_open();

	if (rank == 2)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_File_read_ordered(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

static void any(void)
{
	recv_from(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD);
}

static void waits(int of_any)
{
	MPI_Request requests[2];
	int got[2];
	int at;

	for (int i = 0; i < 2; i++)
		MPI_Irecv(&got[i], 1, MPI_INT, (rank + 1 + i) % size, i,
			  MPI_COMM_WORLD, &requests[i]);
	if (of_any)
		MPI_Waitany(2, requests, &at, MPI_STATUS_IGNORE);
	else
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void waitall(void)
{
	waits(0);
}

static void waitany(void)
{
	waits(1);
}

/* Rank 0 calls it too late. */
static void ibarrier(void)
{
	MPI_Request request;

	if (rank == 0)
		recv_from(1, 7, MPI_COMM_WORLD);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void probe(void)
{
	MPI_Probe((rank + 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 2 goes to its end. */
static void finalize(void)
{
	if (rank != 2)
		recv_from(2, 0, MPI_COMM_WORLD);
}

/* The others compute, for ever. */
static void partial(void)
{
	if (rank < 2)
		recv_from(1 - rank, 0, MPI_COMM_WORLD);
	while (rank >= 2)
		pause();
}

static const struct {
	const char *name;
	void (*run)(void);
} hows[] = {
	{ "recv_recv", recv_recv },
	{ "ring", ring },
	{ "large", large },
	{ "tag", tag },
	{ "source", source },
	{ "comm", comm },
	{ "two_comms", two_comms },
	{ "any", any },
	{ "waitall", waitall },
	{ "waitany", waitany },
	{ "ibarrier", ibarrier },
	{ "probe", probe },
	{ "makes", makes },
	{ "window", window },
	{ "fence", fence },
	{ "win_free", win_free },
	{ "write_all", write_all },
	{ "file_close", file_close },
	{ "graph", graph },
	{ "finalize", finalize },
	{ "partial", partial },
	{ "neighbor", neighbor },
	{ "ineighbor", ineighbor },
	{ "idup", idup },
	{ "cart_sub", cart_sub },
	{ "graph_create", graph_create },
	{ "set_view", set_view },
	{ "write_ordered", write_ordered },
	{ "read_ordered", read_ordered },
};

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
		if (strcmp(hows[i].name, argv[1]) == 0)
			hows[i].run();
	MPI_Finalize();
	return 0;
}
