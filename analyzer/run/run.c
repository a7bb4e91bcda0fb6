/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A run's figures from its parts: missing ranks, wall time, overhead, memory.
 */
#include <limits.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run.h"
#include "mds/settings/settings.h"

void run_free(struct run *run)
{
	if (!run)
		return;
	free(run->path);
	intern_clear(&run->words);
	intern_clear(&run->files);
	free(run->ranks);
	intern_clear(&run->rank_numbers);
	free(run->threads);
	free(run->spans);
	tallies_clear(&run->calls);
	tallies_clear(&run->sites);
	tallies_clear(&run->paths);
	code_clear(&run->code);
	dist_clear(&run->computations);
	dist_clear(&run->communications);
	intern_clear(&run->phase_names);
	free(run->phases);
	intern_clear(&run->comm_keys);
	free(run->comms);
	free(run->peers);
	free(run->now);
	free(run->findings);
	free(run->buffers);
	free(run->reuses);
	free(run->tails);
	free(run->members);
	intern_clear(&run->note_texts);
	free(run->notes);
	free(run);
}

const char *run_rank_fact(const struct run *run, const struct run_rank *rank,
			  enum run_fact fact)
{
	return intern_key(&run->words, rank->facts[fact]);
}

const char *run_fact(const struct run *run, enum run_fact fact,
		     uint64_t *others)
{
	uint64_t *counts = mem_alloc(run->words.n, sizeof(*counts));
	size_t best = run->ranks[0].facts[fact];

	for (size_t i = 0; i < run->n_ranks; i++) {
		const size_t word = run->ranks[i].facts[fact];

		counts[word]++;
		if (counts[word] > counts[best])
			best = word;
	}
	*others = run->n_ranks - counts[best];
	free(counts);
	return intern_key(&run->words, best);
}

static bool was_to_record(const char *list, uint64_t rank)
{
	return *list == '\0' ||
	       (rank <= LONG_MAX && settings_rank_in(list, (long)rank));
}

/* The gaps between the ranks that are there. */
uint64_t run_missing(const struct run *run, uint64_t *missing, size_t n)
{
	uint64_t others;
	const char *list = run_fact(run, RUN_RANKS, &others);
	uint64_t next = 0;
	uint64_t all = 0;

	for (size_t i = 0; i <= run->n_ranks; i++) {
		uint64_t end = run->size;

		if (i < run->n_ranks && run->ranks[i].rank < end)
			end = run->ranks[i].rank;
		for (; next < end; next++) {
			if (!was_to_record(list, next))
				continue;
			if (all < n)
				missing[all] = next;
			all++;
		}
		next = end + 1;
	}
	return all;
}

uint64_t run_total_time(const struct run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->n_threads; i++) {
		sum = sat_add(sum, run->threads[i].computation);
		sum = sat_add(sum, run->threads[i].communication);
		sum = sat_add(sum, run->threads[i].off);
	}
	return sum;
}

uint64_t run_wall(const struct run *run)
{
	uint64_t most = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].wall > most)
			most = run->ranks[i].wall;
	return most;
}

uint64_t run_overhead(const struct run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		sum = sat_add(sum, run->ranks[i].overhead);
	return sum;
}

uint64_t run_memory(const struct run *run)
{
	uint64_t most = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].memory > most)
			most = run->ranks[i].memory;
	return most;
}
