/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/base/tuning.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/pages.h"

static uint32_t has_left(const struct pages *pages, int rank)
{
	/* Orders what it read of ours before its leaving. */
	return atomic_load_explicit(&pages_of(pages, rank)->left,
				    memory_order_acquire);
}

struct pages *pages_new(struct engine *engine, const struct rank_map *peers,
			int rank, int size)
{
	struct pages *pages;

	if (size > PAGES_MEMBERS_MOST)
		return NULL;
	for (uint32_t i = 0; i < (uint32_t)size; i++)
		if (!engine_is_local(engine, rank_map_at(peers, i)))
			return NULL;
	pages = calloc(1,
		       sizeof(*pages) + (size_t)size * sizeof(*pages->members));
	if (!pages)
		return NULL;
	pages->engine = engine;
	pages->rank = rank;
	pages->size = size;
	for (uint32_t i = 0; i < (uint32_t)size; i++)
		pages->members[i].slot = engine->slots[rank_map_at(peers, i)];
	return pages;
}

/*
 * A process that has left says so until it gives the number to another
 * communicator.  It does that only when all have left, this process included.
 * So its word now is either that of before this communicator, or all have left.
 */
static bool all_have_left(const struct pages *pages)
{
	uint32_t left;

	for (int i = 0; i < pages->size; i++) {
		left = has_left(pages, i);
		if (left == pages->members[i].left && left != pages->context)
			return false;
	}
	return true;
}

/* With the token. */
static void sweep(struct engine *engine)
{
	struct pages **link = &engine->left_pages;
	struct pages *pages;

	while ((pages = *link)) {
		if (!all_have_left(pages)) {
			link = &pages->next;
			continue;
		}
		engine->page_sets |= UINT32_C(1) << pages->index;
		*link = pages->next;
		free(pages);
	}
}

uint32_t pages_offer(struct pages *pages)
{
	struct engine *engine;

	if (!pages)
		return 0;
	engine = pages->engine;
	token_take(engine);
	sweep(engine);
	pages->offered = engine->page_sets;
	engine->page_sets = 0;
	token_give(engine);
	return pages->offered;
}

static void give_back(struct engine *engine, uint32_t page_sets)
{
	token_take(engine);
	engine->page_sets |= page_sets;
	token_give(engine);
}

struct pages *pages_settle(struct pages *pages, uint32_t common,
			   uint32_t context)
{
	const uint32_t taken = context ? common & -common : 0;

	if (!pages)
		return NULL;
	give_back(pages->engine, pages->offered & ~taken);
	if (!taken) {
		free(pages);
		return NULL;
	}
	pages->index = (uint32_t)__builtin_ctz(taken);
	pages->context = context;
	for (int i = 0; i < pages->size; i++) {
		pages->members[i].pages =
			&pages->members[i].slot->page_sets[pages->index];
		pages->members[i].left = has_left(pages, i);
	}
	return pages;
}

void pages_leave(struct pages *pages)
{
	struct engine *engine;

	if (!pages)
		return;
	engine = pages->engine;
	/* Orders what was read of others before it. */
	atomic_store_explicit(&pages_of(pages, pages->rank)->left,
			      pages->context, memory_order_release);
	token_take(engine);
	pages->next = engine->left_pages;
	engine->left_pages = pages;
	token_give(engine);
}

void pages_free(struct engine *engine)
{
	struct pages *next;

	for (struct pages *s = engine->left_pages; s; s = next) {
		next = s->next;
		free(s);
	}
	engine->left_pages = NULL;
}

void pages_ask(const struct pages *pages, const void *from, const void *end)
{
	if (pages->engine->options.crowded)
		return;
	for (const char *line = from; line < (const char *)end;
	     line += BOARD_LINE) {
		__builtin_prefetch(line, 1);
		/* Else calls of this, which changes nothing, are left out. */
		__asm__ volatile("");
	}
}

void pages_finish(struct coll *coll, int error)
{
	coll->error = error;
	atomic_store_explicit(&coll->done, 1, memory_order_relaxed);
}

void pages_give_up(struct coll *coll, int culprit)
{
	coll->culprit = culprit;
	pages_finish(coll, -EPROTO);
}
