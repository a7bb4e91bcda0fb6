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

static struct tuning tunings[] = {
	[COLL_BCAST] = { .collective = "bcast" },
	[COLL_REDUCE] = { .collective = "reduce" },
	[COLL_ALLREDUCE] = { .collective = "allreduce" },
};
#define N_TUNINGS (sizeof(tunings) / sizeof(tunings[0]))

static const char *const names[] = {
	[COLL_LINEAR] = "linear",     [COLL_BINARY] = "binary",
	[COLL_BINOMIAL] = "binomial", [COLL_SPLIT_BINARY] = "split-binary",
	[COLL_PIPELINE] = "pipeline", [COLL_STRIPED] = "striped",
	[COLL_NODES] = "nodes",
};

static enum coll_algorithm algorithm_of(const char *name)
{
	for (enum coll_algorithm a = COLL_LINEAR; a <= COLL_NODES; a++)
		if (strcmp(names[a], name) == 0)
			return a;
	return COLL_AUTO;
}

static struct tuning *tuning_of(const char *collective)
{
	for (size_t i = 0; i < N_TUNINGS; i++)
		if (tunings[i].collective &&
		    strcmp(tunings[i].collective, collective) == 0)
			return &tunings[i];
	return NULL;
}

static int methods_take(struct tuning *to, const struct tree_flat *flat,
			struct tree_fault *fault)
{
	for (unsigned i = 0; i < flat->n_methods; i++) {
		const struct tree_method *m = &flat->methods[i];
		const enum coll_algorithm algorithm = algorithm_of(
			m->algorithm);

		if (algorithm == COLL_AUTO ||
		    (algorithm == COLL_STRIPED && to == &tunings[COLL_BCAST]))
			return tree_fault_set(fault, -EINVAL,
					      "there is no %s of kind %s here",
					      to->collective, m->algorithm);
		to->methods[i] = (struct coll_method){ algorithm, m->segment };
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
				 "reduce and allreduce are",
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

struct coll_method coll_tuned(const struct coll *coll)
{
	const struct tuning *t = coll->kind < N_TUNINGS ? &tunings[coll->kind]
							: NULL;

	if (!t || !t->there)
		return (struct coll_method){ COLL_AUTO, 0 };
	return t->methods[tree_flat_method(
		&t->flat, tree_flat_row(&t->flat, (uint32_t)coll->size),
		coll->bytes)];
}
