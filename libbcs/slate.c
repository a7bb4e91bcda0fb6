/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/coll.h"
#include "libbcs/slice.h"
#include "libbcs/wait.h"

/* Above, so many pages to read cost more than a tree of messages. */
#define MEMBERS_MOST 64

static struct board_slate *slate_of(const struct slate *slate, int rank)
{
	return &slate->members[rank].slot->slates[slate->index];
}

static uint32_t has_left(const struct slate *slate, int rank)
{
	/* Orders what it read of ours before its leaving. */
	return atomic_load_explicit(&slate_of(slate, rank)->left,
				    memory_order_acquire);
}

struct slate *slate_new(struct engine *engine, const uint32_t *peers, int rank,
			int size)
{
	struct slate *slate;

	if (size > MEMBERS_MOST)
		return NULL;
	for (int i = 0; i < size; i++)
		if (!engine_is_near(engine, peers[i]))
			return NULL;
	slate = calloc(1,
		       sizeof(*slate) + (size_t)size * sizeof(*slate->members));
	if (!slate)
		return NULL;
	slate->engine = engine;
	slate->rank = rank;
	slate->size = size;
	for (int i = 0; i < size; i++)
		slate->members[i].slot = engine->slots[peers[i]];
	return slate;
}

/*
 * Who has left says so until it gives the number to another communicator, which
 * it does when all have left, this process too; so what it says now is either
 * what it said before this one began, or all is over.
 */
static bool all_have_left(const struct slate *slate)
{
	uint32_t left;

	for (int i = 0; i < slate->size; i++) {
		left = has_left(slate, i);
		if (left == slate->members[i].left && left != slate->context)
			return false;
	}
	return true;
}

/* With the token. */
static void sweep(struct engine *engine)
{
	struct slate **link = &engine->left_slates;
	struct slate *slate;

	while ((slate = *link)) {
		if (!all_have_left(slate)) {
			link = &slate->next;
			continue;
		}
		engine->slates |= UINT32_C(1) << slate->index;
		*link = slate->next;
		free(slate);
	}
}

uint32_t slate_offer(struct slate *slate)
{
	struct engine *engine;

	if (!slate)
		return 0;
	engine = slate->engine;
	engine_token_take(engine);
	sweep(engine);
	slate->offered = engine->slates;
	engine->slates = 0;
	engine_token_give(engine);
	return slate->offered;
}

static void give_back(struct engine *engine, uint32_t slates)
{
	engine_token_take(engine);
	engine->slates |= slates;
	engine_token_give(engine);
}

struct slate *slate_settle(struct slate *slate, uint32_t common,
			   uint32_t context)
{
	const uint32_t taken = context ? common & -common : 0;

	if (!slate)
		return NULL;
	give_back(slate->engine, slate->offered & ~taken);
	if (!taken) {
		free(slate);
		return NULL;
	}
	slate->index = (uint32_t)__builtin_ctz(taken);
	slate->context = context;
	for (int i = 0; i < slate->size; i++)
		slate->members[i].left = has_left(slate, i);
	return slate;
}

void slate_leave(struct slate *slate)
{
	struct engine *engine;

	if (!slate)
		return;
	engine = slate->engine;
	/* Orders what was read of others before it. */
	atomic_store_explicit(&slate_of(slate, slate->rank)->left,
			      slate->context, memory_order_release);
	engine_token_take(engine);
	slate->next = engine->left_slates;
	engine->left_slates = slate;
	engine_token_give(engine);
}

void slates_free(struct engine *engine)
{
	struct slate *next;

	for (struct slate *s = engine->left_slates; s; s = next) {
		next = s->next;
		free(s);
	}
	engine->left_slates = NULL;
}

/* A tree has an order of its own, and pieces have rounds. */
static bool is_at_once(const struct coll *coll)
{
	return coll->method.algorithm == COLL_LINEAR &&
	       (!coll->method.segment || coll->method.segment >= coll->bytes);
}

bool slate_fits(const struct coll *coll)
{
	switch (coll->kind) {
	case COLL_EXCHANGE:       /* not everybody knows how much it is, */
	case COLL_REDUCE_SCATTER: /* nor whether all say the same */
		return false;
	default:
		return coll->slate && !coll->in_background &&
		       coll->bytes <= BOARD_PAGE_BYTES && is_at_once(coll);
	}
}

static uint64_t word(const struct slate *slate, uint32_t n)
{
	return (uint64_t)slate->context << 32 | n;
}

static struct board_page *page_of(const struct slate *slate, int rank)
{
	return &slate_of(slate, rank)->pages[slate->n % BOARD_PAGES];
}

/* Whether it has begun the collective `n`; some it may have begun since. */
static bool has_begun(const struct slate *slate, int rank, uint32_t n)
{
	/* Orders what it read before that before what is written next. */
	const uint64_t at = atomic_load_explicit(&slate_of(slate, rank)->at,
						 memory_order_acquire);
	const uint32_t begun = at >> 32 == slate->context ? (uint32_t)at : 0;

	return (int32_t)(begun - n) >= 0;
}

