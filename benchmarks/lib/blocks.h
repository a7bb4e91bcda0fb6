/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BLOCKS_H
#define BLOCKS_H

/*
 * Repeats a test in blocks that can be timed, of the same number for all ranks.
 */
#include <mpi.h>

#define BLOCK_SECONDS 0.005
#define WARM_SECONDS  0.1
#define BLOCKS_MAX    10000

/* So many rounds of a test on `n` bytes; returns what they took, in seconds. */
typedef double (*block_fn)(const void *test, int n, long rounds);

struct blocks {
	long rounds; /* of a block, so that it takes some 5 ms */
	int n;       /* blocks, so that they take so many seconds */
};

static inline double blocks_by_root(block_fn block, const void *test, int n,
				    long rounds)
{
	double seconds = block(test, n, rounds);

	MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return seconds;
}

/*
 * The number of calls in a block, found by rank 0 after all have their memory
 * and have met.  All ranks call it.
 */
static inline struct blocks blocks_find(block_fn block, const void *test, int n,
					double seconds)
{
	struct blocks blocks = { .rounds = 1 };
	double spent = 0;
	double one;

	for (;;) {
		one = blocks_by_root(block, test, n, blocks.rounds);
		spent += one;
		if (one < BLOCK_SECONDS)
			blocks.rounds *= 2;
		else if (spent >= WARM_SECONDS)
			break;
	}
	blocks.n = BLOCKS_MAX;
	if (seconds / one + 3 < BLOCKS_MAX)
		blocks.n = (int)(seconds / one) + 3;
	return blocks;
}

#endif
