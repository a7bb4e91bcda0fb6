/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPICH aborts unless the file has a rule for every collective.  So the file
 * repeats MPICH 4.0's own rules for all collectives but those of the tables.
 * They are in tree_mpich_rules.txt, 44 rules from MPICH's
 * maint/tuning/coll/mpir/generic.json.
 *
 * MPICH 4.1 to 5.0 spell one name differently from 4.0, and each abort on the
 * other's name.  A few algorithms work only for some operations or numbers of
 * processes.  Their entries name the algorithm that MPICH
 * falls back to.
 */
#include <inttypes.h>
#include <string.h>

#include "tree/tree_emit.h"

static const char *const rules[] = {
#include "tree_mpich_rules.inc"
};

#define N_RULES  (sizeof(rules) / sizeof(rules[0]))
#define PAGE     4096
#define RULE_MAX 4096

#define ALGORITHM(name) "{\"algorithm=MPIR_" name "\":{}}"
#define IF_BUILT_IN(name, other)                                              \
	"{\"is_op_built_in=yes\":{\"count<pow2\":" ALGORITHM(                 \
		other) ","                                                    \
		       "\"count=any\":" ALGORITHM(name) "},\"is_op_built_in=" \
							"no\":" ALGORITHM(    \
								other) "}"
#define IF_POW2(name, other)              \
	"{\"comm_size=pow2\":" ALGORITHM( \
		name) ",\"comm_size=any\":" ALGORITHM(other) "}"
#define IN_PLACE "Alltoall_intra_pairwise_sendrecv_replace"
#define IF_APART(name)                            \
	"{\"is_sendbuf_inplace=yes\":" ALGORITHM( \
		IN_PLACE) ","                     \
			  "\"is_sendbuf_inplace=no\":" ALGORITHM(name) "}"
#define IF_COMMUTES(name, other)              \
	"{\"is_commutative=yes\":" ALGORITHM( \
		name) ",\"is_commutative=no\":" ALGORITHM(other) "}"

struct algorithm {
	const char *collective;
	const char *name;
	const char *rule;
};

static const struct algorithm algorithms[] = {
	{ "allgather", "brucks", ALGORITHM("Allgather_intra_brucks") },
	{ "allgather", "recursive-doubling",
	  IF_POW2("Allgather_intra_recursive_doubling",
		  "Allgather_intra_brucks") },
	{ "allgather", "ring", ALGORITHM("Allgather_intra_ring") },
	{ "allreduce", "recursive-doubling",
	  ALGORITHM("Allreduce_intra_recursive_doubling") },
	{ "allreduce", "reduce-scatter-allgather",
	  IF_BUILT_IN("Allreduce_intra_reduce_scatter_allgather",
		      "Allreduce_intra_recursive_doubling") },
	{ "alltoall", "brucks", IF_APART("Alltoall_intra_brucks") },
	{ "alltoall", "pairwise", IF_APART("Alltoall_intra_pairwise") },
	{ "alltoall", "scattered", IF_APART("Alltoall_intra_scattered") },
	{ "barrier", "dissemination",
	  ALGORITHM("Barrier_intra_dissemination") },
	{ "bcast", "binomial", ALGORITHM("Bcast_intra_binomial") },
	{ "bcast", "scatter-recursive-doubling-allgather",
	  IF_POW2("Bcast_intra_scatter_recursive_doubling_allgather",
		  "Bcast_intra_scatter_ring_allgather") },
	{ "bcast", "scatter-ring-allgather",
	  ALGORITHM("Bcast_intra_scatter_ring_allgather") },
	{ "bcast", "scatter-allgather-ring",
	  ALGORITHM("Bcast_intra_scatter_ring_allgather") },
	{ "reduce", "binomial", ALGORITHM("Reduce_intra_binomial") },
	{ "reduce", "reduce-scatter-gather",
	  IF_BUILT_IN("Reduce_intra_reduce_scatter_gather",
		      "Reduce_intra_binomial") },
	{ "reduce-scatter", "pairwise",
	  IF_COMMUTES("Reduce_scatter_intra_pairwise",
		      "Reduce_scatter_intra_recursive_doubling") },
	{ "reduce-scatter", "recursive-doubling",
	  ALGORITHM("Reduce_scatter_intra_recursive_doubling") },
	{ "reduce-scatter", "recursive-halving",
	  IF_COMMUTES("Reduce_scatter_intra_recursive_halving",
		      "Reduce_scatter_intra_recursive_doubling") },
	{ "reduce-scatter-block", "pairwise",
	  IF_COMMUTES("Reduce_scatter_block_intra_pairwise",
		      "Reduce_scatter_block_intra_recursive_doubling") },
	{ "reduce-scatter-block", "recursive-doubling",
	  ALGORITHM("Reduce_scatter_block_intra_recursive_doubling") },
	{ "reduce-scatter-block", "recursive-halving",
	  IF_COMMUTES("Reduce_scatter_block_intra_recursive_halving",
		      "Reduce_scatter_block_intra_recursive_doubling") },
};

