/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes a tree as a rules file of Open MPI's component `tuned`. */
#include <inttypes.h>
#include <string.h>

#include "tree/tree_emit.h"

/* Open MPI's numbers of collectives.  Its rules count the bytes of one process,
 * or those of all together. */
static const struct collective {
	const char *name;
	int number;
	bool counts_all;
} collectives[] = {
	{ "allgather", 0, true },
	{ "allreduce", 2, false },
	{ "alltoall", 3, true },
	{ "barrier", 6, false },
	{ "bcast", 7, false },
	{ "gather", 9, true },
	{ "reduce", 11, false },
	{ "reduce-scatter", 12, true },
	{ "reduce-scatter-block", 13, true },
	{ "scatter", 15, true },
};

#define N_COLLECTIVES (sizeof(collectives) / sizeof(collectives[0]))

/* Open MPI's numbers of algorithms, by our names for them.  Algorithms for two
 * processes only are left out: by a rule with one, three processes would fail.
 */
struct algorithm {
	const char *collective;
	const char *name;
	int number;
};

static const struct algorithm algorithms[] = {
	{ "allgather", "linear", 1 },
	{ "allgather", "bruck", 2 },
	{ "allgather", "recursive-doubling", 3 },
	{ "allgather", "ring", 4 },
	{ "allgather", "neighbor", 5 },
	{ "allreduce", "linear", 1 },
	{ "allreduce", "basic-linear", 1 },
	{ "allreduce", "nonoverlapping", 2 },
	{ "allreduce", "recursive-doubling", 3 },
	{ "allreduce", "ring", 4 },
	{ "allreduce", "segmented-ring", 5 },
	{ "allreduce", "rabenseifner", 6 },
	{ "allreduce", "reduce-scatter-allgather", 6 },
	{ "alltoall", "linear", 1 },
	{ "alltoall", "pairwise", 2 },
	{ "alltoall", "modified-bruck", 3 },
	{ "alltoall", "linear-sync", 4 },
	{ "barrier", "linear", 1 },
	{ "barrier", "double-ring", 2 },
	{ "barrier", "recursive-doubling", 3 },
	{ "barrier", "bruck", 4 },
	{ "barrier", "tree", 6 },
	{ "bcast", "linear", 1 },
	{ "bcast", "basic-linear", 1 },
	{ "bcast", "chain", 2 },
	{ "bcast", "pipeline", 3 },
	{ "bcast", "split-binary", 4 },
	{ "bcast", "split-binary-tree", 4 },
	{ "bcast", "binary", 5 },
	{ "bcast", "binary-tree", 5 },
	{ "bcast", "binomial", 6 },
	{ "bcast", "knomial", 7 },
	{ "bcast", "scatter-allgather", 8 },
	{ "bcast", "scatter-allgather-ring", 9 },
	{ "bcast", "scatter-ring-allgather", 9 },
	{ "gather", "linear", 1 },
	{ "gather", "binomial", 2 },
	{ "gather", "linear-sync", 3 },
	{ "reduce", "linear", 1 },
	{ "reduce", "chain", 2 },
	{ "reduce", "pipeline", 3 },
	{ "reduce", "binary", 4 },
	{ "reduce", "binomial", 5 },
	{ "reduce", "in-order-binary", 6 },
	{ "reduce", "rabenseifner", 7 },
	{ "reduce", "reduce-scatter-gather", 7 },
	{ "reduce-scatter", "nonoverlapping", 1 },
	{ "reduce-scatter", "recursive-halving", 2 },
	{ "reduce-scatter", "ring", 3 },
	{ "reduce-scatter", "butterfly", 4 },
	{ "reduce-scatter-block", "linear", 1 },
	{ "reduce-scatter-block", "recursive-doubling", 2 },
	{ "reduce-scatter-block", "recursive-halving", 3 },
	{ "reduce-scatter-block", "butterfly", 4 },
	{ "scatter", "linear", 1 },
	{ "scatter", "binomial", 2 },
	{ "scatter", "linear-nb", 3 },
};

#define N_ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

/* 0: Open MPI's own choice, or no such algorithm. */
static int number_of(const char *collective, const struct tree_method *method)
{
	if (method->is_default)
		return 0;
	for (size_t i = 0; i < N_ALGORITHMS; i++)
		if (strcmp(algorithms[i].collective, collective) == 0 &&
		    strcmp(algorithms[i].name, method->algorithm) == 0)
			return algorithms[i].number;
	return 0;
}

static const struct collective *collective_of(const char *name)
{
	for (size_t i = 0; i < N_COLLECTIVES; i++)
		if (strcmp(collectives[i].name, name) == 0)
			return &collectives[i];
	return NULL;
}

bool tree_emit_openmpi_has(const char *collective,
			   const struct tree_method *method)
{
	if (!tree_method_is_of(method, "openmpi"))
		return false;
	if (method->is_default)
		return collective_of(collective) != NULL;
	return number_of(collective, method) != 0 &&
	       method->segment <= INT32_MAX;
}

static unsigned count_rules(const struct tree_flat *flat, const uint8_t *row)
{
	unsigned n = 1;

	for (unsigned c = 1; c < flat->n_columns; c++)
		n += row[c] != row[c - 1];
	return n;
}

/* The smallest number of bytes in a column, as Open MPI counts them. */
static uint64_t from(const struct tree_flat *flat, unsigned r, unsigned column)
{
	const uint64_t bytes = tree_flat_from(flat, column);
	uint64_t processes = r ? flat->least[r] : flat->fewest;

	if (processes < 1 || !collective_of(flat->collective)->counts_all)
		processes = 1;
	return bytes < UINT64_MAX / processes ? bytes * processes : UINT64_MAX;
}

/* The first rule must be for 0 bytes, or Open MPI ignores the whole file. */
static void emit_row(const struct tree_flat *flat, unsigned r, FILE *to)
{
	const uint8_t *row = flat->cells + (size_t)r * flat->n_columns;

	fprintf(to, "%" PRIu32 " # processes, or more\n%u # rules\n",
		flat->least[r] ? flat->least[r] : 1, count_rules(flat, row));
	for (unsigned c = 0; c < flat->n_columns; c++) {
		const struct tree_method *method = &flat->methods[row[c]];

		if (c && row[c] == row[c - 1])
			continue;
		fprintf(to, "%" PRIu64 " %d 0 %" PRIu64 " # %s\n",
			from(flat, r, c), number_of(flat->collective, method),
			method->segment, method->algorithm);
	}
}

void tree_emit_openmpi(const struct tree_flat *flats, size_t n, FILE *to)
{
	fputs("# Made by bcs tree: how to do", to);
	for (size_t i = 0; i < n; i++)
		fprintf(to, "%s %s", i ? "," : "", flats[i].collective);
	fputs(".\n# --mca coll_tuned_use_dynamic_rules 1\n"
	      "# --mca coll_tuned_dynamic_rules_filename FILE\n"
	      "# Bytes from where a rule counts, algorithm, 0, segment.\n",
	      to);
	fprintf(to, n == 1 ? "%zu # collective\n" : "%zu # collectives\n", n);
	for (size_t i = 0; i < n; i++) {
		const struct tree_flat *flat = &flats[i];

		fprintf(to, "%d # %s\n%u # blocks\n",
			collective_of(flat->collective)->number,
			flat->collective, flat->n_rows);
		for (unsigned r = 0; r < flat->n_rows; r++)
			emit_row(flat, r, to);
	}
}
