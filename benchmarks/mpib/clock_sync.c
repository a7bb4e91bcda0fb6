/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A process asks rank 0 for the time.  Rank 0 reads its clock between the
 * question and the arrival of the answer.  The process takes the middle of
 * these two moments, which is off by half the round trip at most.  The shortest
 * of many round trips counts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpib.h"

#define QUESTIONS 40
#define NAME      128
#define TAG       1

struct anchor {
	int64_t local;
	int64_t offset; /* of rank 0's clock to ours */
	int64_t bound;
};

struct mpib_clock {
	MPI_Comm comm;
	int rank;
	int size;
	char *asks; /* by rank */
	struct anchor before;
	struct anchor last;
};

int64_t mpib_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Empty if it cannot be told: then it is nobody's. */
static void name_clock(char *name)
{
	FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");
	ssize_t n = -1;

	memset(name, 0, NAME);
	if (!boot)
		return;
	if (fgets(name, NAME / 2, boot))
		n = readlink("/proc/self/ns/time", name + NAME / 2,
			     NAME / 2 - 1);
	if (n < 0)
		memset(name, 0, NAME);
	fclose(boot);
}

/* Finds the processes that have to ask. */
static void find_same(struct mpib_clock *clock, bool by_messages)
{
	char first[NAME];
	char name[NAME];
	char asks;

	name_clock(name);
	memcpy(first, name, NAME);
	MPI_Bcast(first, NAME, MPI_CHAR, 0, clock->comm);
	asks = by_messages || !name[0] || memcmp(first, name, NAME) != 0;
	asks = asks && clock->rank > 0;
	MPI_Allgather(&asks, 1, MPI_CHAR, clock->asks, 1, MPI_CHAR,
		      clock->comm);
}

static struct anchor ask_once(const struct mpib_clock *clock)
{
	int64_t answer;
	int64_t begin;
	int64_t end;

	begin = mpib_clock_now();
	MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, clock->comm);
	MPI_Recv(&answer, 1, MPI_INT64_T, 0, TAG, clock->comm,
		 MPI_STATUS_IGNORE);
	end = mpib_clock_now();
	return (struct anchor){
		.local = begin + (end - begin) / 2,
		.offset = answer - (begin + (end - begin) / 2),
		.bound = (end - begin + 1) / 2,
	};
}

static void ask(struct mpib_clock *clock)
{
	struct anchor best = ask_once(clock);

	for (int i = 1; i < QUESTIONS; i++) {
		const struct anchor one = ask_once(clock);

		if (one.bound < best.bound)
			best = one;
	}
	clock->last = best;
}

static void answer(const struct mpib_clock *clock, int rank)
{
	int64_t now;

	for (int i = 0; i < QUESTIONS; i++) {
		MPI_Recv(NULL, 0, MPI_BYTE, rank, TAG, clock->comm,
			 MPI_STATUS_IGNORE);
		now = mpib_clock_now();
		MPI_Send(&now, 1, MPI_INT64_T, rank, TAG, clock->comm);
	}
}

int mpib_clock_anchor(struct mpib_clock *clock)
{
	clock->before = clock->last;
	if (clock->rank == 0) {
		for (int i = 1; i < clock->size; i++)
			if (clock->asks[i])
				answer(clock, i);
	} else if (clock->asks[clock->rank]) {
		ask(clock);
	}
	return 0;
}

int mpib_clock_new(MPI_Comm comm, bool by_messages, struct mpib_clock **made)
{
	struct mpib_clock *clock = calloc(1, sizeof(*clock));
	int size;
	int ok;

	MPI_Comm_size(comm, &size);
	if (clock)
		clock->asks = malloc((size_t)size);
	ok = clock && clock->asks;
	MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, comm);
	if (!ok) {
		if (clock)
			free(clock->asks);
		free(clock);
		return -ENOMEM;
	}
	MPI_Comm_dup(comm, &clock->comm);
	MPI_Comm_rank(comm, &clock->rank);
	clock->size = size;
	find_same(clock, by_messages);
	mpib_clock_anchor(clock);
	clock->before = clock->last;
	*made = clock;
	return 0;
}

void mpib_clock_free(struct mpib_clock *clock)
{
	if (!clock)
		return;
	MPI_Comm_free(&clock->comm);
	free(clock->asks);
	free(clock);
}

/* Outside of the anchors it is that of the nearer one. */
static int64_t offset_at(const struct mpib_clock *clock, int64_t local)
{
	const struct anchor *a = &clock->before;
	const struct anchor *b = &clock->last;

	if (local >= b->local)
		return b->offset;
	if (local <= a->local)
		return a->offset;
	return a->offset + (int64_t)((double)(b->offset - a->offset) *
				     (double)(local - a->local) /
				     (double)(b->local - a->local));
}

int64_t mpib_clock_global(const struct mpib_clock *clock, int64_t local)
{
	return local + offset_at(clock, local);
}

int64_t mpib_clock_local(const struct mpib_clock *clock, int64_t global)
{
	return global - offset_at(clock, global - clock->last.offset);
}

int64_t mpib_clock_bound(const struct mpib_clock *clock)
{
	const int64_t a = clock->before.bound;
	const int64_t b = clock->last.bound;

	return a > b ? a : b;
}
