/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "libbcs/demand/coll/coll_tune.h"
#include "tree/tree_save.h"

/* A collective's tree, and what its methods are here. */
struct tuning {
	const char *collective;
	struct tree_flat flat;
	struct coll_method methods[UINT8_MAX + 1];
	bool there;
};

enum {
	TUNED_BCAST,
	TUNED_REDUCE,
	TUNED_ALLREDUCE,
	TUNED_ALLGATHER,
	TUNED_ALLTOALL
};

static struct tuning tunings[] = {
	[TUNED_BCAST] = { .collective = "bcast" },
	[TUNED_REDUCE] = { .collective = "reduce" },
	[TUNED_ALLREDUCE] = { .collective = "allreduce" },
	[TUNED_ALLGATHER] = { .collective = "allgather" },
	[TUNED_ALLTOALL] = { .collective = "alltoall" },
};
#define N_TUNINGS (sizeof(tunings) / sizeof(tunings[0]))

static const char *const names[] = {
	[COLL_LINEAR] = "linear",     [COLL_BINARY] = "binary",
	[COLL_BINOMIAL] = "binomial", [COLL_SPLIT_BINARY] = "split-binary",
	[COLL_PIPELINE] = "pipeline", [COLL_STRIPED] = "striped",
	[COLL_NODES] = "nodes",       [COLL_PAIRWISE] = "pairwise",
	[COLL_RING] = "ring",
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

static enum coll_algorithm algorithm_of(const char *name)
{
	for (size_t a = COLL_LINEAR; a < N_NAMES; a++)
		if (names[a] && strcmp(names[a], name) == 0)
			return (enum coll_algorithm)a;
	return COLL_AUTO;
}

static struct tuning *tuning_of(const char *collective)
{
	for (size_t i = 0; i < N_TUNINGS; i++)
		if (strcmp(tunings[i].collective, collective) == 0)
			return &tunings[i];
	return NULL;
}

/* Exchanges of blocks are not done in pieces. */
static bool is_of(const struct tuning *tuning, struct coll_method method)
{
	const bool exchanges = method.algorithm == COLL_PAIRWISE ||
			       method.algorithm == COLL_RING;

	if (tuning < &tunings[TUNED_ALLGATHER])
		return !exchanges && (method.algorithm != COLL_STRIPED ||
				      tuning != &tunings[TUNED_BCAST]);
	return !method.segment &&
	       (method.algorithm == COLL_LINEAR || exchanges) &&
	       (method.algorithm != COLL_RING ||
		tuning == &tunings[TUNED_ALLGATHER]);
}

static int methods_take(struct tuning *to, const struct tree_flat *flat,
			struct tree_fault *fault)
{
	for (unsigned i = 0; i < flat->n_methods; i++) {
		const struct tree_method *m = &flat->methods[i];
		const struct coll_method method = { algorithm_of(m->algorithm),
						    m->segment };

		if (method.algorithm == COLL_AUTO || !is_of(to, method))
			return tree_fault_set(
				fault, -EINVAL,
				"there is no %s of kind %s%s here",
				to->collective, m->algorithm,
				m->segment ? " in pieces" : "");
		to->methods[i] = method;
	}
	return 0;
}

static void tuning_clear(struct tuning *tuning)
{
	if (tuning->there)
		tree_flat_clear(&tuning->flat);
	tuning->there = false;
}

int coll_tune(const char *text, size_t size, struct tree_fault *fault)
{
	struct tuning *to;
	struct tree_flat flat;
	int rc = tree_save_read(&flat, text, size, fault);

	if (rc != 0)
		return rc;
	to = tuning_of(flat.collective);
	rc = to ? methods_take(to, &flat, fault)
		: tree_fault_set(fault, -EINVAL,
				 "%s is not done by trees here, but bcast, "
				 "reduce, allreduce, allgather and alltoall "
				 "are",
				 flat.collective);
	if (rc != 0) {
		tree_flat_clear(&flat);
		return rc;
	}
	tuning_clear(to);
	to->flat = flat;
	to->there = true;
	return 0;
}

void coll_tune_clear(void)
{
	for (size_t i = 0; i < N_TUNINGS; i++)
		tuning_clear(&tunings[i]);
}

static const struct tuning *tuning_for(const struct coll *coll)
{
	switch (coll->kind) {
	case COLL_BCAST:
		return &tunings[TUNED_BCAST];
	case COLL_REDUCE:
		return &tunings[TUNED_REDUCE];
	case COLL_ALLREDUCE:
		return &tunings[TUNED_ALLREDUCE];
	case COLL_EXCHANGE:
		if (coll->bytes)
			return &tunings[TUNED_ALLGATHER];
		return coll->each ? &tunings[TUNED_ALLTOALL] : NULL;
	default:
		return NULL;
	}
}

struct coll_method coll_tuned(const struct coll *coll)
{
	const struct tuning *t = tuning_for(coll);
	const uint64_t bytes = t == &tunings[TUNED_ALLTOALL] ? coll->each
							     : coll->bytes;

	if (!t || !t->there)
		return (struct coll_method){ COLL_AUTO, 0 };
	return t->methods[tree_flat_method(
		&t->flat, tree_flat_row(&t->flat, (uint32_t)coll->size),
		bytes)];
}
