/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Small broadcasts by slate.  The root writes a page and goes on; the others
 * read it when they come.  A page is written again when all are done with what
 * it showed.  Where they are not yet the root sends messages, for it may have
 * to be far ahead of them.  So who waits looks at the page first, and after a
 * while for a message as well: one of the two comes.
 */
#include <errno.h>
#include <string.h>

#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/slate.h"

static uint64_t word(const struct slate *slate)
{
	return (uint64_t)slate->context << 32 | slate->n_casts;
}

static struct board_page *page_at(const struct slate *slate, int root,
				  uint32_t n)
{
	return &slate_of(slate, root)->casts[n % BOARD_CASTS];
}

static struct board_page *page_of(const struct slate *slate, int root)
{
	return page_at(slate, root, slate->n_casts);
}

const struct board_page *cast_page(const struct slate *slate, int root,
				   uint64_t *shown)
{
	*shown = word(slate);
	return page_of(slate, root);
}

static void hear(const struct slate *slate)
{
	/* Orders what was read of the page before it. */
	atomic_store_explicit(&slate_of(slate, slate->rank)->heard, word(slate),
			      memory_order_release);
}

/* How many it has heard; of another communicator's they do not count. */
static uint32_t heard(const struct slate *slate, int rank)
{
	/* Orders what it read of the page before our writing. */
	const uint64_t was = atomic_load_explicit(&slate_of(slate, rank)->heard,
						  memory_order_acquire);

	return was >> 32 == slate->context ? (uint32_t)was : 0;
}

/* Looked up where it matters only. */
static void look_who_heard(struct slate *slate)
{
	uint32_t behind = 0;
	uint32_t n;

	for (int i = 0; i < slate->size; i++) {
		n = slate->n_casts - heard(slate, i);
		if (n > behind)
			behind = n;
	}
	slate->heard = slate->n_casts - behind;
}

static bool page_is_free(const struct slate *slate)
{
	return slate->n_casts - slate->heard <= BOARD_CASTS;
}

/* Who has a core and is behind mostly reads meanwhile. */
static bool page_get(struct slate *slate)
{
	const int looks = slate->engine->options.crowded
				  ? 1
				  : CAST_FREE_LOOKS / slate->size;

	for (int i = 0; i < looks && !page_is_free(slate); i++) {
		if (i > 0)
			__builtin_ia32_pause();
		look_who_heard(slate);
	}
	return page_is_free(slate);
}

/* But for the first line, at which others look. */
static void ask_next(const struct coll *coll)
{
	const struct slate *slate = coll->slate;
	const struct board_page *next = page_at(slate, slate->rank,
						slate->n_casts + 1);

	slate_ask(slate, (const char *)next + BOARD_LINE,
		  next->part + coll->bytes);
}

static void page_write(const struct coll *coll)
{
	const struct slate *slate = coll->slate;
	struct board_page *page = page_of(slate, slate->rank);

	page->signature = coll->signature;
	page->path = coll->path;
	copy_away(page->part, coll->in, coll->bytes);
	/* Orders the page before the word that shows it. */
	atomic_store_explicit(&page->shown, word(slate), memory_order_release);
	for (int i = 0; i < slate->size; i++)
		if (i != slate->rank)
			wake_slot(slate->members[i].slot);
	ask_next(coll);
}

bool cast_write(struct coll *coll)
{
	struct slate *slate = coll->slate;

	slate->n_casts++;
	if (coll->rank != coll->root)
		return true;
	hear(slate);
	if (!page_get(slate))
		return false;
	page_write(coll);
	slate_finish(coll, 0);
	return true;
}

static bool page_is_shown(const struct slate *slate, int root)
{
	/* Orders the word before what it shows. */
	return atomic_load_explicit(&page_of(slate, root)->shown,
				    memory_order_acquire) == word(slate);
}

static void page_read(struct coll *coll)
{
	const struct board_page *page = page_of(coll->slate, coll->root);

	if (page->signature != coll->signature) {
		slate_give_up(coll, coll->root);
		return;
	}
	memcpy(coll->in, page->part, coll->bytes);
	coll_path_add(coll, page->path);
	coll->slate->by_messages = false;
	hear(coll->slate);
	slate_finish(coll, 0);
}

static void message_read(struct coll *coll)
{
	const int error = coll->ops[0].error;

	coll_path_add(coll, coll->ops[0].path);
	coll->slate->by_messages = true;
	hear(coll->slate);
	if (error == -EPROTO)
		slate_give_up(coll, coll->root);
	else
		slate_finish(coll, error);
}

bool cast_read(struct coll *coll)
{
	if (!coll->n_ops && page_is_shown(coll->slate, coll->root)) {
		page_read(coll);
		return true;
	}
	if (!coll->n_ops || !op_is_done(&coll->ops[0]))
		return false;
	message_read(coll);
	return true;
}

bool cast_is_late(struct coll *coll)
{
	return !coll->n_ops &&
	       (coll->slate->by_messages || ++coll->round > CAST_LOOKS);
}