#define N_ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

/* A table that is being written. */
struct emitting {
	const struct tree_flat *flat;
	bool is_newer;
	FILE *to;
};

static const char *rule_of(const char *collective,
			   const struct tree_method *method)
{
	for (size_t i = 0; i < N_ALGORITHMS; i++)
		if (strcmp(algorithms[i].collective, collective) == 0 &&
		    strcmp(algorithms[i].name, method->algorithm) == 0)
			return algorithms[i].rule;
	return NULL;
}

static bool is_tunable(const char *collective)
{
	for (size_t i = 0; i < N_ALGORITHMS; i++)
		if (strcmp(algorithms[i].collective, collective) == 0)
			return true;
	return false;
}

bool tree_emit_mpich_has(const char *collective,
			 const struct tree_method *method)
{
	if (!tree_method_is_of(method, "mpich"))
		return false;
	if (method->is_default)
		return is_tunable(collective);
	return method->segment == 0 && rule_of(collective, method);
}

/* The intra-communicator part of one of MPICH's own rules; NULL if the rule is
 * for another collective.  MPICH writes reduce_scatter, we reduce-scatter. */
static const char *own_rule(const char *rule, const char *collective)
{
	const char *name = rule + strlen("\"collective=");

	for (; *collective; collective++, name++)
		if (*name != (*collective == '-' ? '_' : *collective))
			return NULL;
	return *name == '"' ? strstr(name, "\"comm_type=intra\":") : NULL;
}

/* Writes a rule of MPICH 4.0, with the barrier's name as MPICH 4.1 spells
 * it. */
static size_t emit_text(const char *rule, bool is_newer, FILE *to)
{
	static const char old[] = "Barrier_intra_dissemination\":{}";
	const char *at = is_newer ? strstr(rule, old) : NULL;

	if (!at)
		return (size_t)fprintf(to, "%s", rule);
	return (size_t)fprintf(to, "%.*s%s%s", (int)(at - rule), rule,
			       "Barrier_intra_k_dissemination\":{\"k=2\":{}}",
			       at + sizeof(old) - 1);
}

/* Writes MPICH's own choice for intra-communicators. */
static size_t emit_default(const struct tree_flat *flat, bool is_newer,
			   FILE *to)
{
	static const char end[] = ",\"comm_type=inter\"";
	char text[RULE_MAX];
	const char *rule = NULL;

	for (size_t i = 0; !rule; i++)
		rule = own_rule(rules[i], flat->collective);
	rule += strlen("\"comm_type=intra\":");
	snprintf(text, sizeof(text), "%.*s", (int)(strstr(rule, end) - rule),
		 rule);
	return emit_text(text, is_newer, to);
}

static size_t emit_method(const struct emitting *emit, uint8_t which)
{
	const struct tree_flat *flat = emit->flat;
	const struct tree_method *method = &flat->methods[which];

	if (method->is_default)
		return emit_default(flat, emit->is_newer, emit->to);
	return emit_text(rule_of(flat->collective, method), emit->is_newer,
			 emit->to);
}

/* MPICH's sizes are ints, so all sizes above INT32_MAX are one range. */
static bool is_last(const struct tree_flat *flat, const uint8_t *row,
		    unsigned column)
{
	if (flat->last[column] >= INT32_MAX)
		return true;
	for (unsigned c = column + 1; c < flat->n_columns; c++)
		if (row[c] != row[column])
			return false;
	return true;
}

