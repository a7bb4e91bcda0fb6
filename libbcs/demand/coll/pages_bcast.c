/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Small broadcasts by shared pages.  The root writes a page and goes on; the
 * others read it when they come.  A page is written again when all are done
 * with what it showed.  Where they are not yet the root sends messages, for it
 * may have to be far ahead of them.  So who waits looks at the page first, and
 * after a while for a message as well: one of the two comes.
 */
#include <errno.h>
#include <string.h>

#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/pages.h"
#include "mds/base/cpu.h"

static uint64_t word(const struct pages *pages)
{
	return (uint64_t)pages->context << 32 | pages->n_bcasts;
}

static struct board_page *page_at(const struct pages *pages, int root,
				  uint32_t n)
{
	return &pages_of(pages, root)->bcasts[n % BOARD_BCASTS];
}

static struct board_page *page_of(const struct pages *pages, int root)
{
	return page_at(pages, root, pages->n_bcasts);
}

const struct board_page *pages_bcast_page(const struct pages *pages, int root,
					  uint64_t *shown)
{
	*shown = word(pages);
	return page_of(pages, root);
}

static void hear(const struct pages *pages)
{
	/* Orders what was read of the page before it. */
	atomic_store_explicit(&pages_of(pages, pages->rank)->heard, word(pages),
			      memory_order_release);
}

/* How many it has heard; of another communicator's they do not count. */
static uint32_t heard(const struct pages *pages, int rank)
{
	/* Orders what it read of the page before our writing. */
	const uint64_t was = atomic_load_explicit(&pages_of(pages, rank)->heard,
						  memory_order_acquire);

	return was >> 32 == pages->context ? (uint32_t)was : 0;
}

/* Looked up where it matters only. */
static void look_who_heard(struct pages *pages)
{
	uint32_t behind = 0;
	uint32_t n;

	for (int i = 0; i < pages->size; i++) {
		n = pages->n_bcasts - heard(pages, i);
		if (n > behind)
			behind = n;
	}
	pages->heard = pages->n_bcasts - behind;
}

static bool page_is_free(const struct pages *pages)
{
	return pages->n_bcasts - pages->heard <= BOARD_BCASTS;
}

/*
 * Looks several times while each process has a core: one that is behind mostly
 * reads meanwhile.
 */
static bool page_get(struct pages *pages)
{
	const int looks = pages->engine->options.crowded
				  ? 1
				  : PAGES_BCAST_FREE_LOOKS / pages->size;

	for (int i = 0; i < looks && !page_is_free(pages); i++) {
		if (i > 0)
			cpu_pause();
		look_who_heard(pages);
	}
	return page_is_free(pages);
}

/* Skips the first line, because the other processes are polling it. */
static void ask_next(const struct coll *coll)
{
	const struct pages *pages = coll->pages;
	const struct board_page *next = page_at(pages, pages->rank,
						pages->n_bcasts + 1);

	pages_ask(pages, (const char *)next + BOARD_LINE,
		  next->part + coll->bytes);
}

static void page_write(const struct coll *coll)
{
	const struct pages *pages = coll->pages;
	struct board_page *page = page_of(pages, pages->rank);

	page->signature = coll->signature;
	page->path = coll->path;
	copy_away(page->part, coll->in, coll->bytes);
	/* Orders the page before the word that shows it. */
	atomic_store_explicit(&page->shown, word(pages), memory_order_release);
	for (int i = 0; i < pages->size; i++)
		if (i != pages->rank)
			wake_slot(pages->members[i].slot);
	ask_next(coll);
}

bool pages_bcast_write(struct coll *coll)
{
	struct pages *pages = coll->pages;

	pages->n_bcasts++;
	if (coll->rank != coll->root)
		return true;
	hear(pages);
	if (!page_get(pages))
		return false;
	page_write(coll);
	pages_finish(coll, 0);
	return true;
}

static bool page_is_shown(const struct pages *pages, int root)
{
	/* Orders the word before what it shows. */
	return atomic_load_explicit(&page_of(pages, root)->shown,
				    memory_order_acquire) == word(pages);
}

static void page_read(struct coll *coll)
{
	const struct board_page *page = page_of(coll->pages, coll->root);

	if (page->signature != coll->signature) {
		pages_give_up(coll, coll->root);
		return;
	}
	memcpy(coll->in, page->part, coll->bytes);
	coll_path_add(coll, page->path);
	coll->pages->by_messages = false;
	hear(coll->pages);
	pages_finish(coll, 0);
}

static void message_read(struct coll *coll)
{
	const int error = coll->ops[0].error;

	coll_path_add(coll, coll->ops[0].path);
	coll->pages->by_messages = true;
	hear(coll->pages);
	if (error == -EPROTO)
		pages_give_up(coll, coll->root);
	else
		pages_finish(coll, error);
}

bool pages_bcast_read(struct coll *coll)
{
	if (!coll->n_ops && page_is_shown(coll->pages, coll->root)) {
		page_read(coll);
		return true;
	}
	if (!coll->n_ops || !op_is_done(&coll->ops[0]))
		return false;
	message_read(coll);
	return true;
}

bool pages_bcast_is_late(struct coll *coll)
{
	return !coll->n_ops &&
	       (coll->pages->by_messages || ++coll->round > PAGES_BCAST_LOOKS);
}
