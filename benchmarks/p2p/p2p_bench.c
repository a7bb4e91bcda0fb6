/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of a message between neighbours, all pairs at a time, in
 * microseconds: the median of rank 0's blocks, and the mean.  A block has as
 * many rounds as fill 5 ms.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/blocks.h"
#include "benchmarks/lib/values.h"

#define USAGE                                                                \
	"usage: p2p SECONDS pingpong|written|window|exchange|stream BYTES\n" \
	"on an even number of ranks\n"

#define WINDOW      64
#define STREAM      (32 << 20) /* bytes */
#define STREAM_MAX  128
#define LATE        5e-6 /* seconds */
#define SECONDS_MAX 3600

static int rank;
static int peer;
static char *out;
static char *in;

static void send(const char *buf, int n)
{
	MPI_Send(buf, n, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
}

static void recv(char *buf, int n)
{
	MPI_Recv(buf, n, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pingpong(int n)
{
	if (rank < peer)
		send(out, n);
	recv(in, n);
	if (rank > peer)
		send(out, n);
}

/* Programs write a buffer just before they send it; that counts, too. */
static void written(int n)
{
	static int value;

	if (rank < peer)
		send(memset(out, ++value, (size_t)n), n);
	recv(in, n);
	if (rank > peer)
		send(memset(out, ++value, (size_t)n), n);
}

/* Many at once to the second of a pair, which answers when it has them all. */
static void window(int n)
{
	MPI_Request requests[WINDOW];
	MPI_Status statuses[WINDOW];

	for (int i = 0; i < WINDOW; i++)
		if (rank < peer)
			MPI_Isend(out + i * n, n, MPI_CHAR, peer, 0,
				  MPI_COMM_WORLD, &requests[i]);
		else
			MPI_Irecv(in + i * n, n, MPI_CHAR, peer, 0,
				  MPI_COMM_WORLD, &requests[i]);
	MPI_Waitall(WINDOW, requests, statuses);
	if (rank < peer)
		recv(in, 0);
	else
		send(out, 0);
}

/* To each other; one comes a little later, as mostly one does. */
static void exchange(int n)
{
	const double start = MPI_Wtime();
	MPI_Request requests[2];
	MPI_Status statuses[2];

	while (rank > peer && MPI_Wtime() - start < LATE)
		;
	MPI_Irecv(in, n, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, n, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, statuses);
}

static MPI_Request streamed[2][STREAM_MAX];
static int stream_side;

static int stream_messages(int n)
{
	const int messages = STREAM / (n + 1) + 1;

	return messages < STREAM_MAX ? messages : STREAM_MAX;
}

static void stream_end(int n)
{
	MPI_Status statuses[STREAM_MAX];

	MPI_Waitall(stream_messages(n), streamed[stream_side], statuses);
}

/*
 * To the second of a pair.  One window is posted while the other one is under
 * way: in slices a message takes some of them, however short it is.
 */
static void stream(int n)
{
	const int messages = stream_messages(n);
	const size_t begin = (size_t)stream_side * (size_t)messages * (size_t)n;
	MPI_Request *requests = streamed[stream_side];

	for (int i = 0; i < messages; i++)
		if (rank < peer)
			MPI_Isend(out + begin + (size_t)i * (size_t)n, n,
				  MPI_CHAR, peer, 0, MPI_COMM_WORLD,
				  &requests[i]);
		else
			MPI_Irecv(in + begin + (size_t)i * (size_t)n, n,
				  MPI_CHAR, peer, 0, MPI_COMM_WORLD,
				  &requests[i]);
	stream_side = !stream_side;
	stream_end(n);
}

static const struct test {
	const char *name;
	void (*run)(int n);
	int messages; /* one after the other, in a round */
	int buffers;
} tests[] = {
	{ "pingpong", pingpong, 2, 1 },       { "written", written, 2, 1 },
	{ "window", window, WINDOW, WINDOW }, { "exchange", exchange, 1, 1 },
	{ "stream", stream, 0, 0 },
};

static const struct test *test_find(const char *name)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (strcmp(tests[i].name, name) == 0)
			return &tests[i];
	return NULL;
}

static double block(const void *arg, int n, long rounds)
{
	const struct test *test = arg;
	const double start = MPI_Wtime();

	for (long i = 0; i < rounds; i++)
		test->run(n);
	return MPI_Wtime() - start;
}

static void measure(const struct test *test, int n, double seconds)
{
	static double blocks[BLOCKS_MAX];
	const struct blocks plan = blocks_find(block, test, n, seconds);
	const int messages = test->messages ? test->messages
					    : stream_messages(n);
	const double us = 1e6 / (double)(plan.rounds * messages);
	double sum = 0;

	for (int i = 0; i < plan.n; i++) {
		blocks[i] = block(test, n, plan.rounds);
		sum += blocks[i];
	}
	if (rank == 0)
		printf("%.4f %.4f\n", values_median(blocks, plan.n) * us,
		       sum / plan.n * us);
}

static void *room(size_t bytes)
{
	void *memory = calloc(1, bytes + 1);

	if (!memory)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return memory;
}

/* Pages that nobody wrote are all the same one, and in the cache. */
static void stream_begin(int n)
{
	const size_t bytes = 2 * (size_t)stream_messages(n) * (size_t)n;

	for (int i = 0; i < STREAM_MAX; i++)
		streamed[0][i] = streamed[1][i] = MPI_REQUEST_NULL;
	out = memset(room(bytes), 1, bytes);
	in = memset(room(bytes), 1, bytes);
}

int main(int argc, char **argv)
{
	const struct test *test = argc == 4 ? test_find(argv[2]) : NULL;
	const double seconds = argc == 4 ? atof(argv[1]) : -1;
	const int n = argc == 4 ? atoi(argv[3]) : -1;
	int size;

	if (!test || n < 0 || !(seconds >= 0 && seconds <= SECONDS_MAX)) {
		fputs(USAGE, stderr);
		return 2;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size % 2) {
		fputs(USAGE, stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	peer = rank ^ 1;
	if (test->run == stream) {
		stream_begin(n);
	} else {
		out = room((size_t)n * (size_t)test->buffers);
		in = room((size_t)n * (size_t)test->buffers);
	}
	measure(test, n, seconds);
	if (test->run == stream) {
		stream_side = !stream_side;
		stream_end(n);
	}
	free(out);
	free(in);
	MPI_Finalize();
	return 0;
}
