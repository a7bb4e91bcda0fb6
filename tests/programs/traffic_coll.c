/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every collective, in every form, of types with and without gaps, in place and
 * not.  Operations are MPI's and one of our own that does not commute.  Each
 * rank checks each element that it gets, and that nothing else is written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic.h"

#define COLLS     10 /* in a round */
#define UNTOUCHED -77
#define RANKS_MAX 16
#define KINDS     17
#define FORMS     3

enum kind {
	BARRIER,
	BCAST,
	GATHER,
	GATHERV,
	SCATTER,
	SCATTERV,
	ALLGATHER,
	ALLGATHERV,
	ALLTOALL,
	ALLTOALLV,
	ALLTOALLW,
	REDUCE,
	ALLREDUCE,
	REDUCE_SCATTER,
	REDUCE_SCATTER_BLOCK,
	SCAN,
	EXSCAN,
};

enum form { BLOCKING, LATER, PERSISTENT };

struct coll {
	enum kind kind;
	enum form form;
	MPI_Comm comm;
	int rank;
	int size;
	int root;
	int n; /* elements of a block, or of the vector */
	int stride;
	MPI_Datatype type;
	MPI_Op op;
	int in_place;
	uint32_t salt;
	int *out;
	int *in;
	int counts[RANKS_MAX]; /* of blocks that differ, and where they are */
	int displs[RANKS_MAX];
	int bytes[RANKS_MAX];
	MPI_Datatype types[RANKS_MAX];
	MPI_Request request;
};

static struct coll colls[COLLS];
static MPI_Datatype apart; /* an int, and room for another */
static MPI_Op composition;

uint32_t traffic_mix(uint32_t a, uint32_t b)
{
	uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;

	x ^= x >> 29;
	return (uint32_t)((x * 0xbf58476d1ce4e5b9u) >> 32);
}

/* x -> a x + b, in the halves of a word: associative, not commutative. */
static int compose(int f, int g)
{
	const uint32_t a = (uint32_t)f >> 16;
	const uint32_t b = (uint32_t)f & 0xffff;
	const uint32_t c = (uint32_t)g >> 16;
	const uint32_t d = (uint32_t)g & 0xffff;

	return (int)((a * c & 0xffff) << 16 | ((a * d + b) & 0xffff));
}

static void compose_all(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const int stride = *type == MPI_INT ? 1 : 2;
	const int *f = in;
	int *g = inout;

	for (int i = 0; i < *n; i++)
		g[i * stride] = compose(f[i * stride], g[i * stride]);
}

static void once(void)
{
	if (apart)
		return;
	MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
	MPI_Type_commit(&apart);
	MPI_Op_create(compose_all, 0, &composition);
}

/* The element that `from` has for `to` (-1: for all) at a place. */
static int element(const struct coll *c, int from, int to, int at)
{
	return (int)(traffic_mix(c->salt + (uint32_t)from * 64 + (uint32_t)to,
				 (uint32_t)at) &
		     0x7fffff);
}

static int apply(const struct coll *c, int a, int b)
{
	if (c->op == MPI_SUM)
		return (int)((uint32_t)a + (uint32_t)b);
	if (c->op == MPI_MAX)
		return a > b ? a : b;
	return compose(a, b);
}

/* The sum of the ranks up to `last`. */
static int reduced(const struct coll *c, int last, int at)
{
	int sum = element(c, 0, -1, at);

	for (int rank = 1; rank <= last; rank++)
		sum = apply(c, sum, element(c, rank, -1, at));
	return sum;
}

static int is_reduction(enum kind kind)
{
	return kind >= REDUCE;
}

static int has_blocks(enum kind kind)
{
	return kind >= GATHER && kind <= ALLTOALLW;
}

static int differs(enum kind kind)
{
	return kind == GATHERV || kind == SCATTERV || kind == ALLGATHERV ||
	       kind == ALLTOALLV || kind == ALLTOALLW || kind == REDUCE_SCATTER;
}

static int to_all(enum kind kind)
{
	return kind == ALLTOALL || kind == ALLTOALLV || kind == ALLTOALLW;
}

