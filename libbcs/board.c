/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "libbcs/board.h"

struct board_slot *board_alone(void)
{
	struct board_slot *slot = aligned_alloc(BOARD_LINE, sizeof(*slot));

	if (slot)
		memset(slot, 0, sizeof(*slot));
	return slot;
}

/* Does what is left over at the end of the ring before a row of lines. */
static uint64_t pad_before(uint64_t tail, uint32_t lines)
{
	const uint64_t left = BOARD_LINES - tail % BOARD_LINES;

	return left < lines ? left : 0;
}

static bool has_room(struct board_slot *slot, uint64_t *head, uint64_t end)
{
	if (end - *head <= BOARD_LINES)
		return true;
	/* Orders the lines' zeroes before their being given back. */
	*head = atomic_load_explicit(&slot->head, memory_order_acquire);
	return end - *head <= BOARD_LINES;
}

struct board_cell *board_reserve(struct board_slot *slot, uint64_t *head,
				 uint32_t lines)
{
	uint64_t tail = atomic_load_explicit(&slot->tail, memory_order_relaxed);
	struct board_cell *cell;
	uint64_t pad;

	do {
		pad = pad_before(tail, lines);
		if (!has_room(slot, head, tail + pad + lines))
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(
		&slot->tail, &tail, tail + pad + lines, memory_order_relaxed,
		memory_order_relaxed));
	if (pad) {
		cell = board_at(slot, tail);
		cell->kind = BOARD_PAD;
		board_show(cell, (uint32_t)pad);
	}
	return board_at(slot, tail + pad);
}

/*
 * An inbox that is empty begins again at the beginning of the ring, so that one
 * which never holds much stays in the cache.
 */
static uint64_t begin_again(struct board_inbox *inbox, uint64_t at)
{
	const uint64_t begin = (at | (BOARD_LINES - 1)) + 1;
	uint64_t tail = at;

	if (at % BOARD_LINES >= BOARD_GIVE_BACK &&
	    atomic_compare_exchange_strong_explicit(&inbox->slot->tail, &tail,
						    begin, memory_order_relaxed,
						    memory_order_relaxed))
		return begin;
	return at;
}

void board_tidy(struct board_inbox *inbox)
{
	const uint64_t at = atomic_load_explicit(&inbox->at,
						 memory_order_relaxed);
	uint64_t i = atomic_load_explicit(&inbox->zeroed, memory_order_relaxed);

	for (; i != at; i++)
		atomic_store_explicit(&board_at(inbox->slot, i)->lines, 0,
				      memory_order_relaxed);
	atomic_store_explicit(&inbox->zeroed, at, memory_order_relaxed);
}

static void give_back(struct board_inbox *inbox, uint64_t at)
{
	board_tidy(inbox);
	at = begin_again(inbox, at);
	inbox->given = at;
	atomic_store_explicit(&inbox->at, at, memory_order_relaxed);
	atomic_store_explicit(&inbox->zeroed, at, memory_order_relaxed);
	/* Orders the zeroes before their being given back. */
	atomic_store_explicit(&inbox->slot->head, at, memory_order_release);
}

void board_done(struct board_inbox *inbox, uint32_t lines)
{
	const uint64_t at = atomic_load_explicit(&inbox->at,
						 memory_order_relaxed) +
			    lines;

	atomic_store_explicit(&inbox->at, at, memory_order_relaxed);
	if (at - inbox->given >= BOARD_GIVE_BACK)
		give_back(inbox, at);
}
