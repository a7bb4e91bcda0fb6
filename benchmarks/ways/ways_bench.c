/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of a message by each way that MPI has to send and receive one.
 * Prints a line "WAY MICROSECONDS" for each: the median of rank 0's blocks,
 * with all pairs of ranks at a time.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/blocks.h"
#include "benchmarks/lib/values.h"

#define USAGE                               \
	"usage: ways SECONDS BYTES [WAY]\n" \
	"on an even number of ranks, 8 bytes at least\n"

#define WINDOW      16
#define SECONDS_MAX 3600
#define NONE        MPI_STATUS_IGNORE

static int rank;
static int peer;
static char *out;
static char *in;
static MPI_Comm comm;       /* a duplicate */
static MPI_Datatype vector; /* every second word */
static MPI_Datatype record; /* a struct with a gap */
static MPI_Request kept[2]; /* persistent, both directions */
static MPI_Comm world;
static MPI_Status statuses[WINDOW];

typedef void (*send_fn)(int n);
typedef void (*recv_fn)(int n);

static void send(int n)
{
	MPI_Send(out, n, MPI_CHAR, peer, 0, world);
}

static void recv(int n)
{
	MPI_Recv(in, n, MPI_CHAR, peer, 0, world, NONE);
}

/* One after the other. */
static void by_turns(send_fn give, recv_fn take, int n)
{
	if (rank < peer)
		give(n);
	take(n);
	if (rank > peer)
		give(n);
}

static void ssend(int n)
{
	MPI_Ssend(out, n, MPI_CHAR, peer, 0, world);
}

static void pingpong_ssend(int n)
{
	by_turns(ssend, recv, n);
}

/* The second of a pair says that its receive is posted. */
static void pingpong_rsend(int n)
{
	MPI_Request request;

	MPI_Irecv(in, n, MPI_CHAR, peer, 0, world, &request);
	if (rank > peer)
		MPI_Send(NULL, 0, MPI_CHAR, peer, 1, world);
	else
		MPI_Recv(NULL, 0, MPI_CHAR, peer, 1, world, NONE);
	if (rank > peer)
		MPI_Wait(&request, NONE);
	MPI_Rsend(out, n, MPI_CHAR, peer, 0, world);
	if (rank < peer)
		MPI_Wait(&request, NONE);
}

static void recv_probed(int n)
{
	MPI_Status status;

	MPI_Probe(peer, 0, world, &status);
	recv(n);
}

static void pingpong_probe(int n)
{
	by_turns(send, recv_probed, n);
}

static void recv_matched(int n)
{
	MPI_Message message;
	MPI_Status status;

	MPI_Mprobe(peer, 0, world, &message, &status);
	MPI_Mrecv(in, n, MPI_CHAR, &message, NONE);
}

static void pingpong_mprobe(int n)
{
	by_turns(send, recv_matched, n);
}

static void recv_iprobed(int n)
{
	int flag = 0;

	while (!flag)
		MPI_Iprobe(peer, 0, world, &flag, NONE);
	recv(n);
}

static void pingpong_iprobe(int n)
{
	by_turns(send, recv_iprobed, n);
}

static void recv_any(int n)
{
	MPI_Recv(in, n, MPI_CHAR, MPI_ANY_SOURCE, 0, world, NONE);
}

static void pingpong_any(int n)
{
	by_turns(send, recv_any, n);
}

static void recv_tested(int n)
{
	MPI_Request request;
	int flag = 0;

	MPI_Irecv(in, n, MPI_CHAR, peer, 0, world, &request);
	while (!flag)
		MPI_Test(&request, &flag, NONE);
}

static void pingpong_test(int n)
{
	by_turns(send, recv_tested, n);
}

static void send_vector(int n)
{
	(void)n;
	MPI_Send(out, 1, vector, peer, 0, world);
}

static void recv_vector(int n)
{
	(void)n;
	MPI_Recv(in, 1, vector, peer, 0, world, NONE);
}

static void pingpong_vector(int n)
{
	by_turns(send_vector, recv_vector, n);
}

static void send_record(int n)
{
	MPI_Send(out, n / 8, record, peer, 0, world);
}

static void recv_record(int n)
{
	MPI_Recv(in, n / 8, record, peer, 0, world, NONE);
}

static void pingpong_struct(int n)
{
	by_turns(send_record, recv_record, n);
}

static void send_dup(int n)
{
	MPI_Send(out, n, MPI_CHAR, peer, 0, comm);
}

