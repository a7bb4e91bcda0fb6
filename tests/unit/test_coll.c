/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives between engines that are threads: every kind, every method and
 * every root, at counts of processes that fill a tree and that do not.  The
 * expected values are worked out by each process for itself, from what all of
 * them contribute.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libbcs/demand/coll/pages.h"
#include "libbcs/demand/coll_post.h"
#include "libbcs/demand/engine.h"

#define RANKS_MAX 9
/* Threads of a sanitizer take long on few cores, and more of them race in no
 * other way. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define RANKS_TRIED  6
#define PLACED_TRIED 5
#else
#define RANKS_TRIED  RANKS_MAX
#define PLACED_TRIED PLACED
#endif
#define CONTEXT 7

struct rank {
	struct engine engine;
	uint32_t each[RANKS_MAX];
	struct rank_map peers;
	struct coll_nodes nodes; /* that are made up */
	int n;
	int me;
	int32_t number;
	int errors;
	struct pages *pages;
	_Atomic int tid;
	_Atomic bool go;
};

/* Composition of x -> a x + b: associative, but it does not commute. */
struct affine {
	uint32_t a, b;
};

static void compose(const struct coll_fold *fold, const void *in, void *inout,
		    uint64_t bytes)
{
	const struct affine *f = in;
	struct affine *g = inout;

	(void)fold;
	for (uint64_t i = 0; i < bytes / sizeof(*f); i++)
		g[i] = (struct affine){ f[i].a * g[i].a,
					f[i].a * g[i].b + f[i].b };
}

static void add(const struct coll_fold *fold, const void *in, void *inout,
		uint64_t bytes)
{
	const struct affine *f = in;
	struct affine *g = inout;

	(void)fold;
	for (uint64_t i = 0; i < bytes / sizeof(*f); i++)
		g[i] = (struct affine){ f[i].a + g[i].a, f[i].b + g[i].b };
}

/* A program's own operation may change its input. */
static void add_and_spoil(const struct coll_fold *fold, const void *in,
			  void *inout, uint64_t bytes)
{
	add(fold, in, inout, bytes);
	memset((void *)(uintptr_t)in, 0xff, bytes);
}

static const struct coll_fold composes = { .run = compose,
					   .unit = sizeof(struct affine) };
static const struct coll_fold adds = { .run = add,
				       .unit = sizeof(struct affine),
				       .commutes = true };
static const struct coll_fold adds_in_caller = { .run = add_and_spoil,
						 .unit = sizeof(struct affine),
						 .commutes = true,
						 .in_caller = true };

static struct affine value(int rank, uint64_t i, int32_t number)
{
	return (struct affine){ (uint32_t)(rank * 7 + 3) * 2654435761u +
					(uint32_t)i,
				(uint32_t)i * 31 + (uint32_t)(rank + number) };
}

static struct affine *vector(int rank, uint64_t n, int32_t number)
{
	struct affine *v = malloc(n * sizeof(*v) + 1);

	for (uint64_t i = 0; i < n; i++)
		v[i] = value(rank, i, number);
	return v;
}

static void expect(struct rank *r, const struct affine *got, uint64_t begin,
		   uint64_t n, int first, int last,
		   const struct coll_fold *fold, const char *what)
{
	struct affine sum;
	struct affine next;

	for (uint64_t i = 0; i < n; i++) {
		sum = value(last, begin + i, r->number);
		for (int rank = last - 1; rank >= first; rank--) {
			next = value(rank, begin + i, r->number);
			fold->run(fold, &next, &sum, sizeof(sum));
		}
		if (memcmp(&got[i], &sum, sizeof(sum)) != 0) {
			fprintf(stderr,
				"%s: rank %d of %d, element %lu of %lu\n", what,
				r->me, r->n, (unsigned long)i,
				(unsigned long)n);
			r->errors++;
			return;
		}
	}
}

static bool done(void *coll)
{
	return coll_is_done(coll);
}

