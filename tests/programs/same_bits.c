/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reductions must have MPICH's own bits.  Each process runs a case twice, as a
 * program calls it and by PMPI_, and compares the results.
 *
 * usage: same_bits rows [SEED CASES]
 *        same_bits SEED CASES [FIRST]
 *
 * `rows` runs every kind of reduction at some lengths, of doubles and floats.
 * The other form runs random cases: communicators, kinds, forms, types,
 * operations, counts, roots and values.  The values make the order visible, and
 * a text of how a sum was made shows left and right.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	ALLREDUCE,
	REDUCE,
	REDUCE_SCATTER_BLOCK,
	REDUCE_SCATTER,
	SCAN,
	EXSCAN,
	KINDS
};
static const char *const kinds[] = { "allreduce",      "reduce", "rs_block",
				     "reduce_scatter", "scan",   "exscan" };

enum form { BLOCKING, NON_BLOCKING, PERSISTENT, FORMS };
static const char *const forms[] = { "", "i", "persistent " };

/* A hash of the expression by which it was made. */
struct trace {
	uint64_t hash;
	uint32_t leaves;
	uint32_t depth;
};

static uint64_t state;

static uint64_t number(void)
{
	state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t z = state;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static unsigned below(unsigned n)
{
	return (unsigned)(number() % n);
}

static void join(const struct trace *left, struct trace *right)
{
	const uint64_t hash = left->hash * UINT64_C(6364136223846793005) +
			      right->hash * 31 + right->depth;

	right->hash = hash ^ (hash >> 29);
	right->leaves += left->leaves;
	right->depth = 1 + (left->depth > right->depth ? left->depth
						       : right->depth);
}

static void joins(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *n; i++)
		join((struct trace *)in + i, (struct trace *)inout + i);
}

/* Every other one of those in memory. */
static void joins_gappy(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *n; i++)
		join((struct trace *)in + 2 * i, (struct trace *)inout + 2 * i);
}

static MPI_Datatype trace_type;
static MPI_Datatype gappy_type;
static MPI_Op user_ops[4]; /* joins: commutes or not; the same with gaps */

struct work {
	MPI_Comm comm;
	int rank;
	int size;
	enum kind kind;
	enum form form;
	MPI_Datatype type;
	MPI_Op op;
	const char *names; /* of type and operation */
	size_t bytes;      /* of an element in memory */
	int n;             /* elements, of a reduce-scatter to each */
	int root;
	int in_place;
	int *counts;
};

#define CALL(P, NAME, INAME, ...)                                  \
	do {                                                       \
		if (w->form == BLOCKING)                           \
			P##MPI_##NAME(__VA_ARGS__, w->comm);       \
		else if (w->form == NON_BLOCKING)                  \
			P##MPI_##INAME(__VA_ARGS__, w->comm, &r);  \
		else                                               \
			P##MPI_##NAME##_init(__VA_ARGS__, w->comm, \
					     MPI_INFO_NULL, &r);   \
	} while (0)

#define RUN(NAME, P)                                                           \
	static void NAME(const struct work *w, void *out, void *in)            \
	{                                                                      \
		const int keeps = w->kind != REDUCE || w->rank == w->root;     \
		MPI_Request r = MPI_REQUEST_NULL;                              \
                                                                               \
		if (w->in_place && keeps)                                      \
			out = MPI_IN_PLACE;                                    \
		switch (w->kind) {                                             \
		case ALLREDUCE:                                                \
			CALL(P, Allreduce, Iallreduce, out, in, w->n, w->type, \
			     w->op);                                           \
			break;                                                 \
		case REDUCE:                                                   \
			CALL(P, Reduce, Ireduce, out, in, w->n, w->type,       \
			     w->op, w->root);                                  \
			break;                                                 \
		case REDUCE_SCATTER_BLOCK:                                     \
			CALL(P, Reduce_scatter_block, Ireduce_scatter_block,   \
			     out, in, w->n, w->type, w->op);                   \
			break;                                                 \
		case REDUCE_SCATTER:                                           \
			CALL(P, Reduce_scatter, Ireduce_scatter, out, in,      \
			     w->counts, w->type, w->op);                       \
			break;                                                 \
		case SCAN:                                                     \
			CALL(P, Scan, Iscan, out, in, w->n, w->type, w->op);   \
			break;                                                 \
		default:                                                       \
			CALL(P, Exscan, Iexscan, out, in, w->n, w->type,       \
			     w->op);                                           \
			break;                                                 \
		}                                                              \
		if (w->form == PERSISTENT)                                     \
			P##MPI_Start(&r);                                      \
		if (w->form != BLOCKING)                                       \
			P##MPI_Wait(&r, MPI_STATUS_IGNORE);                    \
		if (w->form == PERSISTENT)                                     \
			P##MPI_Request_free(&r);                               \
	}

