/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPICH aborts unless the file has a rule for every collective.  So the file
 * repeats MPICH 4.0's own rules for all but one collective.  They are in
 * tree_mpich_rules.txt, 44 rules from MPICH's
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

#define N_RULES (sizeof(rules) / sizeof(rules[0]))
#define PAGE    4096

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

struct algorithm {
	const char *collective;
	const char *name;
	const char *rule;
};

static const struct algorithm algorithms[] = {
	{ "allreduce", "recursive-doubling",
	  ALGORITHM("Allreduce_intra_recursive_doubling") },
	{ "allreduce", "reduce-scatter-allgather",
	  IF_BUILT_IN("Allreduce_intra_reduce_scatter_allgather",
		      "Allreduce_intra_recursive_doubling") },
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
};

#define N_ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

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
 * for another collective. */
static const char *own_rule(const char *rule, const char *collective)
{
	const char *name = rule + strlen("\"collective=");
	const size_t len = strlen(collective);

	if (strncmp(name, collective, len) != 0 || name[len] != '"')
		return NULL;
	return strstr(name, "\"comm_type=intra\":");
}

/* Writes MPICH's own choice for intra-communicators. */
static size_t emit_default(const struct tree_flat *flat, FILE *to)
{
	static const char end[] = ",\"comm_type=inter\"";
	const char *rule = NULL;

	for (size_t i = 0; !rule; i++)
		rule = own_rule(rules[i], flat->collective);
	rule += strlen("\"comm_type=intra\":");
	return (size_t)fprintf(to, "%.*s", (int)(strstr(rule, end) - rule),
			       rule);
}

static size_t emit_method(const struct tree_flat *flat, uint8_t which, FILE *to)
{
	const struct tree_method *method = &flat->methods[which];

	if (method->is_default)
		return emit_default(flat, to);
	return (size_t)fprintf(to, "%s", rule_of(flat->collective, method));
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

static size_t emit_row(const struct tree_flat *flat, const uint8_t *row,
		       FILE *to)
{
	size_t n = 0;
	unsigned c = 0;

	for (; !is_last(flat, row, c); c++)
		if (row[c] != row[c + 1]) {
			n += (size_t)fprintf(to,
					     "\n\"avg_msg_size<=%" PRIu64 "\":",
					     flat->last[c]);
			n += emit_method(flat, row[c], to);
			n += (size_t)fprintf(to, ",");
		}
	n += (size_t)fprintf(to, "\n\"avg_msg_size=any\":");
	return n + emit_method(flat, row[c], to);
}

static size_t emit_rows(const struct tree_flat *flat, FILE *to)
{
	const uint8_t *row = flat->cells;
	size_t n = 0;

	for (unsigned r = 0; r < flat->n_rows; r++, row += flat->n_columns) {
		if (r + 1u < flat->n_rows)
			n += (size_t)fprintf(to, "\"comm_size<=%" PRIu32 "\":{",
					     flat->least[r + 1] - 1);
		else
			n += (size_t)fprintf(to, "\"comm_size=any\":{");
		n += emit_row(flat, row, to);
		n += (size_t)fprintf(to, r + 1u < flat->n_rows ? "},\n" : "}");
	}
	return n;
}

/* Writes a rule of MPICH 4.0, with the barrier's name as MPICH 4.1 spells
 * it. */
static size_t emit_newer(const char *rule, FILE *to)
{
	static const char old[] = "Barrier_intra_dissemination\":{}";
	const char *at = strstr(rule, old);

	if (!at)
		return (size_t)fprintf(to, "%s", rule);
	return (size_t)fprintf(to, "%.*s%s%s", (int)(at - rule), rule,
			       "Barrier_intra_k_dissemination\":{\"k=2\":{}}",
			       at + sizeof(old) - 1);
}

/* Writes `"collective=NAME":{...}`; inter-communicators keep MPICH's own
 * rule. */
static size_t emit_rule(const struct tree_flat *flat, const char *rule,
			bool is_newer, FILE *to)
{
	const char *inter = strstr(rule, "\"comm_type=inter\"");
	size_t n;

	if (!own_rule(rule, flat->collective))
		return is_newer ? emit_newer(rule, to)
				: (size_t)fprintf(to, "%s", rule);
	n = (size_t)fprintf(to, "\"collective=%s\":{\"comm_type=intra\":{\n",
			    flat->collective);
	n += emit_rows(flat, to);
	return n + (size_t)fprintf(to, "},\n%s", inter);
}

static void emit_all(const struct tree_flat *flat, bool is_newer, FILE *to)
{
	size_t n = (size_t)fprintf(to, "{\n");

	for (size_t i = 0; i < N_RULES; i++) {
		n += emit_rule(flat, rules[i], is_newer, to);
		n += (size_t)fprintf(to, i + 1 < N_RULES ? ",\n" : "\n}\n");
	}
	/* MPICH maps the file and reads to the zero bytes after its end.  A
	 * file that fills its last page has none. */
	if (n % PAGE == 0)
		fputc('\n', to);
}

void tree_emit_mpich_4_0(const struct tree_flat *flat, FILE *to)
{
	emit_all(flat, false, to);
}

void tree_emit_mpich_4_1(const struct tree_flat *flat, FILE *to)
{
	emit_all(flat, true, to);
}