static void run(struct rank *r, struct coll *coll)
{
	coll->context = CONTEXT;
	coll->number = r->number;
	coll->signature = (uint32_t)coll->kind + 1;
	coll->peers = &r->peers;
	coll->rank = r->me;
	coll->pages = r->pages;
	coll->nodes = coll->method.algorithm == COLL_NODES ? &r->nodes : NULL;
	if (coll_post(&r->engine, coll) != 0)
		r->errors++;
	engine_wait_until(&r->engine, done, coll);
	if (coll->error) {
		fprintf(stderr, "kind %d: error %d\n", coll->kind, coll->error);
		r->errors++;
	}
	r->number++;
}

static const struct coll_method methods[] = {
	{ COLL_AUTO, 0 },
	{ COLL_LINEAR, 0 },
	{ COLL_LINEAR, 1024 },
	{ COLL_BINARY, 0 },
	{ COLL_BINARY, 1024 },
	{ COLL_BINOMIAL, 0 },
	{ COLL_BINOMIAL, 8192 },
	{ COLL_SPLIT_BINARY, 0 },
	{ COLL_SPLIT_BINARY, 1000 },
	{ COLL_PIPELINE, 0 },
	{ COLL_PIPELINE, 1024 },
	{ COLL_STRIPED, 0 },
	{ COLL_STRIPED, 1024 },
	{ COLL_NODES, 0 },
	{ COLL_NODES, 1000 },
};
#define METHODS (sizeof(methods) / sizeof(methods[0]))

static void bcast(struct rank *r, uint64_t n, int root,
		  struct coll_method method)
{
	struct coll *coll = coll_new(r->n);
	struct affine *v = vector(r->me == root ? root : r->me + 100, n,
				  r->number);
	const int32_t number = r->number;

	coll->kind = COLL_BCAST;
	coll->root = root;
	coll->in = (unsigned char *)v;
	coll->bytes = n * sizeof(*v);
	coll->method = method;
	run(r, coll);
	r->number = number;
	expect(r, v, 0, n, root, root, &adds, "bcast");
	r->number++;
	free(v);
	coll_free(coll);
}

static void reduce(struct rank *r, enum coll_kind kind, uint64_t n, int root,
		   struct coll_method method, const struct coll_fold *fold,
		   bool in_place)
{
	struct coll *coll = coll_new(r->n);
	const bool keeps = kind != COLL_REDUCE || root == r->me;
	const int32_t number = r->number;
	struct affine *out = vector(r->me, n, r->number);
	struct affine *in = keeps ? vector(77, n, r->number) : NULL;

	if (keeps && in_place)
		memcpy(in, out, n * sizeof(*in));
	coll->kind = kind;
	coll->root = root;
	coll->out = (unsigned char *)(keeps && in_place ? in : out);
	coll->in = (unsigned char *)in;
	coll->bytes = n * sizeof(*in);
	coll->fold = fold;
	coll->method = method;
	run(r, coll);
	r->number = number;
	if (!in_place)
		expect(r, out, 0, n, r->me, r->me, fold, "what is given");
	if (kind == COLL_SCAN)
		expect(r, in, 0, n, 0, r->me, fold, "scan");
	else if (kind == COLL_EXSCAN && r->me)
		expect(r, in, 0, n, 0, r->me - 1, fold, "exscan");
	else if (keeps && kind != COLL_EXSCAN)
		expect(r, in, 0, n, 0, r->n - 1, fold, "reduce");
	r->number++;
	free(in);
	free(out);
	coll_free(coll);
}

/* Rank i gets 3 i + extra elements. */
static void reduce_scatter(struct rank *r, uint64_t extra, bool in_place)
{
	struct coll *coll = coll_new(r->n);
	const int32_t number = r->number;
	uint64_t begins[RANKS_MAX + 1] = { 0 };
	struct affine *out;
	struct affine *in;

	for (int i = 0; i < r->n; i++)
		begins[i + 1] = begins[i] + 3 * (uint64_t)i + extra;
	out = vector(r->me, begins[r->n], r->number);
	in = in_place ? out : vector(77, begins[r->n], r->number);
	for (int i = 0; i < r->n; i++)
		coll->outs[i] = (struct coll_block){
			(unsigned char *)(out + begins[i]),
			(begins[i + 1] - begins[i]) * sizeof(*out), true
		};
	coll->kind = COLL_REDUCE_SCATTER;
	coll->out = (unsigned char *)out;
	coll->in = (unsigned char *)in;
	coll->bytes = begins[r->n] * sizeof(*out);
	coll->fold = &composes;
	run(r, coll);
	r->number = number;
	expect(r, in, begins[r->me], begins[r->me + 1] - begins[r->me], 0,
	       r->n - 1, &composes, "reduce-scatter");
	r->number++;
	if (!in_place)
		free(in);
	free(out);
	coll_free(coll);
}