RUN(by_name, )
RUN(by_mpich, P)

static double odd_double(void)
{
	const double magnitude[] = { 1e-9, 1, 1e8, 3e15 };
	const double x = (double)(int64_t)number() / 9.3e18;

	switch (below(64)) {
	case 0:
		return 0.0;
	case 1:
		return -0.0;
	case 2:
		return below(8) ? x : (double)NAN;
	case 3:
		return below(8) ? x : -(double)NAN;
	default:
		return x * magnitude[below(4)];
	}
}

static float odd_float(void)
{
	return (float)(odd_double() / (below(2) ? 1 : 1e7));
}

struct with_place {
	double value;
	int place;
};

/* Which values fit: of a product, near 1, so that it stays finite. */
static void fill(const struct work *w, unsigned char *to, size_t n)
{
	const int product = w->op == MPI_PROD;

	for (size_t i = 0; i < n; i++) {
		unsigned char *at = to + i * w->bytes;

		if (w->type == MPI_DOUBLE || w->type == MPI_C_DOUBLE_COMPLEX) {
			for (size_t k = 0; k < w->bytes / sizeof(double); k++) {
				const double x = product ? 1 + odd_double() /
									   1e16
							 : odd_double();

				memcpy(at + k * sizeof(x), &x, sizeof(x));
			}
		} else if (w->type == MPI_FLOAT) {
			const float x = product ? 1 + odd_float() / 4e15f
						: odd_float();

			memcpy(at, &x, sizeof(x));
		} else if (w->type == MPI_LONG_DOUBLE) {
			const long double x =
				product ? 1 + (long double)odd_double() / 1e16L
					: (long double)odd_double();

			memset(at, 0, w->bytes);
			memcpy(at, &x, 10);
		} else if (w->type == MPI_DOUBLE_INT) {
			const struct with_place x = { (double)below(3),
						      (int)below(100) };

			memset(at, 0, w->bytes);
			memcpy(at, &x, sizeof(x.value));
			memcpy(at + sizeof(x.value), &x.place, sizeof(x.place));
		} else if (w->type == trace_type || w->type == gappy_type) {
			const struct trace x = { number(), 1, 0 };

			memset(at, 0, w->bytes);
			memcpy(at, &x, sizeof(x));
		} else {
			for (size_t k = 0; k < w->bytes; k++)
				at[k] = (unsigned char)number();
		}
	}
}

static int is_scattered(const struct work *w)
{
	return w->kind == REDUCE_SCATTER_BLOCK || w->kind == REDUCE_SCATTER;
}

/* The elements of what goes in, and of what comes out. */
static size_t total(const struct work *w)
{
	size_t n = 0;

	if (w->kind == REDUCE_SCATTER_BLOCK)
		return (size_t)w->n * (size_t)w->size;
	if (w->kind != REDUCE_SCATTER)
		return (size_t)w->n;
	for (int i = 0; i < w->size; i++)
		n += (size_t)w->counts[i];
	return n;
}

static size_t result(const struct work *w)
{
	if (w->kind == REDUCE && w->rank != w->root)
		return 0;
	if (w->kind == EXSCAN && w->rank == 0)
		return 0;
	return w->kind == REDUCE_SCATTER ? (size_t)w->counts[w->rank]
					 : (size_t)w->n;
}

/* 0, or 1 for a process whose bits differ. */
static int differs(const struct work *w)
{
	const size_t bytes = total(w) * w->bytes;
	unsigned char *out = calloc(1, bytes + 1);
	unsigned char *given = malloc(bytes + 1);
	unsigned char *ours = calloc(1, bytes + 1);
	unsigned char *theirs = calloc(1, bytes + 1);
	int rc;

	fill(w, out, total(w));
	memcpy(given, out, bytes);
	if (w->in_place) {
		memcpy(ours, out, bytes);
		memcpy(theirs, out, bytes);
	}
	by_name(w, out, ours);
	rc = memcmp(out, given, bytes) != 0;
	by_mpich(w, out, theirs);
	rc |= memcmp(ours, theirs, result(w) * w->bytes) != 0;
	free(out);
	free(given);
	free(ours);
	free(theirs);
	return rc;
}

static void tell(const struct work *w, const char *which)
{
	if (w->rank == 0)
		printf("%s: %s%s of %d, %s, by %d, root %d%s: differs\n", which,
		       forms[w->form], kinds[w->kind], w->n, w->names, w->size,
		       w->root, w->in_place ? ", in place" : "");
}