static void recv_dup(int n)
{
	MPI_Recv(in, n, MPI_CHAR, peer, 0, comm, NONE);
}

static void pingpong_dup(int n)
{
	by_turns(send_dup, recv_dup, n);
}

static void both_isend(int n)
{
	MPI_Request requests[2];

	MPI_Irecv(in, n, MPI_CHAR, peer, 0, world, &requests[0]);
	MPI_Isend(out, n, MPI_CHAR, peer, 0, world, &requests[1]);
	MPI_Waitall(2, requests, statuses);
}

static void both_sendrecv(int n)
{
	MPI_Sendrecv(out, n, MPI_CHAR, peer, 0, in, n, MPI_CHAR, peer, 0, world,
		     NONE);
}

static void both_kept(int n)
{
	(void)n;
	MPI_Startall(2, kept);
	MPI_Waitall(2, kept, statuses);
}

static void both_with(send_fn give, int n)
{
	MPI_Request request;

	MPI_Irecv(in, n, MPI_CHAR, peer, 0, world, &request);
	give(n);
	MPI_Wait(&request, NONE);
}

static void both_ssend(int n)
{
	both_with(ssend, n);
}

static void bsend(int n)
{
	MPI_Bsend(out, n, MPI_CHAR, peer, 0, world);
}

static void both_bsend(int n)
{
	both_with(bsend, n);
}

static void both_vector(int n)
{
	MPI_Request requests[2];

	(void)n;
	MPI_Irecv(in, 1, vector, peer, 0, world, &requests[0]);
	MPI_Isend(out, 1, vector, peer, 0, world, &requests[1]);
	MPI_Waitall(2, requests, statuses);
}

static void both_sizes(int n)
{
	static int round;

	both_isend(n / (1 + round++ % 4));
}

static void rsend(int n)
{
	MPI_Barrier(world);
	MPI_Rsend(out, n, MPI_CHAR, peer, 0, world);
}

static void both_rsend(int n)
{
	both_with(rsend, n);
}

/* Many at once to the second of a pair, which answers when it has them all. */
static void window(int n, void (*finish)(MPI_Request requests[]))
{
	MPI_Request requests[WINDOW];

	for (int i = 0; i < WINDOW; i++)
		if (rank < peer)
			MPI_Isend(out + (size_t)i * (size_t)n, n, MPI_CHAR,
				  peer, 0, world, &requests[i]);
		else
			MPI_Irecv(in + (size_t)i * (size_t)n, n, MPI_CHAR, peer,
				  0, world, &requests[i]);
	finish(requests);
	if (rank < peer)
		recv(0);
	else
		MPI_Send(NULL, 0, MPI_CHAR, peer, 0, world);
}

static void by_waitany(MPI_Request requests[])
{
	int at;

	for (int i = 0; i < WINDOW; i++)
		MPI_Waitany(WINDOW, requests, &at, NONE);
}

static void window_waitany(int n)
{
	window(n, by_waitany);
}

typedef int (*some_fn)(int n, MPI_Request requests[], int *n_done, int done[],
		       MPI_Status statuses[]);

static void by_some(some_fn some, MPI_Request requests[])
{
	int done[WINDOW];
	int left = WINDOW;
	int n;

	while (left) {
		some(WINDOW, requests, &n, done, statuses);
		left -= n == MPI_UNDEFINED ? left : n;
	}
}

static void by_waitsome(MPI_Request requests[])
{
	by_some(MPI_Waitsome, requests);
}

static void window_waitsome(int n)
{
	window(n, by_waitsome);
}

static void by_testsome(MPI_Request requests[])
{
	by_some(MPI_Testsome, requests);
}

static void window_testsome(int n)
{
	window(n, by_testsome);
}

static void by_testall(MPI_Request requests[])
{
	int flag = 0;

	while (!flag)
		MPI_Testall(WINDOW, requests, &flag, statuses);
}

static void window_testall(int n)
{
	window(n, by_testall);
}