/* Whether each gives the same to all may be said or not. */
static void exchange(struct rank *r, uint64_t n, bool said,
		     enum coll_algorithm algorithm)
{
	struct coll *coll = coll_new(r->n);
	const int32_t number = r->number;
	struct affine *in = calloc(n * (uint64_t)r->n + 1, sizeof(*in));
	struct affine *out = vector(r->me, n, r->number);

	for (int i = 0; i < r->n; i++) {
		coll->outs[i] = (struct coll_block){ (unsigned char *)out,
						     n * sizeof(*out), true };
		coll->ins[i] = (struct coll_block){
			(unsigned char *)(in + n * (uint64_t)i),
			n * sizeof(*in), true
		};
	}
	coll->kind = COLL_EXCHANGE;
	coll->bytes = said ? n * sizeof(*out) : 0;
	coll->method.algorithm = algorithm;
	run(r, coll);
	r->number = number;
	for (int i = 0; i < r->n; i++)
		expect(r, in + n * (uint64_t)i, 0, n, i, i, &adds, "exchange");
	r->number++;
	free(in);
	free(out);
	coll_free(coll);
}

static void exchanges(struct rank *r, uint64_t n)
{
	exchange(r, n, false, COLL_AUTO);
	exchange(r, n, true, COLL_AUTO);
	exchange(r, n, false, COLL_PAIRWISE);
	exchange(r, n, true, COLL_RING);
}

static void barrier(struct rank *r, struct coll_method method)
{
	struct coll *coll = coll_new(r->n);

	coll->kind = COLL_BARRIER;
	coll->method = method;
	run(r, coll);
	coll_free(coll);
}

static void with_methods(struct rank *r, uint64_t n)
{
	for (unsigned m = 0; m < METHODS; m++) {
		const int root = (int)(m + n) % r->n;

		bcast(r, n, root, methods[m]);
		reduce(r, COLL_REDUCE, n, root, methods[m], &adds, m % 2);
		reduce(r, COLL_ALLREDUCE, n, 0, methods[m], &adds, m % 2);
		reduce(r, COLL_REDUCE, n, root, methods[m], &composes, m % 3);
		reduce(r, COLL_ALLREDUCE, n, 0, methods[m], &composes, m % 3);
	}
}

static void *rank_run(void *arg)
{
	static const uint64_t sizes[] = { 0, 1, 2, 5, 300, 1100, 9000, 17000 };
	struct rank *r = arg;

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const uint64_t n = sizes[i];

		with_methods(r, n);
		barrier(r, methods[0]);
		exchanges(r, n);
		reduce_scatter(r, n / 4, false);
		reduce_scatter(r, n / 4, true);
		for (int in_place = 0; in_place < 2; in_place++) {
			reduce(r, COLL_SCAN, n, 0, methods[0], &composes,
			       in_place);
			reduce(r, COLL_EXSCAN, n, 0, methods[0], &composes,
			       in_place);
			reduce(r, COLL_ALLREDUCE, n, 0, methods[0],
			       &adds_in_caller, in_place);
		}
	}
	return NULL;
}

static void (*watched)(struct rank *ranks); /* or NULL: meanwhile */

/* In rows of two; or a node has more than the other; or each has one. */
static void nodes_make(struct rank *r)
{
	uint32_t node_of[RANKS_MAX];

	for (uint32_t i = 0; i < (uint32_t)r->n; i++)
		node_of[i] = r->n == 5  ? i
			     : r->n % 2 ? 3 + i * i % 3
					: 9 - i / 2;
	ck_assert_int_eq(coll_nodes_make(&r->nodes, node_of, (uint32_t)r->n,
					 (uint32_t)r->me),
			 0);
}

