/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives in which everybody waits for everybody, by shared pages: writing
 * this process's page, and reading the others' in one pass.
 */
#include <string.h>

#include "libbcs/base/wake.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/pages.h"

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

/* All processes of the collective get the same answer. */
static bool fits(const struct coll *coll)
{
	return coll->pages && !coll->in_background && has_pages(coll) &&
	       coll->bytes <= BOARD_PAGE_BYTES && is_at_once(coll);
}

static uint64_t word(const struct pages *pages)
{
	return (uint64_t)pages->context << 32 | pages->n;
}

static struct board_page *page_of(const struct pages *pages, int rank)
{
	return &pages_of(pages, rank)->pages[pages->n % BOARD_PAGES];
}

static bool is_shown(const struct pages *pages, int rank, memory_order order)
{
	return atomic_load_explicit(&page_of(pages, rank)->shown, order) ==
	       word(pages);
}

bool pages_is_shown(const struct pages *pages, int rank)
{
	return is_shown(pages, rank, memory_order_acquire);
}

void pages_place(const struct pages *pages, int rank, bool is_bcast,
		 uint64_t *place, uint64_t *shown)
{
	const struct board_page *page = page_of(pages, rank);

	*shown = word(pages);
	if (is_bcast)
		page = pages_bcast_page(pages, rank, shown);
	*place = (uint64_t)((const char *)&page->shown -
			    (const char *)pages->members[rank].slot);
}

static bool all_are_shown(const struct pages *pages)
{
	for (int i = 0; i < pages->size; i++)
		if (!is_shown(pages, i, memory_order_seq_cst))
			return false;
	return true;
}

/*
 * Where processes sleep often, the last process alone wakes those that sleep
 * until all are there.  Each shows its page and then looks at the others': of
 * two processes at least one sees the other's page.
 */
static bool is_for_others(const struct pages *pages)
{
	return pages->engine->options.crowded && !all_are_shown(pages);
}

static void show(const struct pages *pages, struct board_page *page)
{
	/* Orders the page before the word that shows it, */
	if (pages->engine->options.crowded)
		/* and that before the look at the others. */
		atomic_store(&page->shown, word(pages));
	else
		atomic_store_explicit(&page->shown, word(pages),
				      memory_order_release);
	if (is_for_others(pages))
		return;
	for (int i = 0; i < pages->size; i++)
		if (i != pages->rank)
			wake_slot(pages->members[i].slot);
}

static const void *part_of(const struct coll *coll)
{
	return coll->kind == COLL_EXCHANGE ? coll->outs[coll->rank].at
					   : coll->out;
}

static void page_write(struct coll *coll)
{
	struct pages *pages = coll->pages;
	struct board_page *page;

	pages->n++;
	page = page_of(pages, pages->rank);
	page->signature = coll->signature;
	page->path = coll->path;
	if (coll->bytes)
		copy_away(page->part, part_of(coll), coll->bytes);
	show(pages, page);
	/* While the others' come. */
	if (coll->kind == COLL_EXCHANGE)
		coll_keep_own(coll);
}

_Static_assert(offsetof(struct board_page, part) + PAGES_LINE == BOARD_LINE,
	       "they fill it");

bool pages_write(struct coll *coll)
{
	if (!fits(coll))
		return false;
	if (coll->pages->engine->options.crowded)
		atomic_store_explicit(&coll->pages->engine->from, ENGINE_ALL,
				      memory_order_relaxed);
	if (coll->kind == COLL_BCAST)
		return pages_bcast_write(coll);
	page_write(coll);
	return true;
}

/* A process's own is read where the program has it: what is in its page another
 * process's cache has. */
static struct fold_part contribution(const struct fold_run *run, int rank)
{
	if (rank == run->coll->rank)
		return run->own;
	return (struct fold_part){ page_of(run->coll->pages, rank)->part,
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
			memcpy(coll->ins[i].at, page_of(coll->pages, i)->part,
			       coll->bytes);
}

static void take(const struct coll *coll)
{
	if (coll->kind == COLL_EXCHANGE)
		gather_all(coll);
	else if (coll->bytes)
		fold_all(coll);
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
	const struct pages *pages = coll->pages;
	const struct board_page
		*next = &pages_of(pages, pages->rank)
				 ->pages[(pages->n + 1) % BOARD_PAGES];
	const char *line = (const char *)next;

	if (coll->bytes > PAGES_LINE)
		line += BOARD_LINE;
	pages_ask(pages, line, next->part + coll->bytes);
}

static bool others_read(struct coll *coll)
{
	const struct pages *pages = coll->pages;
	int rank;

	for (; coll->round < (uint32_t)coll->size - 1; coll->round++) {
		rank = rank_in_turn(coll);
		/* Orders the word before what it shows. */
		if (!is_shown(pages, rank, memory_order_acquire))
			return false;
		if (page_of(pages, rank)->signature != coll->signature) {
			pages_give_up(coll, rank);
			return true;
		}
		coll_path_add(coll, page_of(pages, rank)->path);
	}
	ask_next(coll);
	take(coll);
	pages_finish(coll, 0);
	return true;
}

bool pages_read(struct coll *coll)
{
	return coll->kind == COLL_BCAST ? pages_bcast_read(coll)
					: others_read(coll);
}