/* Whether all of the communicator have the same bits. */
static int case_fails(const struct work *w, const char *which)
{
	int fails = differs(w);

	PMPI_Allreduce(MPI_IN_PLACE, &fails, 1, MPI_INT, MPI_MAX, w->comm);
	if (fails)
		tell(w, which);
	return fails;
}

static const struct {
	MPI_Datatype type;
	size_t bytes;
	MPI_Op ops[4];
	unsigned n_ops;
	const char *name;
} sorts[] = {
	{ MPI_DOUBLE, 8, { MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN }, 4, "double" },
	{ MPI_FLOAT, 4, { MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN }, 4, "float" },
	{ MPI_LONG_DOUBLE, 16, { MPI_SUM, MPI_PROD }, 2, "long double" },
	{ MPI_C_DOUBLE_COMPLEX, 16, { MPI_SUM, MPI_PROD }, 2, "complex" },
	{ MPI_INT, 4, { MPI_SUM, MPI_BXOR, MPI_MAX, MPI_LAND }, 4, "int" },
	{ MPI_LONG, 8, { MPI_SUM, MPI_PROD, MPI_MIN, MPI_BOR }, 4, "long" },
	{ MPI_DOUBLE_INT, 16, { MPI_MAXLOC, MPI_MINLOC }, 2, "double and int" },
};
#define SORTS (sizeof(sorts) / sizeof(sorts[0]))

static void sort_choose(struct work *w)
{
	const unsigned i = below(SORTS + 4);
	const unsigned user = i - SORTS;
	static char names[64];

	w->names = names;
	if (i < SORTS) {
		const unsigned op = below(sorts[i].n_ops);

		w->type = sorts[i].type;
		w->bytes = sorts[i].bytes;
		w->op = sorts[i].ops[op];
		snprintf(names, sizeof(names), "%s, operation %u",
			 sorts[i].name, op);
		return;
	}
	w->type = user < 2 ? trace_type : gappy_type;
	w->bytes = sizeof(struct trace) * (user < 2 ? 1 : 2);
	w->op = user_ops[user];
	snprintf(names, sizeof(names), "traces%s, which %s",
		 user < 2 ? "" : " with gaps",
		 user % 2 ? "do not commute" : "commute");
}

/* All of them, some, and in other orders; process 0 is in each. */
static MPI_Comm comm_choose(int rank, int size)
{
	const unsigned how = below(6);
	const int some = 1 + (int)below((unsigned)size);
	MPI_Comm comm;
	int color = 0;
	int key = rank;

	if (how == 1)
		key = -rank;
	if (how == 2 || how == 3)
		color = rank < some ? 0 : 1;
	if (how == 3)
		key = rank * 7 % size;
	if (how == 4)
		color = rank % 2;
	PMPI_Barrier(MPI_COMM_WORLD);
	if (how == 0 || how == 5)
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	else
		MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
	return comm;
}

static int count_choose(unsigned size)
{
	switch (below(8)) {
	case 0:
		return (int)below(3);
	case 1:
		return (int)below(2 * size + 2);
	case 2:
		return 100 + (int)below(400);
	case 3:
		return (int)below(5000);
	case 4:
		return (int)below(40000);
	default:
		return (int)below(64);
	}
}

/*
 * Whether rank 0 is alone on its node, and others are not.  MPICH 4.0.2 leaves
 * its contribution out of a long blocking reduction to one then.
 */
static int is_left_out(const struct work *w)
{
	MPI_Comm node;
	int first;
	int most;

	PMPI_Comm_split_type(w->comm, MPI_COMM_TYPE_SHARED, w->rank,
			     MPI_INFO_NULL, &node);
	PMPI_Comm_size(node, &first);
	PMPI_Allreduce(&first, &most, 1, MPI_INT, MPI_MAX, w->comm);
	PMPI_Bcast(&first, 1, MPI_INT, 0, w->comm);
	PMPI_Comm_free(&node);
	return first == 1 && most > 1;
}