static void all_run(uint32_t n, const struct engine_options *options, bool copy,
		    void *(*body)(void *))
{
	struct board_slot *slots[RANKS_MAX];
	struct board_slot *memory;
	struct rank *ranks = calloc(n, sizeof(*ranks));
	pthread_t threads[RANKS_MAX];

	memory = mmap(NULL, n * sizeof(*memory), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	for (uint32_t i = 0; i < n; i++)
		slots[i] = &memory[i];
	for (uint32_t i = 0; i < n; i++) {
		ranks[i].n = n;
		ranks[i].me = i;
		for (uint32_t j = 0; j < n; j++)
			ranks[i].each[j] = j;
		ranks[i].peers = (struct rank_map){ .each = ranks[i].each };
		nodes_make(&ranks[i]);
		ck_assert_int_eq(
			engine_start(&ranks[i].engine, slots, n, i, options),
			0);
		if (!copy)
			memset(ranks[i].engine.copies, -1, n);
	}
	for (uint32_t i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, body, &ranks[i]);
	if (watched)
		watched(ranks);
	for (uint32_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_int_eq(ranks[i].errors, 0);
		engine_stop(&ranks[i].engine);
		coll_nodes_free(&ranks[i].nodes);
	}
	free(ranks);
	munmap(memory, n * sizeof(*memory));
}

static const struct engine_options demand = { .budget = 10000,
					      .crowded = true };

START_TEST(test_demand)
{
	all_run((uint32_t)_i, &demand, true, rank_run);
}
END_TEST

static void *exchanges_run(void *arg)
{
	for (unsigned i = 0; i < 20; i++)
		exchange(arg, i % 2 ? 17000 : 140000, false, COLL_AUTO);
	return NULL;
}

/* With a core for each large blocks may go by streams. */
START_TEST(test_roomy)
{
	const struct engine_options roomy = { .budget = 100000 };

	all_run(2, &roomy, true, _i == 0 ? rank_run : exchanges_run);
}
END_TEST

START_TEST(test_push)
{
	all_run(3, &demand, false, rank_run);
}
END_TEST

static void fold_and(const struct coll_fold *fold, const void *in, void *inout,
		     uint64_t bytes)
{
	(void)fold;
	(void)bytes;
	*(uint32_t *)inout &= *(const uint32_t *)in;
}

static const struct coll_fold ands = { .run = fold_and,
				       .unit = sizeof(uint32_t),
				       .commutes = true };

static uint32_t all_offer(struct rank *r, uint32_t mine,
			  const struct rank_map *peers, int rank, int size,
			  uint32_t context)
{
	struct coll *coll = coll_new(size);
	uint32_t all = mine;

	coll->kind = COLL_ALLREDUCE;
	coll->context = context;
	coll->signature = 1;
	coll->peers = peers;
	coll->rank = rank;
	coll->out = (unsigned char *)&mine;
	coll->in = (unsigned char *)&all;
	coll->bytes = sizeof(all);
	coll->fold = &ands;
	if (coll_post(&r->engine, coll) != 0)
		r->errors++;
	engine_wait_until(&r->engine, done, coll);
	coll_free(coll);
	return all;
}

static struct pages *pages_make(struct rank *r, const struct rank_map *peers,
				int rank, int size, uint32_t context)
{
	struct pages *pages = pages_new(&r->engine, peers, rank, size);
	const uint32_t all = all_offer(r, pages_offer(pages), peers, rank, size,
				       context);

	return pages_settle(pages, all, context);
}

static void *with_pages(struct rank *r, void *(*body)(void *))
{
	const uint32_t context = CONTEXT + 1 + (uint32_t)r->number;

	r->pages = pages_make(r, &r->peers, r->me, r->n, context);
	if (!r->pages)
		r->errors++;
	body(r);
	pages_leave(r->pages);
	r->pages = NULL;
	return NULL;
}

static void *rank_run_pages(void *arg)
{
	return with_pages(arg, rank_run);
}

START_TEST(test_pages)
{
	all_run((uint32_t)_i, &demand, true, rank_run_pages);
}
END_TEST

/* A communicator of some of them, for a few collectives. */
struct group {
	uint32_t each[RANKS_MAX];
	struct rank_map peers;
	int me;
	int size;
	uint32_t context;
	struct pages *pages;
};

static void group_make(struct rank *r, struct group *group, unsigned which)
{
	const unsigned members = which * 2654435761u >> 7;

	*group = (struct group){ .me = -1, .context = 100 + 2 * which };
	group->peers.each = group->each;
	for (int i = 0; i < r->n; i++) {
		if (!(members >> i & 1))
			continue;
		if (i == r->me)
			group->me = group->size;
		group->each[group->size++] = (uint32_t)i;
	}
	if (group->me < 0)
		return;
	group->pages = pages_make(r, &group->peers, group->me, group->size,
				  group->context);
}

/* A rank that is late reads what the others wrote before they went on. */
static void group_run(struct rank *r, struct group *group, struct coll *coll,
		      uint32_t i)
{
	coll->context = group->context + 1;
	coll->number = (int32_t)i;
	coll->signature = 1;
	coll->peers = &group->peers;
	coll->rank = group->me;
	coll->pages = group->pages;
	if (coll_post(&r->engine, coll) != 0)
		r->errors++;
	if (group->me && (group->context + i) % 5 == 0)
		usleep(50);
	engine_wait_until(&r->engine, done, coll);
	r->errors += coll->error != 0;
	coll_free(coll);
}

static void group_and(struct rank *r, struct group *group, uint32_t i)
{
	const uint32_t sent = ~(UINT32_C(1) << (group->me + i % 8));
	struct coll *coll = coll_new(group->size);
	uint32_t got = 0;

	coll->kind = COLL_ALLREDUCE;
	coll->out = (unsigned char *)(uintptr_t)&sent;
	coll->in = (unsigned char *)&got;
	coll->bytes = sizeof(got);
	coll->fold = &ands;
	group_run(r, group, coll, i);
	r->errors += got != ~(((UINT32_C(1) << group->size) - 1) << i % 8);
}

static void group_bcast(struct rank *r, struct group *group, uint32_t i)
{
	const uint32_t sent = group->context + i;
	struct coll *coll = coll_new(group->size);
	uint32_t got;

	coll->kind = COLL_BCAST;
	coll->root = (int)(i % (uint32_t)group->size);
	coll->in = (unsigned char *)&got;
	coll->bytes = sizeof(got);
	got = coll->root == group->me ? sent : 0;
	group_run(r, group, coll, i);
	r->errors += got != sent;
}

/* Groups that overlap begin and end, and the numbers of their pages go from one
 * to the next while others still read. */
static void *groups_run(void *arg)
{
	struct rank *r = arg;
	unsigned page_sets = 0;
	struct group group;

	for (unsigned i = 0; i < 3000; i++) {
		group_make(r, &group, i);
		if (group.me < 0)
			continue;
		page_sets += group.pages != NULL;
		for (uint32_t j = 0; j < 1 + i % 3; j++)
			group_and(r, &group, 2 * j);
		for (uint32_t j = 0; j < i % 3; j++)
			group_bcast(r, &group, 2 * j + 1);
		pages_leave(group.pages);
	}
	/* Most have come back by then. */
	if (page_sets < 500)
		r->errors++;
	return NULL;
}

START_TEST(test_groups)
{
	all_run(4, &demand, true, groups_run);
}
END_TEST

/* More than go in one round. */
static void *many_run(void *arg)
{
	struct rank *r = arg;

	for (int i = 0; i < 50; i++) {
		barrier(r, (struct coll_method){ COLL_BINOMIAL, 0 });
		exchange(r, 3, false, COLL_AUTO);
	}
	return NULL;
}

START_TEST(test_many)
{
	all_run(RANKS_MAX, &demand, true, many_run);
}
END_TEST

/* The root sends more than inboxes hold, to who comes late. */
static void *ahead_run(void *arg)
{
	struct rank *r = arg;

	if (r->me != 0)
		usleep(100000);
	for (int i = 0; i < 300; i++)
		bcast(r, 1000, 0, methods[0]);
	return NULL;
}

/*
 * Broadcasts by shared pages have some pages only; the others may come when
 * they have another message of the root's, which it sends later.
 */
static void *far_ahead_run(void *arg)
{
	struct rank *r = arg;
	struct op op = { .kind = r->me ? OP_RECV : OP_SEND,
			 .key = { CONTEXT + 2, 0, 0 } };

	for (int i = 0; r->me == 0 && i < 100; i++)
		bcast(r, 1, 0, methods[0]);
	for (int i = 1; i < r->n; i++) {
		op.peer = (uint32_t)i;
		if (r->me == 0 || r->me == i)
			engine_run(&r->engine, &op);
	}
	for (int i = 0; r->me != 0 && i < 100; i++)
		bcast(r, 1, 0, methods[0]);
	return NULL;
}

static void *few_run(void *arg)
{
	for (int i = 0; i < 10; i++)
		bcast(arg, 1, 0, methods[0]);
	return NULL;
}

/* All have left the first pages, so that the second has its number. */
static void *far_ahead_run_pages(void *arg)
{
	with_pages(arg, few_run);
	barrier(arg, methods[0]);
	return with_pages(arg, far_ahead_run);
}

START_TEST(test_far_ahead)
{
	all_run(3, &demand, true, _i ? far_ahead_run_pages : far_ahead_run);
}
END_TEST

static void *awaited_run(void *arg)
{
	struct rank *r = arg;

	atomic_store(&r->engine.from, 0);
	barrier(r, methods[1]);
	r->errors += atomic_load(&r->engine.from) != ENGINE_ALL;
	return NULL;
}

static void *awaited_run_pages(void *arg)
{
	return with_pages(arg, awaited_run);
}

/* A collective by shared pages waits for all ranks, not for one alone. */
START_TEST(test_awaited)
{
	all_run(3, &demand, true, awaited_run_pages);
}
END_TEST

/* The roots change, and some ranks are late now and then. */
static void *bcasts_run(void *arg)
{
	struct rank *r = arg;

	for (unsigned i = 0; i < 3000; i++) {
		if ((i + 31 * (unsigned)r->me) % 97 == 0)
			usleep(200);
		bcast(r, 1 + i % 120, (int)(i / 40) % r->n, methods[1]);
	}
	return NULL;
}

static void *bcasts_run_pages(void *arg)
{
	return with_pages(arg, bcasts_run);
}

START_TEST(test_bcasts)
{
	struct engine_options options = demand;

	options.crowded = _i == 0;
	all_run(options.crowded ? 5 : 2, &options, true, bcasts_run_pages);
}
END_TEST

/* The second comes first, and waits. */
static void *late_run(void *arg)
{
	struct rank *r = arg;

	atomic_store(&r->tid, (int)gettid());
	while (r->me == 0 && !atomic_load(&r->go))
		usleep(1000);
	bcast(r, 1, 0, methods[0]);
	return NULL;
}

static void *late_run_pages(void *arg)
{
	return with_pages(arg, late_run);
}

/* /proc has "TID (NAME) STATE ...". */
static bool thread_sleeps(int tid)
{
	char path[64];
	char state = 'R';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
	fclose(file);
	return state == 'S';
}

/*
 * A rank that waits for a broadcast sleeps for a while, and does not wake
 * itself.
 */
static void watch(struct rank *ranks)
{
	int asleep = 0;

	while (!atomic_load(&ranks[1].tid))
		usleep(1000);
	/* Until the test's time is over, if it never does. */
	while (asleep < 20) {
		usleep(1000);
		asleep = thread_sleeps(atomic_load(&ranks[1].tid)) ? asleep + 1
								   : 0;
	}
	atomic_store(&ranks[0].go, true);
}

START_TEST(test_waiter_sleeps)
{
	watched = watch;
	all_run(2, &demand, true, _i ? late_run_pages : late_run);
	watched = NULL;
}
END_TEST

START_TEST(test_ahead)
{
	all_run(3, &demand, true, ahead_run);
}
END_TEST

/* One of them calls something else. */
static void *mismatch_run(void *arg)
{
	struct rank *r = arg;
	struct coll *coll = coll_new(r->n);

	coll->kind = COLL_BARRIER;
	coll->signature = r->me == 1 ? 8 : 9;
	coll->context = CONTEXT;
	coll->peers = &r->peers;
	coll->rank = r->me;
	coll->pages = r->pages;
	if (coll_post(&r->engine, coll) != 0)
		r->errors++;
	engine_wait_until(&r->engine, done, coll);
	if (coll->error != -EPROTO)
		r->errors++;
	if (r->me != 1 && coll->culprit != 1)
		r->errors++;
	if (coll_is_held(coll))
		r->errors++;
	coll_free(coll);
	return NULL;
}

START_TEST(test_mismatch)
{
	all_run(2, &demand, true, mismatch_run);
}
END_TEST

static void *mismatch_run_pages(void *arg)
{
	return with_pages(arg, mismatch_run);
}

START_TEST(test_mismatch_pages)
{
	all_run(3, &demand, true, mismatch_run_pages);
}
END_TEST

/* Nobody waits for who comes late, unless there is something from it. */
static void *alone_run(void *arg)
{
	struct rank *r = arg;

	for (int i = 0; i < 300 && r->me == 0; i++) {
		bcast(r, 60, 0, methods[0]);
		reduce(r, COLL_REDUCE, 60, 1, methods[0], &adds, false);
		reduce(r, COLL_SCAN, 60, 0, methods[0], &adds, false);
		reduce(r, COLL_ALLREDUCE, 0, 0, methods[0], &adds, false);
	}
	return NULL;
}

static void *alone_run_pages(void *arg)
{
	return with_pages(arg, alone_run);
}

START_TEST(test_alone_pages)
{
	all_run(2, &demand, true, alone_run_pages);
}
END_TEST

/* Processes of one communicator, as a tree in two levels. */
#define PLACED 41

struct placed {
	uint32_t node_of[PLACED];
	struct coll_nodes nodes[PLACED]; /* of each */
	struct coll coll;
};

static int parent_of(struct placed *p, int rank)
{
	p->coll.nodes = &p->nodes[rank];
	p->coll.rank = rank;
	return coll_parent(&p->coll);
}

/* Each child's parent is this one; how many there are. */
static int children_check(struct placed *p, int rank)
{
	int n = 0;
	int child;

	for (;; n++) {
		p->coll.nodes = &p->nodes[rank];
		p->coll.rank = rank;
		child = coll_child(&p->coll, n);
		if (child < 0)
			return n;
		if (n > PLACED || child >= p->coll.size ||
		    parent_of(p, child) != rank)
			ck_abort_msg("%d under %d", child, rank);
	}
}

static int depth_of(struct placed *p, int rank)
{
	int depth = 0;

	for (; rank != p->coll.root && depth <= PLACED; depth++)
		rank = parent_of(p, rank);
	return depth;
}

/* All are in it once, and into each node there is one way. */
static void tree_check(struct placed *p, uint32_t n_nodes)
{
	const int n = p->coll.size;
	int log = 0;
	int children = 0;
	uint32_t between = 0;

	while (1u << log < n_nodes)
		log++;
	for (int rank = 0; rank < n; rank++) {
		const int parent = parent_of(p, rank);

		children += children_check(p, rank);
		if ((parent < 0) != (rank == p->coll.root))
			ck_abort_msg("%d has no parent", rank);
		between += parent >= 0 &&
			   p->node_of[rank] != p->node_of[parent];
		if (depth_of(p, rank) > log + 1)
			ck_abort_msg("%d is too far down", rank);
	}
	ck_assert_int_eq(children, n - 1);
	ck_assert_uint_eq(between, n_nodes - 1);
}

static void placed_check(struct placed *p, int n, uint32_t n_nodes)
{
	const struct coll_method method = { COLL_NODES, 0 };
	uint32_t counted[PLACED];

	for (int i = 0; i < n; i++) {
		struct coll_nodes made;

		memcpy(counted, p->node_of, sizeof(counted));
		ck_assert_int_eq(coll_nodes_make(&made, counted, (uint32_t)n,
						 (uint32_t)i),
				 0);
		ck_assert_int_eq(coll_nodes_copy(&p->nodes[i], &made), 0);
		coll_nodes_free(&made);
	}
	p->coll = (struct coll){ .kind = COLL_BCAST,
				 .size = n,
				 .nodes = p->nodes,
				 .method = method };
	if (n_nodes > 1)
		for (p->coll.root = 0; p->coll.root < n; p->coll.root++)
			tree_check(p, n_nodes);
	else
		ck_assert(!coll_method_fits(&p->coll, method));
	for (int i = 0; i < n; i++)
		coll_nodes_free(&p->nodes[i]);
}

static uint32_t any(uint32_t n)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)state * n >> 32);
}

