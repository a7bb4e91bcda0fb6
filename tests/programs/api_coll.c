/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: bcs_coll [MICROSECONDS]
 * The collectives of bcs.h, with equal parts and with parts of their own,
 * blocking and not, and some messages.  They run on demand, or in slices of
 * that length.  Each process says "right", or what is wrong.
 */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/api/bcs.h"

#define RANKS_MAX 8

static int rank;
static int size;
static int wrong;

static void check(const char *what, int is)
{
	if (is)
		return;
	printf("process %d: %s\n", rank, what);
	wrong++;
}

static void wait_for(bcs_request *request, const char *what)
{
	check(what, bcs_test(request, BCS_BLOCKING, NULL, NULL) == 0);
}

static int value(int from, int to)
{
	return 100 * from + to;
}

static void equal_parts(void)
{
	int out[RANKS_MAX];
	int in[RANKS_MAX];
	const struct bcs_parts outs = { .at = out, .each = sizeof(int) };
	const struct bcs_parts ins = { .at = in, .each = sizeof(int) };
	int one = -1;

	for (int i = 0; i < size; i++)
		out[i] = value(rank, i);
	check("alltoall", bcs_alltoall(&outs, &ins, BCS_BLOCKING, NULL) == 0);
	for (int i = 0; i < size; i++)
		check("alltoall's parts", in[i] == value(i, rank));
	check("scatter", bcs_scatter(&outs, &one, sizeof(one), size - 1,
				     BCS_BLOCKING, NULL) == 0);
	check("scatter's part", one == value(size - 1, rank));
	one = value(rank, 7);
	check("allgather",
	      bcs_allgather(&one, sizeof(one), &ins, BCS_BLOCKING, NULL) == 0);
	for (int i = 0; i < size; i++)
		check("allgather's parts", in[i] == value(i, 7));
}

/* Process i has i + 1 numbers, and they lie in the other direction. */
static void own_parts(void)
{
	int out[RANKS_MAX];
	int in[RANKS_MAX * RANKS_MAX];
	size_t bytes[RANKS_MAX];
	size_t displs[RANKS_MAX];
	struct bcs_parts ins = { .at = in, .bytes = bytes, .displs = displs };
	bcs_request requests[2];

	for (int i = 0; i < size; i++) {
		bytes[i] = sizeof(int) * ((size_t)i + 1);
		displs[i] = sizeof(int) * RANKS_MAX * (size_t)(size - 1 - i);
		out[i] = value(rank, i);
	}
	memset(in, 0, sizeof(in));
	check("gather", bcs_gather(out, bytes[rank], &ins, 0, BCS_NON_BLOCKING,
				   &requests[0]) == 0);
	check("barrier", bcs_barrier(BCS_NON_BLOCKING, &requests[1]) == 0);
	wait_for(&requests[1], "the end of barrier");
	wait_for(&requests[0], "the end of gather");
	for (int i = 0; rank == 0 && i < size; i++)
		for (int k = 0; k <= i; k++)
			check("gather's parts",
			      in[RANKS_MAX * (size - 1 - i) + k] ==
				      value(i, k));
}

/* The left of two: associative, but it does not commute. */
static void left(const void *in, void *inout, size_t n, void *arg)
{
	(void)arg;
	memcpy(inout, in, n * sizeof(int));
}

static void reductions(void)
{
	const struct bcs_op op = { .run = left, .bytes = sizeof(int) };
	int out[3] = { rank + 5, rank + 6, rank + 7 };
	int in[3] = { 0 };
	bcs_request request;

	check("reduce", bcs_reduce(out, in, 3, &op, size - 1, BCS_NON_BLOCKING,
				   &request) == 0);
	wait_for(&request, "the end of reduce");
	check("reduce's result",
	      rank != size - 1 || (in[0] == 5 && in[2] == 7));
	check("reduce to all",
	      bcs_reduce(out, out, 3, &op, BCS_ALL, BCS_BLOCKING, NULL) == 0);
	check("the result of all", out[0] == 5 && out[2] == 7);
	check("a root that is none",
	      bcs_bcast(in, 4, size, BCS_BLOCKING, NULL) == -EINVAL);
	check("no place for the request",
	      bcs_barrier(BCS_NON_BLOCKING, NULL) == -EINVAL);
}

/* Without an argument, for another node cannot know.  Nor can the root; it is
 * the last call, for all after it fail, too. */
static void other_sizes(void)
{
	char room[8] = "root";
	const size_t bytes = rank == 0 ? 4 : sizeof(room);

	check("a broadcast of other sizes",
	      bcs_bcast(room, bytes, 0, BCS_BLOCKING, NULL) ==
		      (rank == 0 ? 0 : -EPROTO));
}

/* A large message and a small one around the ring, which is probed. */
static void messages(void)
{
	static char out[300000];
	static char in[sizeof(out)];
	const int next = (rank + 1) % size;
	const int previous = (rank + size - 1) % size;
	bcs_request requests[2];
	struct bcs_status status;
	bool there = false;

	memset(out, rank + 1, sizeof(out));
	bcs_send(out, sizeof(out), next, 1, BCS_NON_BLOCKING, &requests[0]);
	bcs_send(out, 10, next, 2, BCS_NON_BLOCKING, &requests[1]);
	check("no message with another tag",
	      bcs_probe(previous, 3, BCS_NON_BLOCKING, &there, NULL) == 0 &&
		      !there);
	bcs_probe(BCS_ANY, 2, BCS_BLOCKING, &there, &status);
	check("a probe",
	      there && status.source == previous && status.bytes == 10);
	bcs_recv(in, 10, previous, 2, BCS_BLOCKING, NULL, &status);
	check("a small message", status.bytes == 10 && in[9] == previous + 1);
	bcs_recv(in, sizeof(in), previous, 1, BCS_BLOCKING, NULL, &status);
	check("a large message",
	      status.bytes == sizeof(in) && in[sizeof(in) - 1] == previous + 1);
	check("the ends of sends",
	      bcs_testall(2, requests, BCS_BLOCKING, &there, NULL) == 0);
}

int main(int argc, char **argv)
{
	const struct bcs_options options = {
		.slice_ns = argc > 1 ? strtoull(argv[1], NULL, 10) * 1000 : 0
	};

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &(int){ 0 });
	if (bcs_start(MPI_COMM_WORLD, &options) != 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
	rank = bcs_rank();
	size = bcs_size();
	equal_parts();
	own_parts();
	reductions();
	messages();
	if (argc <= 2)
		other_sizes();
	bcs_stop();
	if (wrong == 0)
		printf("process %d: right\n", rank);
	MPI_Finalize();
	return 0;
}