/* MPICH knows no average size of these, only the total of all processes. */
static bool counts_all(const char *collective)
{
	return strcmp(collective, "allgather") == 0 ||
	       strcmp(collective, "reduce-scatter") == 0 ||
	       strcmp(collective, "reduce-scatter-block") == 0;
}

/* A total is for as many processes as were measured in the row. */
static size_t emit_size(const struct emitting *emit, unsigned row,
			uint64_t bytes)
{
	const struct tree_flat *flat = emit->flat;
	uint64_t processes = row ? flat->least[row] : flat->fewest;

	if (!counts_all(flat->collective))
		return (size_t)fprintf(
			emit->to, "\n\"avg_msg_size<=%" PRIu64 "\":", bytes);
	if (processes > 1)
		bytes = bytes < INT32_MAX / processes ? bytes * processes
						      : INT32_MAX;
	return (size_t)fprintf(emit->to,
			       "\n\"total_msg_size<=%" PRIu64 "\":", bytes);
}

static size_t emit_row(const struct emitting *emit, unsigned r)
{
	const struct tree_flat *flat = emit->flat;
	const uint8_t *row = flat->cells + (size_t)r * flat->n_columns;
	size_t n = 0;
	unsigned c = 0;

	for (; !is_last(flat, row, c); c++)
		if (row[c] != row[c + 1]) {
			n += emit_size(emit, r, flat->last[c]);
			n += emit_method(emit, row[c]);
			n += (size_t)fprintf(emit->to, ",");
		}
	n += (size_t)fprintf(emit->to, "\n\"%s_msg_size=any\":",
			     counts_all(emit->flat->collective) ? "total"
								: "avg");
	return n + emit_method(emit, row[c]);
}

static size_t emit_rows(const struct emitting *emit)
{
	const struct tree_flat *flat = emit->flat;
	FILE *to = emit->to;
	size_t n = 0;

	for (unsigned r = 0; r < flat->n_rows; r++) {
		if (r + 1u < flat->n_rows)
			n += (size_t)fprintf(to, "\"comm_size<=%" PRIu32 "\":{",
					     flat->least[r + 1] - 1);
		else
			n += (size_t)fprintf(to, "\"comm_size=any\":{");
		n += emit_row(emit, r);
		n += (size_t)fprintf(to, r + 1u < flat->n_rows ? "},\n" : "}");
	}
	return n;
}

/* Writes `"collective=NAME":{...}`; inter-communicators keep MPICH's own
 * rule. */
static size_t emit_rule(const struct emitting *emit, const char *rule)
{
	size_t n;

	n = (size_t)fprintf(emit->to, "%.*s{\"comm_type=intra\":{\n",
			    (int)strcspn(rule, "{"), rule);
	n += emit_rows(emit);
	return n + (size_t)fprintf(emit->to, "},\n%s",
				   strstr(rule, "\"comm_type=inter\""));
}

/* The table of the rule's collective, or NULL. */
static const struct tree_flat *flat_of(const struct tree_flat *flats, size_t n,
				       const char *rule)
{
	for (size_t i = 0; i < n; i++)
		if (own_rule(rule, flats[i].collective))
			return &flats[i];
	return NULL;
}

static void emit_all(const struct tree_flat *flats, size_t n, bool is_newer,
		     FILE *to)
{
	struct emitting emit = { NULL, is_newer, to };
	size_t bytes = (size_t)fprintf(to, "{\n");

	for (size_t i = 0; i < N_RULES; i++) {
		emit.flat = flat_of(flats, n, rules[i]);
		bytes += emit.flat ? emit_rule(&emit, rules[i])
				   : emit_text(rules[i], is_newer, to);
		bytes += (size_t)fprintf(to, i + 1 < N_RULES ? ",\n" : "\n}\n");
	}
	/* MPICH maps the file and reads to the zero bytes after its end.  A
	 * file that fills its last page has none. */
	if (bytes % PAGE == 0)
		fputc('\n', to);
}

void tree_emit_mpich_4_0(const struct tree_flat *flats, size_t n, FILE *to)
{
	emit_all(flats, n, false, to);
}

void tree_emit_mpich_4_1(const struct tree_flat *flats, size_t n, FILE *to)
{
	emit_all(flats, n, true, to);
}
