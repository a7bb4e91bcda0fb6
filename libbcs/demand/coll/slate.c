/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/base/tuning.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/slate.h"

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

	if (size > SLATE_MEMBERS_MOST)
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
	token_take(engine);
	sweep(engine);
	slate->offered = engine->slates;
	engine->slates = 0;
	token_give(engine);
	return slate->offered;
}

static void give_back(struct engine *engine, uint32_t slates)
{
	token_take(engine);
	engine->slates |= slates;
	token_give(engine);
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
	token_take(engine);
	slate->next = engine->left_slates;
	engine->left_slates = slate;
	token_give(engine);
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