/* In rows, in turn, and anyhow; each number that stands for a node is there. */
START_TEST(test_nodes)
{
	struct placed *p = calloc(1, sizeof(*p));

	for (int n = 1; n <= PLACED_TRIED; n++)
		for (uint32_t k = 1; k <= (uint32_t)n; k++) {
			for (uint32_t i = 0; i < (uint32_t)n; i++)
				p->node_of[i] = 5 + i * k / (uint32_t)n;
			placed_check(p, n, k);
			for (uint32_t i = 0; i < (uint32_t)n; i++)
				p->node_of[i] = 100 - i % k;
			placed_check(p, n, k);
			for (uint32_t i = 0; i < (uint32_t)n; i++)
				p->node_of[i] = i < k ? 2 * i : 2 * any(k);
			placed_check(p, n, k);
		}
	free(p);
}
END_TEST

static struct coll_method chosen(enum coll_kind kind, uint64_t bytes, int size)
{
	uint32_t *node_of = calloc((size_t)size, sizeof(*node_of));
	struct coll_nodes nodes;
	struct coll coll = { .kind = kind,
			     .bytes = bytes,
			     .size = size,
			     .fold = &adds,
			     .nodes = &nodes };
	struct coll_method method;

	for (int i = size / 2; i < size; i++)
		node_of[i] = 1;
	ck_assert_int_eq(coll_nodes_make(&nodes, node_of, (uint32_t)size, 0),
			 0);
	method = coll_choose(&coll, &coll.own_order);
	coll_nodes_free(&nodes);
	free(node_of);
	return method;
}