static const struct way {
	const char *name;
	void (*run)(int n);
	int messages; /* one after the other, in a round */
} ways[] = {
	{ "pingpong:ssend", pingpong_ssend, 2 },
	{ "pingpong:rsend", pingpong_rsend, 3 },
	{ "pingpong:probe", pingpong_probe, 2 },
	{ "pingpong:mprobe", pingpong_mprobe, 2 },
	{ "pingpong:iprobe", pingpong_iprobe, 2 },
	{ "pingpong:any", pingpong_any, 2 },
	{ "pingpong:test", pingpong_test, 2 },
	{ "pingpong:vector", pingpong_vector, 2 },
	{ "pingpong:struct", pingpong_struct, 2 },
	{ "pingpong:dup", pingpong_dup, 2 },
	{ "both:isend", both_isend, 1 },
	{ "both:sendrecv", both_sendrecv, 1 },
	{ "both:persistent", both_kept, 1 },
	{ "both:ssend", both_ssend, 1 },
	{ "both:bsend", both_bsend, 1 },
	{ "both:vector", both_vector, 1 },
	{ "both:sizes", both_sizes, 1 },
	{ "both:rsend", both_rsend, 1 },
	{ "window:waitany", window_waitany, WINDOW },
	{ "window:waitsome", window_waitsome, WINDOW },
	{ "window:testsome", window_testsome, WINDOW },
	{ "window:testall", window_testall, WINDOW },
};
#define WAYS ((int)(sizeof(ways) / sizeof(ways[0])))

static double block(const void *arg, int n, long rounds)
{
	const struct way *way = arg;
	const double start = MPI_Wtime();

	for (long i = 0; i < rounds; i++)
		way->run(n);
	return MPI_Wtime() - start;
}

static void measure(const struct way *way, int n, double seconds)
{
	static double blocks[BLOCKS_MAX];
	const struct blocks plan = blocks_find(block, way, n, seconds);
	const double us = 1e6 / (double)(plan.rounds * way->messages);

	for (int i = 0; i < plan.n; i++)
		blocks[i] = block(way, n, plan.rounds);
	if (rank == 0)
		printf("%s %.4f\n", way->name,
		       values_median(blocks, plan.n) * us);
}

static void *room(size_t bytes)
{
	void *memory = calloc(1, bytes);

	if (!memory)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return memory;
}

static void make_types(int n)
{
	const MPI_Aint places[] = { 0, 8 };
	const int lengths[] = { 1, 1 };
	const MPI_Datatype parts[] = { MPI_INT, MPI_FLOAT };
	MPI_Datatype apart;

	MPI_Type_vector(n / 8, 1, 2, MPI_DOUBLE, &vector);
	MPI_Type_commit(&vector);
	MPI_Type_create_struct(2, lengths, places, parts, &apart);
	MPI_Type_create_resized(apart, 0, 16, &record);
	MPI_Type_commit(&record);
	MPI_Type_free(&apart);
}

static void begin(int n)
{
	const size_t window_bytes = (size_t)n * WINDOW;
	const int buffer = 4 * (n + MPI_BSEND_OVERHEAD);

	world = MPI_COMM_WORLD;
	peer = rank ^ 1;
	out = room(window_bytes);
	in = room(window_bytes);
	make_types(n);
	MPI_Comm_dup(world, &comm);
	MPI_Buffer_attach(room((size_t)buffer), buffer);
	MPI_Recv_init(in, n, MPI_CHAR, peer, 0, world, &kept[0]);
	MPI_Send_init(out, n, MPI_CHAR, peer, 0, world, &kept[1]);
}

static void end(void)
{
	void *buffer;
	int bytes;

	MPI_Request_free(&kept[0]);
	MPI_Request_free(&kept[1]);
	MPI_Buffer_detach((void *)&buffer, &bytes);
	MPI_Comm_free(&comm);
	MPI_Type_free(&vector);
	MPI_Type_free(&record);
	free(buffer);
	free(out);
	free(in);
}

static int usage(void)
{
	fputs(USAGE, stderr);
	return 2;
}

static bool is_wanted(const struct way *way, const char *name)
{
	return !name || strcmp(way->name, name) == 0;
}

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? atof(argv[1]) : -1;
	const int n = argc > 2 ? atoi(argv[2]) : -1;
	const char *name = argc > 3 ? argv[3] : NULL;
	int size;

	if (argc > 4 || n < 8 || n > 1 << 24 ||
	    !(seconds >= 0 && seconds <= SECONDS_MAX))
		return usage();
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size % 2)
		MPI_Abort(MPI_COMM_WORLD, usage());
	begin(n);
	for (int i = 0; i < WAYS; i++)
		if (is_wanted(&ways[i], name))
			measure(&ways[i], n, seconds);
	end();
	MPI_Finalize();
	return 0;
}
