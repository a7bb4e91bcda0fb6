/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/wake.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/slate.h"
#include "libbcs/demand/slice.h"

/* Above, so many pages to read cost more than a tree of messages. */
#define MEMBERS_MOST 64

struct board_slate *slate_of(const struct slate *slate, int rank)
{
	return slate->members[rank].slate;
}

static uint32_t has_left(const struct slate *slate, int rank)
{
	/* Orders what it read of ours before its leaving. */
	return atomic_load_explicit(&slate_of(slate, rank)->left,
				    memory_order_acquire);
}

struct slate *slate_new(struct engine *engine, const struct numbers *peers,
			int rank, int size)
{
	struct slate *slate;

	if (size > MEMBERS_MOST)
		return NULL;
	for (uint32_t i = 0; i < (uint32_t)size; i++)
		if (!engine_is_near(engine, numbers_at(peers, i)))
			return NULL;
	slate = calloc(1,
		       sizeof(*slate) + (size_t)size * sizeof(*slate->members));
	if (!slate)
		return NULL;
	slate->engine = engine;
	slate->rank = rank;
	slate->size = size;
	for (uint32_t i = 0; i < (uint32_t)size; i++)
		slate->members[i].slot = engine->slots[numbers_at(peers, i)];
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
	for (int i = 0; i < slate->size; i++) {
		slate->members[i].slate = &slate->members[i]
						   .slot->slates[slate->index];
		slate->members[i].left = has_left(slate, i);
	}
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

/* Nobody can leave it before all have entered; or only the root can. */
static bool has_pages(const struct coll *coll)
{
	switch (coll->kind) {
	case COLL_BARRIER:
		return true;
	case COLL_ALLREDUCE:
	case COLL_EXCHANGE:
	case COLL_BCAST:
		return coll->bytes != 0;
	default:
		return false;
	}
}

/* The same at all its processes. */
static bool fits(const struct coll *coll)
{
	return coll->slate && !coll->in_background && has_pages(coll) &&
	       coll->bytes <= BOARD_PAGE_BYTES && is_at_once(coll);
}

static uint64_t word(const struct slate *slate)
{
	return (uint64_t)slate->context << 32 | slate->n;
}

static struct board_page *page_of(const struct slate *slate, int rank)
{
	return &slate_of(slate, rank)->pages[slate->n % BOARD_PAGES];
}

static bool is_shown(const struct slate *slate, int rank, memory_order order)
{
	return atomic_load_explicit(&page_of(slate, rank)->shown, order) ==
	       word(slate);
}

bool slate_is_shown(const struct slate *slate, int rank)
{
	return is_shown(slate, rank, memory_order_acquire);
}

void slate_place(const struct slate *slate, int rank, bool is_cast,
		 uint64_t *place, uint64_t *shown)
{
	const struct board_page *page = page_of(slate, rank);

	*shown = word(slate);
	if (is_cast)
		page = cast_page(slate, rank, shown);
	*place = (uint64_t)((const char *)&page->shown -
			    (const char *)slate->members[rank].slot);
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
static bool is_for_others(const struct slate *slate)
{
	return slate->engine->options.crowded && !all_are_shown(slate);
}

static void show(const struct slate *slate, struct board_page *page)
{
	/* Orders the page before the word that shows it, */
	if (slate->engine->options.crowded)
		/* and that before the look at the others. */
		atomic_store(&page->shown, word(slate));
	else
		atomic_store_explicit(&page->shown, word(slate),
				      memory_order_release);
	if (is_for_others(slate))
		return;
	for (int i = 0; i < slate->size; i++)
		if (i != slate->rank)
			wake_slot(slate->members[i].slot);
}

static const void *part_of(const struct coll *coll)
{
	return coll->kind == COLL_EXCHANGE ? coll->outs[coll->rank].at
					   : coll->out;
}

static void page_write(struct coll *coll)
{
	struct slate *slate = coll->slate;
	struct board_page *page;

	slate->n++;
	page = page_of(slate, slate->rank);
	page->signature = coll->signature;
	page->path = coll->path;
	if (coll->bytes)
		copy_away(page->part, part_of(coll), coll->bytes);
	show(slate, page);
	/* While the others' come. */
	if (coll->kind == COLL_EXCHANGE)
		coll_keep_own(coll);
}

_Static_assert(offsetof(struct board_page, part) + SLATE_LINE == BOARD_LINE,
	       "they fill it");

bool slate_write(struct coll *coll)
{
	if (!fits(coll))
		return false;
	if (coll->slate->engine->options.crowded)
		atomic_store_explicit(&coll->slate->engine->from, ENGINE_ALL,
				      memory_order_relaxed);
	if (coll->kind == COLL_BCAST)
		return cast_write(coll);
	page_write(coll);
	return true;
}

/* A process's own is read where the program has it: what is in its page another
 * process's cache has. */
static struct fold_part contribution(const struct fold_run *run, int rank)
{
	if (rank == run->coll->rank)
		return run->own;
	return (struct fold_part){ page_of(run->coll->slate, rank)->part,
				   false };
}

static void fold_all(const struct coll *coll)
{
	_Alignas(64) unsigned char rooms[FOLD_ROOMS + 1][BOARD_PAGE_BYTES];
	struct fold_run run = {
		.coll = coll,
		.part = contribution,
		.own = { coll->out, false },
		.bytes = coll->bytes,
		.at = coll->in,
		.rooms = rooms[0],
		.spare = rooms[FOLD_ROOMS],
		.room_bytes = BOARD_PAGE_BYTES,
	};

	fold_order_run(&run);
}

static void gather_all(const struct coll *coll)
{
	for (int i = 0; i < coll->size; i++)
		if (i != coll->rank)
			memcpy(coll->ins[i].at, page_of(coll->slate, i)->part,
			       coll->bytes);
}

static void take(const struct coll *coll)
{
	if (coll->kind == COLL_EXCHANGE)
		gather_all(coll);
	else if (coll->bytes)
		fold_all(coll);
}

void slate_ask(const struct slate *slate, const void *from, const void *end)
{
	if (slate->engine->options.crowded)
		return;
	for (const char *line = from; line < (const char *)end;
	     line += BOARD_LINE) {
		__builtin_prefetch(line, 1);
		/* Else calls of this, which changes nothing, are left out. */
		__asm__ volatile("");
	}
}

/* It is a slice of its own, of a descriptor from each that was read. */
void slate_record(const struct coll *coll, unsigned n)
{
	struct engine *engine = coll->slate->engine;
	uint64_t *row = engine->row.value;

	if (!engine->options.emds)
		return;
	engine_token_take(engine);
	engine_slice(engine);
	row[EMDS_COLL_DEM] += n;
	row[EMDS_COLL_MSM]++;
	row[EMDS_BYTES] += n * coll->bytes;
	engine_token_give(engine);
	wake_slot(engine->slot);
	engine_leave(engine);
}

void slate_finish(struct coll *coll, int error)
{
	coll->error = error;
	atomic_store_explicit(&coll->done, 1, memory_order_relaxed);
}

void slate_give_up(struct coll *coll, int culprit)
{
	coll->culprit = culprit;
	slate_finish(coll, -EPROTO);
}

/* The next one's, so that not all begin with the same. */
static int rank_in_turn(const struct coll *coll)
{
	const int rank = coll->rank + 1 + (int)coll->round;

	return rank < coll->size ? rank : rank - coll->size;
}

/*
 * Nobody reads there any more; meanwhile the others' parts come.  The first
 * line is the only one, or the last that is written, at which others look till
 * then.
 */
static void ask_next(const struct coll *coll)
{
	const struct slate *slate = coll->slate;
	const struct board_page
		*next = &slate_of(slate, slate->rank)
				 ->pages[(slate->n + 1) % BOARD_PAGES];
	const char *line = (const char *)next;

	if (coll->bytes > SLATE_LINE)
		line += BOARD_LINE;
	slate_ask(slate, line, next->part + coll->bytes);
}

static bool pages_read(struct coll *coll)
{
	const struct slate *slate = coll->slate;
	int rank;

	for (; coll->round < (uint32_t)coll->size - 1; coll->round++) {
		rank = rank_in_turn(coll);
		/* Orders the word before what it shows. */
		if (!is_shown(slate, rank, memory_order_acquire))
			return false;
		if (page_of(slate, rank)->signature != coll->signature) {
			slate_give_up(coll, rank);
			return true;
		}
		coll_path_add(coll, page_of(slate, rank)->path);
	}
	ask_next(coll);
	take(coll);
	if (coll->size > 1)
		slate_record(coll, (unsigned)coll->size - 1);
	slate_finish(coll, 0);
	return true;
}

bool slate_read(struct coll *coll)
{
	return coll->kind == COLL_BCAST ? cast_read(coll) : pages_read(coll);
}
