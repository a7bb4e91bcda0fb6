/* SPDX-License-Identifier: BSD-3-Clause */

/* The ranks that are not in a collective call that others are in. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

/* Calls that make communicators and windows, and synchronize windows. */
static bool makes(const char *call)
{
	static const char *const names[] = {
		"MPI_Comm_dup",           "MPI_Comm_dup_with_info",
		"MPI_Comm_split",         "MPI_Comm_split_type",
		"MPI_Comm_create",        "MPI_Cart_create",
		"MPI_Cart_sub",           "MPI_Graph_create",
		"MPI_Dist_graph_create",  "MPI_Dist_graph_create_adjacent",
		"MPI_Win_create",         "MPI_Win_allocate",
		"MPI_Win_create_dynamic", "MPI_Win_allocate_shared",
		"MPI_Win_fence",          "MPI_Win_free",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(call, names[i]) == 0)
			return true;
	return false;
}

static bool is_of_all(const char *call)
{
	static const char *const words[] = {
		"Barrier",        "Allreduce", "Allgather", "Alltoall",
		"Reduce_scatter", "Bcast",     "Reduce",    "Scatter",
		"Gather",         "Scan",      "Exscan"
	};

	if (strncmp(call, "MPI_", 4) != 0)
		return false;
	if (makes(call))
		return true;
	call += strncmp(call, "MPI_I", 5) == 0 ? 5 : 4;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncasecmp(call, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

static int by_rank(const void *a, const void *b)
{
	const struct run_rank *x = a;
	const struct run_rank *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

const struct run_rank *report_now_rank(const struct run *run, uint64_t rank)
{
	const struct run_rank key = { .rank = rank };

	return bsearch(&key, run->ranks, run->n_ranks, sizeof(key), by_rank);
}

/* The collective that a rank is in, or waits for. */
static size_t what_of(const struct run *run, const struct run_now *now)
{
	return report_now_is_coll(run, now) ? now->waits_for : now->call;
}

static void mark_those_in(const struct run *run, const struct run_now *now,
			  bool *in)
{
	const struct run_rank *found;

	for (size_t i = 0; i < run->n_now; i++) {
		if (what_of(run, &run->now[i]) != what_of(run, now) ||
		    run->now[i].comm != now->comm)
			continue;
		found = report_now_rank(run, run->now[i].rank);
		if (found)
			in[found - run->ranks] = true;
	}
}

/* True if the rank's calls are those of its last save, or of its kill. */
static bool is_saved(const struct run *run, const struct run_rank *rank)
{
	const char *reason = run_rank_fact(run, rank, RUN_REASON);

	return run_rank_is_saved(run, rank) || strcmp(reason, "killed") == 0 ||
	       strcmp(reason, "lost") == 0;
}

/*
 * Finds members of the call's communicator that are not in the call.  A saved
 * record is of another moment than one of an end, so these are not compared.
 */
static size_t find_absent(const struct run *run, const struct run_now *now,
			  const bool *in, uint64_t *absent)
{
	const struct run_rank *own = report_now_rank(run, now->rank);
	size_t n = 0;

	for (size_t i = 0; own && i < run->n_members; i++) {
		const struct run_member *member = &run->members[i];
		const struct run_rank *rank = report_now_rank(run,
							      member->rank);

		if (member->comm == now->comm && rank &&
		    !in[rank - run->ranks] &&
		    is_saved(run, rank) == is_saved(run, own))
			absent[n++] = member->rank;
	}
	return n;
}

size_t report_now_absent(const struct run *run, const struct run_now *now,
			 uint64_t *absent)
{
	bool *in;
	size_t n;

	if (!is_of_all(report_word(run, what_of(run, now))) ||
	    now->comm == INTERN_NONE)
		return 0;
	in = mem_alloc(run->n_ranks, sizeof(*in));
	mark_those_in(run, now, in);
	n = find_absent(run, now, in, absent);
	free(in);
	return n;
}
