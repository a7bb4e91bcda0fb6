/* SPDX-License-Identifier: BSD-3-Clause */

/* Measures round trips of all pairs of processes. */
#include <errno.h>
#include <stdlib.h>

#include "circle.h"
#include "meet.h"
#include "timing.h"
#include "verify.h"

#define TAG 5

int mpib_pair_index(int n, int i, int j)
{
	return i * (2 * n - i - 1) / 2 + j - i - 1;
}

static int count(int n)
{
	return n * (n - 1) / 2;
}

/* The lower rank of a pair is the root. */
static void meet_pair(struct meet *meet, int other)
{
	if (other < meet->rank)
		meet_root(meet, other);
	else
		meet_others(meet, &other, 1,
			    &meet->results[mpib_pair_index(meet->size,
							   meet->rank, other)]);
}

static void meet_together(struct meet *meet, int round)
{
	const int other = circle_partner(meet->size, round, meet->rank);

	if (other >= 0)
		meet_pair(meet, other);
	timing_barrier(meet->comm, meet->crowded);
}

static void meet_in_turn(struct meet *meet, int round)
{
	for (int i = 0; i < meet->size; i++) {
		const int j = circle_partner(meet->size, round, i);

		if (j < i)
			continue;
		if (meet->rank == i)
			meet_pair(meet, j);
		else if (meet->rank == j)
			meet_pair(meet, i);
		timing_barrier(meet->comm, meet->crowded);
	}
}

int mpib_measure_pairs(MPI_Comm comm, int out, int back, bool parallel,
		       const struct mpib_rules *rules,
		       struct mpib_result *results)
{
	struct meet meet = { .out = out, .back = back, .rules = rules };
	const int rc = meet_begin(&meet, comm, count);

	if (rc < 0)
		return rc;
	for (int round = 0; round < circle_rounds(meet.size); round++)
		if (parallel)
			meet_together(&meet, round);
		else
			meet_in_turn(&meet, round);
	return meet_end(&meet, results);
}

static void send_bytes(const struct meet *meet, int to, int bytes)
{
	verify_fill(meet->buf, meet->rank, to, bytes);
	MPI_Send(meet->buf, bytes, MPI_BYTE, to, TAG, meet->comm);
}

static bool recv_bytes(const struct meet *meet, int from, int bytes)
{
	for (int i = 0; i < bytes; i++)
		meet->buf[i] = 0;
	MPI_Recv(meet->buf, bytes, MPI_BYTE, from, TAG, meet->comm,
		 MPI_STATUS_IGNORE);
	return verify_holds(meet->buf, from, meet->rank, bytes);
}

static bool check_pair(const struct meet *meet, int other)
{
	bool is_right;

	if (other > meet->rank) {
		send_bytes(meet, other, meet->out);
		return recv_bytes(meet, other, meet->back);
	}
	is_right = recv_bytes(meet, other, meet->out);
	send_bytes(meet, other, meet->back);
	return is_right;
}

int mpib_check_pairs(MPI_Comm comm, int out, int back)
{
	struct meet meet = { .out = out, .back = back };
	int rc = meet_begin(&meet, comm, count);
	struct mpib_result *results;

	if (rc < 0)
		return rc;
	for (int round = 0; round < circle_rounds(meet.size); round++) {
		const int other = circle_partner(meet.size, round, meet.rank);

		if (other >= 0 && !check_pair(&meet, other))
			meet.rc = -EBADMSG;
	}
	results = calloc((size_t)meet.n_results + 1, sizeof(*results));
	if (!results)
		meet.rc = -ENOMEM;
	rc = meet_end(&meet, results);
	free(results);
	return rc;
}