static int from_one(enum kind kind)
{
	return kind == SCATTER || kind == SCATTERV;
}

static int to_one(enum kind kind)
{
	return kind == GATHER || kind == GATHERV || kind == REDUCE;
}

/* Between two ranks, in either direction: all-to-all has to be symmetric. */
static int count_of(const struct coll *c, int i)
{
	if (!differs(c->kind))
		return c->n;
	if (to_all(c->kind))
		return (c->n + c->rank + i) % (c->n + 1);
	return c->n ? (c->n * (i + 1)) % (c->n + 7) : 0;
}

static void choose(struct coll *c, const MPI_Comm *comms, int n_comms,
		   uint32_t r)
{
	static const int sizes[] = { 0, 1, 3, 100, 2100, 9000, 40000 };

	c->kind = traffic_mix(r, 1) % KINDS;
	c->form = traffic_mix(r, 2) % FORMS;
	c->comm = comms[traffic_mix(r, 3) % (uint32_t)n_comms];
	MPI_Comm_rank(c->comm, &c->rank);
	MPI_Comm_size(c->comm, &c->size);
	c->root = (int)(traffic_mix(r, 4) % (uint32_t)c->size);
	c->n = sizes[traffic_mix(r, 5) % 7];
	if (c->n > 2100 && to_all(c->kind))
		c->n /= 4;
	c->stride = 1 + (int)(traffic_mix(r, 6) % 3 == 0);
	c->type = c->stride == 1 ? MPI_INT : apart;
	c->op = traffic_mix(r, 7) % 3 == 0                     ? composition
		: traffic_mix(r, 7) % 3 == 1 && c->stride == 1 ? MPI_SUM
		: c->stride == 1                               ? MPI_MAX
							       : composition;
	c->in_place = traffic_mix(r, 8) % 3 == 0;
	c->salt = r;
}

static void blocks_make(struct coll *c)
{
	const int gap = c->kind != REDUCE_SCATTER;
	int at = gap;

	for (int i = 0; i < c->size; i++) {
		c->counts[i] = count_of(c, i);
		c->displs[i] = at;
		c->bytes[i] = at * c->stride * (int)sizeof(int);
		c->types[i] = c->type;
		at += c->counts[i] + gap;
	}
	if (differs(c->kind))
		return;
	for (int i = 0; i < c->size; i++)
		c->displs[i] = i * c->n;
}

/* All that a side can hold. */
static int elements(const struct coll *c)
{
	int last = c->size - 1;

	return c->displs[last] + c->counts[last] + 1;
}

static int *memory(const struct coll *c)
{
	const size_t n = (size_t)elements(c) * (size_t)c->stride + 1;
	int *m = malloc(n * sizeof(*m));

	for (size_t i = 0; i < n; i++)
		m[i] = UNTOUCHED;
	return m;
}

static void put(const struct coll *c, int *buf, int begin, int n, int from,
		int to)
{
	for (int i = 0; i < n; i++)
		buf[(begin + i) * c->stride] = element(c, from, to, i);
}

/* How long the vector of a reduction is. */
static int vector(const struct coll *c)
{
	return c->kind == REDUCE_SCATTER || c->kind == REDUCE_SCATTER_BLOCK
		       ? c->displs[c->size - 1] + c->counts[c->size - 1]
		       : c->n;
}

static int takes_place(const struct coll *c)
{
	if (c->kind == BARRIER || c->kind == BCAST || !c->in_place)
		return 0;
	if (to_one(c->kind) || from_one(c->kind))
		return c->rank == c->root;
	return 1;
}

static void fill(struct coll *c)
{
	int *own = takes_place(c) && !from_one(c->kind) ? c->in : c->out;

	if (c->kind == BCAST && c->rank == c->root)
		put(c, c->in, 0, c->n, c->root, -1);
	if (is_reduction(c->kind))
		put(c, own, 0, vector(c), c->rank, -1);
	for (int i = 0; has_blocks(c->kind) && i < c->size; i++)
		if (to_all(c->kind) || from_one(c->kind))
			put(c, own, c->displs[i], c->counts[i], c->rank, i);
	if (has_blocks(c->kind) && !to_all(c->kind) && !from_one(c->kind))
		put(c, own, own == c->in ? c->displs[c->rank] : 0,
		    c->counts[c->rank], c->rank, -1);
}

