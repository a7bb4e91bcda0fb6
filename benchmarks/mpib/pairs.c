/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Who has the lower rank of a pair repeats and decides; the other says before
 * each round trip that it is ready, so that no message waits for a receive.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "circle.h"
#include "mpib.h"
#include "repeat.h"
#include "timing.h"

#define TAG 3

struct pairs {
	MPI_Comm comm;
	int rank;
	int size;
	bool crowded;
	int out;
	int back;
	char *buf;
	const struct mpib_rules *rules;
	struct mpib_result *results;
	int rc;
};

int mpib_pair_index(int n, int i, int j)
{
	return i * (2 * n - i - 1) / 2 + j - i - 1;
}

static void send(const struct pairs *pairs, int bytes, int to)
{
	MPI_Send(pairs->buf, bytes, MPI_BYTE, to, TAG, pairs->comm);
}

static void recv(const struct pairs *pairs, int bytes, int from)
{
	MPI_Recv(pairs->buf, bytes, MPI_BYTE, from, TAG, pairs->comm,
		 MPI_STATUS_IGNORE);
}

static double trip(const struct pairs *pairs, int other)
{
	int64_t begin;

	recv(pairs, 0, other);
	begin = mpib_clock_now();
	send(pairs, pairs->out, other);
	recv(pairs, pairs->back, other);
	return (double)(mpib_clock_now() - begin) * 1e-9;
}

static void answer(const struct pairs *pairs, int other)
{
	int n;

	for (;;) {
		MPI_Recv(&n, 1, MPI_INT, other, TAG, pairs->comm,
			 MPI_STATUS_IGNORE);
		if (n == 0)
			return;
		for (int i = 0; i < n; i++) {
			send(pairs, 0, other);
			recv(pairs, pairs->out, other);
			send(pairs, pairs->back, other);
		}
	}
}

static double since(int64_t begin)
{
	return (double)(mpib_clock_now() - begin) * 1e-9;
}

static void repeat_trips(const struct pairs *pairs, int other,
			 struct repeat *repeat, int64_t begin)
{
	int n;

	do {
		n = repeat_next(repeat, since(begin));
		MPI_Send(&n, 1, MPI_INT, other, TAG, pairs->comm);
		for (int i = 0; i < n; i++)
			repeat_add(repeat, trip(pairs, other));
	} while (n > 0);
}

/* Without memory there are no trips, of which the other has to know. */
static int decide(const struct pairs *pairs, int other,
		  struct mpib_result *result)
{
	struct mpib_rules rules = *pairs->rules;
	const int64_t begin = mpib_clock_now();
	struct repeat repeat = { 0 };
	const int none = 0;
	int rc;

	rules.samples = NULL;
	rc = repeat_begin(&repeat, &rules);
	if (rc < 0) {
		MPI_Send(&none, 1, MPI_INT, other, TAG, pairs->comm);
		return rc;
	}
	repeat_trips(pairs, other, &repeat, begin);
	rc = repeat_result(&repeat, since(begin), result);
	repeat_end(&repeat);
	return rc;
}

static void meet(struct pairs *pairs, int other)
{
	int at;
	int rc;

	if (other < pairs->rank) {
		answer(pairs, other);
		return;
	}
	at = mpib_pair_index(pairs->size, pairs->rank, other);
	rc = decide(pairs, other, &pairs->results[at]);
	if (rc < 0)
		pairs->rc = rc;
}

static void meet_together(struct pairs *pairs, int round)
{
	const int other = circle_partner(pairs->size, round, pairs->rank);

	if (other >= 0)
		meet(pairs, other);
	timing_barrier(pairs->comm, pairs->crowded);
}

static void meet_in_turn(struct pairs *pairs, int round)
{
	for (int i = 0; i < pairs->size; i++) {
		const int j = circle_partner(pairs->size, round, i);

		if (j < i)
			continue;
		if (pairs->rank == i)
			meet(pairs, j);
		else if (pairs->rank == j)
			meet(pairs, i);
		timing_barrier(pairs->comm, pairs->crowded);
	}
}

static void meet_all(struct pairs *pairs, bool parallel)
{
	for (int round = 0; round < circle_rounds(pairs->size); round++)
		if (parallel)
			meet_together(pairs, round);
		else
			meet_in_turn(pairs, round);
}

/* What others found is zero here. */
static int share(struct pairs *pairs, struct mpib_result *results)
{
	const int n = mpib_pair_index(pairs->size, pairs->size - 1,
				      pairs->size);
	const int bytes = n * (int)sizeof(*results);
	const int rc = timing_agree(pairs->comm, pairs->rc);

	if (rc == 0)
		MPI_Allreduce(pairs->results, results, bytes, MPI_BYTE, MPI_BOR,
			      pairs->comm);
	return rc;
}

static int make_room(struct pairs *pairs)
{
	const int most = pairs->out > pairs->back ? pairs->out : pairs->back;
	const size_t n = (size_t)pairs->size * (size_t)pairs->size;
	int rc = 0;

	pairs->results = calloc(n, sizeof(*pairs->results));
	pairs->buf = calloc(1, (size_t)most + 1);
	if (!pairs->results || !pairs->buf)
		rc = -ENOMEM;
	return timing_agree(pairs->comm, rc);
}

int mpib_measure_pairs(MPI_Comm comm, int out, int back, bool parallel,
		       const struct mpib_rules *rules,
		       struct mpib_result *results)
{
	struct pairs pairs = { .out = out, .back = back, .rules = rules };
	int rc;

	rc = timing_agree(comm, out < 0 || back < 0 ? -EINVAL : 0);
	if (rc < 0)
		return rc;
	MPI_Comm_dup(comm, &pairs.comm);
	MPI_Comm_rank(comm, &pairs.rank);
	MPI_Comm_size(comm, &pairs.size);
	mpib_crowded(comm, &pairs.crowded);
	rc = make_room(&pairs);
	if (rc == 0) {
		meet_all(&pairs, parallel);
		rc = share(&pairs, results);
	}
	free(pairs.buf);
	free(pairs.results);
	MPI_Comm_free(&pairs.comm);
	return rc;
}