/* All processes draw the same numbers, but for the values. */
static int random_case(uint64_t seed, unsigned i, int rank, int size)
{
	struct work w = { .in_place = 0 };
	char which[64];
	int fails;

	state = seed * 1000003 + i;
	w.comm = comm_choose(rank, size);
	MPI_Comm_rank(w.comm, &w.rank);
	MPI_Comm_size(w.comm, &w.size);
	w.kind = (enum kind)below(KINDS);
	w.form = below(2) ? BLOCKING : (enum form)below(FORMS);
	sort_choose(&w);
	w.n = count_choose((unsigned)size);
	w.in_place = below(4) == 0;
	w.root = (int)below((unsigned)w.size);
	w.counts = calloc((size_t)w.size, sizeof(int));
	if (is_scattered(&w))
		w.n /= below(3) ? w.size : 1;
	for (int k = 0; k < w.size; k++)
		w.counts[k] = below(3) ? w.n : (int)below(1 + (unsigned)w.n);
	/* There MPICH writes beyond its own buffers, */
	if (w.op == user_ops[3] && is_scattered(&w))
		w.kind = ALLREDUCE;
	/* and here it may read from MPI_IN_PLACE. */
	if (w.kind == REDUCE && w.form == BLOCKING &&
	    (size_t)w.n * w.bytes > 2048) {
		w.in_place = w.in_place && w.root == 0;
		w.form = is_left_out(&w) ? NON_BLOCKING : BLOCKING;
	}
	/* It copies between places that overlap. */
	if (is_scattered(&w) && total(&w) * w.bytes >= 524288)
		w.in_place = 0;
	state += (uint64_t)rank * UINT64_C(0x5851f42d4c957f2d);
	snprintf(which, sizeof(which), "case %u", i);
	fails = case_fails(&w, which);
	free(w.counts);
	MPI_Comm_free(&w.comm);
	return fails;
}

static int random_cases(uint64_t seed, unsigned n, unsigned first)
{
	int differing = 0;
	int rank;
	int size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (unsigned i = first; i < first + n; i++)
		differing += random_case(seed, i, rank, size);
	PMPI_Allreduce(MPI_IN_PLACE, &differing, 1, MPI_INT, MPI_MAX,
		       MPI_COMM_WORLD);
	if (rank == 0)
		printf("%u cases, %d differ\n", n, differing);
	return differing;
}

static int row(struct work *w)
{
	char names[64];

	snprintf(names, sizeof(names), "%s, %s",
		 w->type == MPI_DOUBLE ? "double" : "float",
		 w->op == MPI_SUM ? "sum" : "product");
	w->names = names;
	return case_fails(w, "row");
}

/* Elements to each process; longer ones are of all of them together. */
#define LONG_EACH 4096

static int rows(void)
{
	static const int lengths[] = { 1, 7, 64, 1000, 4096, 100000 };
	struct work w = { .comm = MPI_COMM_WORLD };
	int differing = 0;
	int n = 0;

	MPI_Comm_rank(w.comm, &w.rank);
	MPI_Comm_size(w.comm, &w.size);
	w.counts = calloc((size_t)w.size, sizeof(int));
	state = (uint64_t)w.rank + 1;
	for (int k = 0; k < 8; k++)
		for (int i = 0; i < 6; i++)
			for (int sort = 0; sort < 4; sort++) {
				w.kind = k < 2    ? (enum kind)k
					 : k == 7 ? ALLREDUCE
						  : (enum kind)(k - 1);
				w.root = k == 2 ? w.size - 1 : 0;
				w.form = k == 7 ? NON_BLOCKING : BLOCKING;
				w.n = lengths[i];
				if (w.n > LONG_EACH && is_scattered(&w))
					w.n /= w.size;
				w.type = sort % 2 ? MPI_FLOAT : MPI_DOUBLE;
				w.bytes = sort % 2 ? 4 : 8;
				w.op = sort / 2 ? MPI_PROD : MPI_SUM;
				for (int p = 0; p < w.size; p++)
					w.counts[p] = w.n;
				differing += row(&w);
				n++;
			}
	if (w.rank == 0)
		printf("%d of %d rows have MPICH's bits\n", n - differing, n);
	free(w.counts);
	return differing;
}

static void types_make(void)
{
	MPI_Type_contiguous((int)sizeof(struct trace), MPI_BYTE, &trace_type);
	MPI_Type_commit(&trace_type);
	MPI_Type_create_resized(trace_type, 0, 2 * sizeof(struct trace),
				&gappy_type);
	MPI_Type_commit(&gappy_type);
	for (int i = 0; i < 4; i++)
		MPI_Op_create(i < 2 ? joins : joins_gappy, i % 2 == 0,
			      &user_ops[i]);
}

int main(int argc, char **argv)
{
	int fails = 0;

	MPI_Init(&argc, &argv);
	types_make();
	if (argc > 1 && strcmp(argv[1], "rows") == 0) {
		fails = rows();
		argv++;
		argc--;
	}
	if (argc > 2)
		fails += random_cases(strtoull(argv[1], NULL, 10),
				      (unsigned)atoi(argv[2]),
				      argc > 3 ? (unsigned)atoi(argv[3]) : 0);
	for (int i = 0; i < 4; i++)
		MPI_Op_free(&user_ops[i]);
	MPI_Type_free(&gappy_type);
	MPI_Type_free(&trace_type);
	MPI_Finalize();
	return fails != 0;
}