static bool in_two_levels(enum coll_kind kind, uint64_t bytes)
{
	return chosen(kind, bytes, 4).algorithm == COLL_NODES;
}

/* Between nodes, unless rounds cost more than messages. */
START_TEST(test_choice)
{
	ck_assert(in_two_levels(COLL_BARRIER, 0));
	ck_assert(in_two_levels(COLL_ALLREDUCE, 8));
	ck_assert(in_two_levels(COLL_ALLREDUCE, 1 << 20));
	ck_assert(in_two_levels(COLL_BCAST, 1 << 20));
	ck_assert(!in_two_levels(COLL_REDUCE, 1 << 20));
	ck_assert(!in_two_levels(COLL_BCAST, 8));
	ck_assert(!in_two_levels(COLL_REDUCE, 8));
	ck_assert(!in_two_levels(COLL_SCAN, 8));
	ck_assert_int_eq(chosen(COLL_BCAST, 8, 65).algorithm, COLL_NODES);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("coll");
	TCase *tcase = tcase_create("coll");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(tcase, 200);
	tcase_add_test(tcase, test_nodes);
	tcase_add_test(tcase, test_choice);
	tcase_add_loop_test(tcase, test_demand, 1, RANKS_TRIED);
	tcase_add_loop_test(tcase, test_roomy, 0, 2);
	tcase_add_test(tcase, test_push);
	tcase_add_test(tcase, test_many);
	tcase_add_test(tcase, test_ahead);
	tcase_add_loop_test(tcase, test_waiter_sleeps, 0, 2);
	tcase_add_loop_test(tcase, test_far_ahead, 0, 2);
	tcase_add_loop_test(tcase, test_bcasts, 0, 2);
	tcase_add_test(tcase, test_awaited);
	tcase_add_test(tcase, test_mismatch);
	tcase_add_loop_test(tcase, test_pages, 1, RANKS_TRIED);
	tcase_add_test(tcase, test_groups);
	tcase_add_test(tcase, test_mismatch_pages);
	tcase_add_test(tcase, test_alone_pages);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