/* The page is written anew: who has to have read it begun another since. */
static bool page_is_free(void *arg)
{
	const struct slate *slate = arg;

	for (int i = 0; i < slate->size; i++)
		if (!has_begun(slate, i, slate->n - BOARD_PAGES + 1))
			return false;
	return true;
}

static bool is_shown(const struct slate *slate, int rank, memory_order order)
{
	return atomic_load_explicit(&page_of(slate, rank)->shown, order) ==
	       word(slate, slate->n);
}

/* Whether it reads what that rank wrote. */
static bool reads(const struct coll *coll, int rank)
{
	if (coll->kind == COLL_BCAST)
		return coll->rank != coll->root && rank == coll->root;
	return rank <= rm_last_of(coll);
}

static bool waits_for_all(const struct coll *coll)
{
	return coll->kind == COLL_BARRIER || coll->kind == COLL_ALLREDUCE;
}

static bool all_are_shown(const struct slate *slate)
{
	for (int i = 0; i < slate->size; i++)
		if (!is_shown(slate, i, memory_order_seq_cst))
			return false;
	return true;
}

/*
 * Where processes sleep often, who sleeps until all are there is woken by the
 * last alone.  Of two that show their pages and then look, one sees the other.
 */
static bool is_for_others(const struct coll *coll)
{
	return coll->slate->engine->options.crowded && waits_for_all(coll) &&
	       !all_are_shown(coll->slate);
}

static void show(const struct coll *coll, struct board_page *page)
{
	const struct slate *slate = coll->slate;

	/* Orders the page before the word that shows it. */
	atomic_store_explicit(&page->shown, word(slate, slate->n),
			      slate->engine->options.crowded
				      ? memory_order_seq_cst
				      : memory_order_release);
	if (is_for_others(coll))
		return;
	for (int i = 0; i < slate->size; i++)
		if (i != slate->rank)
			wait_wake(slate->members[i].slot);
}

static const void *part_of(const struct coll *coll)
{
	if (coll->kind == COLL_BCAST)
		return coll->rank == coll->root ? coll->in : NULL;
	return coll->out;
}

void slate_write(struct coll *coll)
{
	struct slate *slate = coll->slate;
	struct board_page *page;

	slate->n++;
	/* Orders what was read in the last one before it. */
	atomic_store_explicit(&slate_of(slate, slate->rank)->at,
			      word(slate, slate->n), memory_order_release);
	if (!page_is_free(slate))
		engine_wait_until(slate->engine, page_is_free, slate);
	page = page_of(slate, slate->rank);
	page->signature = coll->signature;
	if (coll->bytes && part_of(coll))
		memcpy(page->part, part_of(coll), coll->bytes);
	show(coll, page);
}

static void fold_all(const struct coll *coll)
{
	int rank = rm_last_of(coll);

	if (rank < 0 || coll->bytes == 0)
		return;
	memcpy(coll->in, page_of(coll->slate, rank)->part, coll->bytes);
	while (--rank >= 0)
		coll->fold->run(coll->fold, page_of(coll->slate, rank)->part,
				coll->in, coll->bytes);
}

static void take(const struct coll *coll)
{
	if (coll->kind != COLL_BCAST)
		fold_all(coll);
	else if (coll->rank != coll->root && coll->bytes)
		memcpy(coll->in, page_of(coll->slate, coll->root)->part,
		       coll->bytes);
}

/* It is a slice of its own, of a descriptor from each that was read. */
static void record(const struct coll *coll)
{
	struct engine *engine = coll->slate->engine;
	uint64_t *row = engine->row.value;
	unsigned n = 0;

	for (int i = 0; i < coll->size; i++)
		n += i != coll->rank && reads(coll, i);
	if (n == 0)
		return;
	engine_token_take(engine);
	engine_slice(engine);
	row[EMDS_COLL_DEM] += n;
	row[EMDS_COLL_MSM]++;
	row[EMDS_BYTES] += n * coll->bytes;
	engine_token_give(engine);
	wait_wake(engine->slot);
	engine_leave(engine);
}

static void finish(struct coll *coll, int error)
{
	coll->error = error;
	atomic_store_explicit(&coll->done, 1, memory_order_relaxed);
}

void slate_give_up(struct coll *coll, int culprit)
{
	coll->culprit = culprit;
	finish(coll, -EPROTO);
}

/* The next one's, so that not all begin with the same. */
static int rank_in_turn(const struct coll *coll)
{
	return (coll->rank + 1 + (int)coll->round) % coll->size;
}

bool slate_read(struct coll *coll)
{
	const struct slate *slate = coll->slate;
	int rank;

	for (; coll->round < (uint32_t)coll->size - 1; coll->round++) {
		rank = rank_in_turn(coll);
		if (!reads(coll, rank))
			continue;
		/* Orders the word before what it shows. */
		if (!is_shown(slate, rank, memory_order_acquire))
			return false;
		if (page_of(slate, rank)->signature != coll->signature) {
			slate_give_up(coll, rank);
			return true;
		}
	}
	take(coll);
	if (slate->engine->options.emds)
		record(coll);
	finish(coll, 0);
	return true;
}
