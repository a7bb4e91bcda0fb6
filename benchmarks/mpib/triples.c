/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Point-to-two.  Every process goes through the same list of all triples, and
 * takes those that share no process with one taken before.  These are measured
 * at the same time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "meet.h"
#include "timing.h"

/* i < n sends to j < k, neither of them i. */
int mpib_triple_index(int n, int i, int j, int k)
{
	return i * ((n - 1) * (n - 2) / 2) +
	       mpib_pair_index(n - 1, j - (j > i), k - (k > i));
}

static int count(int n)
{
	return n * (n - 1) * (n - 2) / 2;
}

struct triples {
	struct meet meet;
	bool *done; /* by index */
	bool *busy; /* by rank, in this round */
	bool parallel;
	int left;
};

/* Where this process has no part in it, it goes on. */
static void take(struct triples *triples, int i, int j, int k)
{
	struct meet *meet = &triples->meet;
	const int at = mpib_triple_index(meet->size, i, j, k);
	const int others[] = { j, k };

	if (triples->done[at] || triples->busy[i] || triples->busy[j] ||
	    triples->busy[k])
		return;
	triples->done[at] = true;
	triples->left--;
	triples->busy[i] = triples->busy[j] = triples->busy[k] = true;
	if (meet->rank == i)
		meet_others(meet, others, 2, &meet->results[at]);
	else if (meet->rank == j || meet->rank == k)
		meet_root(meet, i);
	if (!triples->parallel) {
		timing_barrier(meet->comm, meet->crowded);
		memset(triples->busy, 0, (size_t)meet->size);
	}
}

static void take_round(struct triples *triples)
{
	const int n = triples->meet.size;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = j + 1; k < n; k++)
				if (j != i && k != i)
					take(triples, i, j, k);
	if (triples->parallel)
		timing_barrier(triples->meet.comm, triples->meet.crowded);
	memset(triples->busy, 0, (size_t)n);
}

static int take_all(struct triples *triples)
{
	const size_t n = (size_t)triples->meet.size;
	int rc = 0;

	triples->left = count((int)n);
	triples->done = calloc((size_t)triples->left + 1, sizeof(bool));
	triples->busy = calloc(n, sizeof(bool));
	if (!triples->done || !triples->busy)
		rc = -ENOMEM;
	rc = timing_agree(triples->meet.comm, rc);
	while (rc == 0 && triples->left > 0)
		take_round(triples);
	free(triples->done);
	free(triples->busy);
	return rc;
}

int mpib_measure_triples(MPI_Comm comm, int out, int back, bool parallel,
			 const struct mpib_rules *rules,
			 struct mpib_result *results)
{
	struct triples triples = { .parallel = parallel };
	int rc;

	triples.meet = (struct meet){ .out = out,
				      .back = back,
				      .rules = rules };
	rc = meet_begin(&triples.meet, comm, count);
	if (rc < 0)
		return rc;
	rc = take_all(&triples);
	if (rc < 0)
		triples.meet.rc = rc;
	return meet_end(&triples.meet, results);
}