/* The three forms of a call. */
#define CALL(NAME, INAME, ...)                                                 \
	do {                                                                   \
		if (c->form == BLOCKING)                                       \
			MPI_##NAME(__VA_ARGS__, c->comm);                      \
		else if (c->form == LATER)                                     \
			MPI_##INAME(__VA_ARGS__, c->comm, &c->request);        \
		else                                                           \
			MPI_##NAME##_init(__VA_ARGS__, c->comm, MPI_INFO_NULL, \
					  &c->request);                        \
	} while (0)

static void call_barrier(struct coll *c)
{
	if (c->form == BLOCKING)
		MPI_Barrier(c->comm);
	else if (c->form == LATER)
		MPI_Ibarrier(c->comm, &c->request);
	else
		MPI_Barrier_init(c->comm, MPI_INFO_NULL, &c->request);
}

static void call_blocks(struct coll *c)
{
	const void *out = takes_place(c) ? MPI_IN_PLACE : c->out;
	void *in = c->in;
	const int own = c->counts[c->rank];

	switch (c->kind) {
	case GATHER:
		CALL(Gather, Igather, out, c->n, c->type, in, c->n, c->type,
		     c->root);
		break;
	case GATHERV:
		CALL(Gatherv, Igatherv, out, own, c->type, in, c->counts,
		     c->displs, c->type, c->root);
		break;
	case ALLGATHER:
		CALL(Allgather, Iallgather, out, c->n, c->type, in, c->n,
		     c->type);
		break;
	case ALLGATHERV:
		CALL(Allgatherv, Iallgatherv, out, own, c->type, in, c->counts,
		     c->displs, c->type);
		break;
	case ALLTOALL:
		CALL(Alltoall, Ialltoall, out, c->n, c->type, in, c->n,
		     c->type);
		break;
	case ALLTOALLV:
		CALL(Alltoallv, Ialltoallv, out, c->counts, c->displs, c->type,
		     in, c->counts, c->displs, c->type);
		break;
	default:
		CALL(Alltoallw, Ialltoallw, out, c->counts, c->bytes, c->types,
		     in, c->counts, c->bytes, c->types);
		break;
	}
}

static void call_scatter(struct coll *c)
{
	void *in = takes_place(c) ? MPI_IN_PLACE : c->in;

	if (c->kind == SCATTER)
		CALL(Scatter, Iscatter, c->out, c->n, c->type, in, c->n,
		     c->type, c->root);
	else
		CALL(Scatterv, Iscatterv, c->out, c->counts, c->displs, c->type,
		     in, c->counts[c->rank], c->type, c->root);
}

static void call_reduction(struct coll *c)
{
	const void *out = takes_place(c) ? MPI_IN_PLACE : c->out;

	switch (c->kind) {
	case REDUCE:
		CALL(Reduce, Ireduce, out, c->in, c->n, c->type, c->op,
		     c->root);
		break;
	case ALLREDUCE:
		CALL(Allreduce, Iallreduce, out, c->in, c->n, c->type, c->op);
		break;
	case REDUCE_SCATTER:
		CALL(Reduce_scatter, Ireduce_scatter, out, c->in, c->counts,
		     c->type, c->op);
		break;
	case REDUCE_SCATTER_BLOCK:
		CALL(Reduce_scatter_block, Ireduce_scatter_block, out, c->in,
		     c->n, c->type, c->op);
		break;
	case SCAN:
		CALL(Scan, Iscan, out, c->in, c->n, c->type, c->op);
		break;
	default:
		CALL(Exscan, Iexscan, out, c->in, c->n, c->type, c->op);
		break;
	}
}

