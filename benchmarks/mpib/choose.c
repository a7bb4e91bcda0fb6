/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds the fastest implementation of a collective for each size, and runs the
 * one that suits.
 */
#include "choose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void mpib_choice_free(struct mpib_choice *choice)
{
	if (!choice)
		return;
	free(choice->colls);
	free(choice->sizes);
	free(choice->results);
	free(choice->fastest);
	free(choice);
}

struct mpib_choice *choose_make(const struct mpib_coll *const *colls, int n,
				const int *sizes, int n_sizes)
{
	struct mpib_choice *choice = calloc(1, sizeof(*choice));
	const size_t width = (size_t)n;
	const size_t height = (size_t)n_sizes;

	if (!choice)
		return NULL;
	choice->n = n;
	choice->n_sizes = n_sizes;
	choice->colls = calloc(width, sizeof(*colls));
	choice->sizes = calloc(height, sizeof(*sizes));
	choice->results = calloc(width * height, sizeof(*choice->results));
	choice->fastest = calloc(height, sizeof(*choice->fastest));
	if (!choice->colls || !choice->sizes || !choice->results ||
	    !choice->fastest) {
		mpib_choice_free(choice);
		return NULL;
	}
	memcpy(choice->colls, colls, width * sizeof(*colls));
	memcpy(choice->sizes, sizes, height * sizeof(*sizes));
	return choice;
}

const struct mpib_result *mpib_choice_result(const struct mpib_choice *choice,
					     int coll, int size)
{
	return &choice->results[size * choice->n + coll];
}

static int measure(MPI_Comm comm, struct mpib_choice *choice, int size,
		   const struct mpib_rules *rules)
{
	struct mpib_result *results = &choice->results[size * choice->n];
	int best = 0;
	int rc;

	for (int i = 0; i < choice->n; i++) {
		rc = mpib_measure_coll(comm, choice->colls[i],
				       choice->sizes[size], 0, rules,
				       &results[i]);
		if (rc < 0)
			return rc;
		if (results[i].median < results[best].median)
			best = i;
	}
	choice->fastest[size] = best;
	return 0;
}

bool choose_makes_sense(const struct mpib_coll *const *colls, int n,
			const int *sizes, int n_sizes)
{
	if (n < 1 || n_sizes < 1)
		return false;
	for (int i = 1; i < n; i++)
		if (colls[i]->kind != colls[0]->kind)
			return false;
	for (int i = 1; i < n_sizes; i++)
		if (sizes[i] <= sizes[i - 1])
			return false;
	return true;
}

int mpib_choice_new(MPI_Comm comm, const struct mpib_coll *const *colls, int n,
		    const int *sizes, int n_sizes,
		    const struct mpib_rules *rules, struct mpib_choice **made)
{
	struct mpib_choice *choice;
	int have;
	int rc = 0;

	if (!choose_makes_sense(colls, n, sizes, n_sizes))
		return -EINVAL;
	choice = choose_make(colls, n, sizes, n_sizes);
	have = choice != NULL;
	MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, comm);
	if (!have)
		rc = -ENOMEM;
	for (int i = 0; rc == 0 && i < n_sizes; i++)
		rc = measure(comm, choice, i, rules);
	if (rc < 0) {
		mpib_choice_free(choice);
		return rc;
	}
	*made = choice;
	return 0;
}

const struct mpib_coll *mpib_choice_pick(const struct mpib_choice *choice,
					 int64_t bytes)
{
	int at = 0;

	while (at + 1 < choice->n_sizes && choice->sizes[at + 1] <= bytes)
		at++;
	return choice->colls[choice->fastest[at]];
}

static const struct mpib_coll *pick(const struct mpib_choice *choice, int count,
				    MPI_Datatype type)
{
	int width;

	MPI_Type_size(type, &width);
	return mpib_choice_pick(choice, (int64_t)count * width);
}

int mpib_choice_bcast(const struct mpib_choice *choice, void *buf, int count,
		      MPI_Datatype type, int root, MPI_Comm comm)
{
	return pick(choice, count, type)
		->call.bcast(buf, count, type, root, comm);
}

/* Only the root's arguments to send, and the others' to receive, count. */
int mpib_choice_scatter(const struct mpib_choice *choice, const void *from,
			int count, MPI_Datatype type, void *to, int to_count,
			MPI_Datatype to_type, int root, MPI_Comm comm)
{
	const struct mpib_coll *coll;
	int rank;

	MPI_Comm_rank(comm, &rank);
	coll = rank == root ? pick(choice, count, type)
			    : pick(choice, to_count, to_type);
	return coll->call.scatter(from, count, type, to, to_count, to_type,
				  root, comm);
}

int mpib_choice_gather(const struct mpib_choice *choice, const void *from,
		       int count, MPI_Datatype type, void *to, int to_count,
		       MPI_Datatype to_type, int root, MPI_Comm comm)
{
	const struct mpib_coll *coll;
	int rank;

	MPI_Comm_rank(comm, &rank);
	coll = rank == root ? pick(choice, to_count, to_type)
			    : pick(choice, count, type);
	return coll->call.gather(from, count, type, to, to_count, to_type, root,
				 comm);
}
