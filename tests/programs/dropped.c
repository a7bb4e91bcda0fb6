/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: dropped WHO FIRST
 *
 * Processes give up their rights in the middle of large messages: those with a
 * bit in WHO. From then on no other may read or write their memory.  The
 * messages are read by their receiver, written by their sender, moved by both,
 * and moved while both compute.  FIRST says with which of these it begins.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define LARGE  2500000
#define N      3
#define NOBODY 65534

static int rank;
static int size;
static int wrong;
static unsigned char in[N][LARGE];
static unsigned char out[N][LARGE];

static void busy(long ms)
{
	const struct timespec pause = { .tv_nsec = ms * 1000000 };

	nanosleep(&pause, NULL);
}

/* A message has the bytes of this array from there on. */
static unsigned char bytes_of_all[LARGE + 65536];

static const unsigned char *bytes_of(int from, int round, int i)
{
	return bytes_of_all + from * 7919 + round * 1013 + i * 127;
}

static void bytes_make(void)
{
	uint32_t x = 1;

	for (size_t at = 0; at < sizeof(bytes_of_all); at++) {
		x = x * 1664525 + 1013904223;
		bytes_of_all[at] = (unsigned char)(x >> 24);
	}
}

static void fill(int round, int bytes)
{
	for (int i = 0; i < N; i++)
		memcpy(out[i], bytes_of(rank, round, i), (size_t)bytes);
}

static void check(int from, int round, int bytes)
{
	for (int i = 0; i < N; i++)
		wrong += memcmp(in[i], bytes_of(from, round, i),
				(size_t)bytes) != 0;
}

static void drop(int who)
{
	if (!(who >> rank & 1))
		return;
	if (getuid() == 0 && setuid(NOBODY) != 0)
		wrong++;
	prctl(PR_SET_DUMPABLE, 0);
}

/* How late the receiver and the sender are; they drop after the posts. */
struct way {
	int receiver;
	int sender;
	int computes;
	int both;
};

static void exchange(const struct way *way, int round, int bytes, int who)
{
	const int to = (rank + 1) % size;
	const int from = (rank + size - 1) % size;
	const int sends = way->both || (rank % 2 == 0 && to > rank);
	const int receives = way->both || rank % 2 == 1;
	MPI_Request r[2 * N];
	int n = 0;

	fill(round, bytes);
	MPI_Barrier(MPI_COMM_WORLD);
	busy(rank % 2 ? way->receiver : way->sender);
	for (int i = 0; receives && i < N; i++)
		MPI_Irecv(in[i], bytes, MPI_BYTE, from, i, MPI_COMM_WORLD,
			  &r[n++]);
	for (int i = 0; sends && i < N; i++)
		MPI_Isend(out[i], bytes, MPI_BYTE, to, i, MPI_COMM_WORLD,
			  &r[n++]);
	if (way->computes)
		busy(1);
	drop(who);
	if (way->computes)
		busy(20);
	MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
	if (receives)
		check(from, round, bytes);
}

static void sums(int round)
{
	static double x[LARGE / 8];
	static double sum[LARGE / 8];
	const int n = LARGE / 8;

	for (int i = 0; i < n; i++)
		x[i] = rank + round + i % 17;
	MPI_Allreduce(x, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < n; i++)
		wrong += sum[i] !=
			 size * (round + i % 17) + size * (size - 1) / 2.0;
	MPI_Bcast(x, n, MPI_DOUBLE, round % size, MPI_COMM_WORLD);
	for (int i = 0; i < n; i++)
		wrong += x[i] != round % size + round + i % 17;
}

int main(int argc, char *argv[])
{
	static const struct way ways[] = {
		{ 0, 0, 0, 0 }, { 5, 0, 0, 0 }, { 0, 5, 0, 0 },
		{ 0, 0, 1, 0 }, { 0, 0, 0, 1 }, { 0, 5, 1, 1 },
	};
	static const int sizes[] = { 20000, 200000, LARGE };
	const int who = argc > 1 ? atoi(argv[1]) : 0;
	const int first = argc > 2 ? atoi(argv[2]) : 0;
	const int n = (int)(sizeof(ways) / sizeof(ways[0]));
	int all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	bytes_make();
	for (int round = 0; round < 3 * n; round++)
		exchange(&ways[(round / 3 + first) % n], round,
			 sizes[round % 3], round < 2 ? 0 : who);
	for (int round = 0; round < 3; round++)
		sums(round);
	MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d messages were wrong\n", all);
	MPI_Finalize();
	return 0;
}