static void call(struct coll *c)
{
	c->request = MPI_REQUEST_NULL;
	if (c->kind == BARRIER)
		call_barrier(c);
	else if (c->kind == BCAST)
		CALL(Bcast, Ibcast, c->in, c->n, c->type, c->root);
	else if (from_one(c->kind))
		call_scatter(c);
	else if (has_blocks(c->kind))
		call_blocks(c);
	else
		call_reduction(c);
	if (c->form == PERSISTENT)
		MPI_Start(&c->request);
}

void traffic_collectives_begin(const MPI_Comm *comms, int n_comms,
			       uint32_t seed)
{
	once();
	for (int i = 0; i < COLLS; i++) {
		struct coll *c = &colls[i];

		choose(c, comms, n_comms, traffic_mix(seed, (uint32_t)i));
		blocks_make(c);
		c->in = memory(c);
		c->out = memory(c);
		fill(c);
		call(c);
	}
}

static int wrong; /* of this round's */

static void complain(const struct coll *c, const char *what, int at, int got,
		     int expected)
{
	fprintf(stderr,
		"rank %d of %d: collective %d, form %d, root %d, n %d, "
		"stride %d, in place %d: %s %d is %d, not %d\n",
		c->rank, c->size, c->kind, c->form, c->root, c->n, c->stride,
		c->in_place, what, at, got, expected);
	wrong++;
}

/* Elements that lie apart have something between them that stays. */
static void check(const struct coll *c, int begin, int n, int from, int to)
{
	for (int i = 0; i < n; i++) {
		const int *got = &c->in[(begin + i) * c->stride];
		const int expected = from < 0 ? reduced(c, to, i)
					      : element(c, from, to, i);

		if (*got != expected) {
			complain(c, "element", i, *got, expected);
			return;
		}
		if (c->stride == 2 && got[1] != UNTOUCHED) {
			complain(c, "what lies behind", i, got[1], UNTOUCHED);
			return;
		}
	}
}

/* A part of the vector, which begins elsewhere in what was contributed. */
static void check_part(const struct coll *c)
{
	const int begin = c->displs[c->rank];

	for (int i = 0; i < c->counts[c->rank]; i++)
		if (c->in[i * c->stride] !=
		    reduced(c, c->size - 1, begin + i)) {
			complain(c, "element", i, c->in[i * c->stride],
				 reduced(c, c->size - 1, begin + i));
			return;
		}
}

static void check_blocks(const struct coll *c)
{
	if (to_one(c->kind) && c->rank != c->root)
		return;
	if (from_one(c->kind)) {
		if (!takes_place(c))
			check(c, 0, c->counts[c->rank], c->root, c->rank);
		return;
	}
	for (int i = 0; i < c->size; i++)
		check(c, c->displs[i], c->counts[i], i,
		      to_all(c->kind) ? c->rank : -1);
}

static void check_reduction(const struct coll *c)
{
	if (c->kind == REDUCE_SCATTER || c->kind == REDUCE_SCATTER_BLOCK)
		check_part(c);
	else if (c->kind == SCAN)
		check(c, 0, c->n, -1, c->rank);
	else if (c->kind == EXSCAN && c->rank > 0)
		check(c, 0, c->n, -1, c->rank - 1);
	else if (c->kind == ALLREDUCE ||
		 (c->kind == REDUCE && c->rank == c->root))
		check(c, 0, c->n, -1, c->size - 1);
}

static void end(struct coll *c)
{
	MPI_Wait(&c->request, MPI_STATUS_IGNORE);
	if (c->form == PERSISTENT)
		MPI_Request_free(&c->request);
	if (c->kind == BCAST)
		check(c, 0, c->n, c->root, -1);
	else if (has_blocks(c->kind))
		check_blocks(c);
	else if (is_reduction(c->kind))
		check_reduction(c);
	free(c->in);
	free(c->out);
}

void traffic_collectives_free(void)
{
	MPI_Type_free(&apart);
	MPI_Op_free(&composition);
}

int traffic_collectives_end(void)
{
	wrong = 0;
	for (int i = 0; i < COLLS; i++)
		end(&colls[COLLS - 1 - i]);
	return wrong;
}
