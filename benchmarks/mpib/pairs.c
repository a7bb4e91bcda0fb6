/* SPDX-License-Identifier: BSD-3-Clause */

/* Measures round trips of all pairs of processes. */
#include "circle.h"
#include "meet.h"
#include "timing.h"

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
