/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * An inbox of the board: reserving room at its tail, payloads that are shown
 * while they are written, and giving lines back at its head.
 */
#include <sched.h>
#include <sys/mman.h>

#include "libbcs/base/board.h"
#include "libbcs/base/tuning.h"
#include "mds/base/cpu.h"

struct board_slot *board_alone(void)
{
	void *slot = mmap(NULL, sizeof(struct board_slot),
			  PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	return slot == MAP_FAILED ? NULL : slot;
}

/* How what does not fit into the first line is cut, */
static uint64_t piece_of(uint64_t bytes)
{
	const uint64_t least = BOARD_PIECES * BOARD_PIECE;

	return (bytes + least - 1) / least * BOARD_PIECE;
}

/* and the bytes of the lines of a piece. */
static uint64_t room_of(uint64_t bytes)
{
	return (bytes + BOARD_LINE - 1) / BOARD_LINE * BOARD_LINE;
}

static _Atomic uint32_t *mark_at(const unsigned char *at)
{
	return (_Atomic uint32_t *)(uintptr_t)at;
}

static void await(const unsigned char *at)
{
	/* Orders the word before the payload. */
	for (unsigned i = 0;
	     !atomic_load_explicit(mark_at(at), memory_order_acquire); i++)
		if (i < BOARD_LOOKS)
			cpu_pause();
		else
			sched_yield();
}

uint32_t board_lines_early(uint8_t kind, uint64_t payload)
{
	const uint64_t left = payload - (BOARD_LINE - board_head(kind));
	const uint64_t piece = piece_of(left);
	const uint64_t pieces = (left + piece - 1) / piece;

	return (uint32_t)(1 + room_of(left) / BOARD_LINE + pieces);
}

void board_write_early(struct board_cell *cell, const struct board_cell *head,
		       const void *payload, uint64_t n)
{
	const uint64_t first = BOARD_LINE - board_head(head->kind);
	const unsigned char *from = payload;
	unsigned char *at = (unsigned char *)cell + BOARD_LINE;
	const uint64_t piece = piece_of(n - first);
	uint64_t bytes;

	board_fill(cell, head, from, first);
	board_show(cell, board_lines_early(head->kind, n) | BOARD_EARLY);
	for (uint64_t done = first; done < n; done += bytes) {
		bytes = copy_at_most(piece, n - done);
		copy_away(at, from + done, bytes);
		at += room_of(bytes);
		/* Orders the payload before the word. */
		atomic_store_explicit(mark_at(at), 1, memory_order_release);
		at += BOARD_LINE;
	}
}

static void read_early(const struct board_cell *cell, unsigned char *to,
		       uint64_t n)
{
	const uint64_t first = BOARD_LINE - board_head(cell->kind);
	const unsigned char *at = (const unsigned char *)cell + BOARD_LINE;
	const uint64_t piece = piece_of(cell->bytes - first);
	uint64_t bytes;

	copy_here(to, board_payload(cell), copy_at_most(n, first));
	for (uint64_t done = first; done < n; done += bytes) {
		bytes = copy_at_most(piece, cell->bytes - done);
		await(at + room_of(bytes));
		copy_in(to + done, at, copy_at_most(bytes, n - done));
		at += room_of(bytes) + BOARD_LINE;
	}
}

void board_read(const struct board_cell *cell, void *to, uint64_t n)
{
	if (board_is_early(cell))
		read_early(cell, to, n);
	else
		copy_here(to, board_payload(cell), n);
}

static const unsigned char *end_of(const struct board_cell *cell)
{
	return (const unsigned char *)cell +
	       (uint64_t)(board_lines_of(cell) - 1) * BOARD_LINE;
}

bool board_is_whole(const struct board_cell *cell)
{
	/* Orders the word before the payload. */
	return !board_is_early(cell) ||
	       atomic_load_explicit(mark_at(end_of(cell)),
				    memory_order_acquire);
}

void board_await_end(const struct board_cell *cell)
{
	await(end_of(cell));
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

void board_give_back(struct board_inbox *inbox)
{
	uint64_t at;

	board_tidy(inbox);
	at = begin_again(
		inbox, atomic_load_explicit(&inbox->at, memory_order_relaxed));
	inbox->given = at;
	atomic_store_explicit(&inbox->at, at, memory_order_relaxed);
	atomic_store_explicit(&inbox->zeroed, at, memory_order_relaxed);
	/* Orders the zeroes before their being given back. */
	atomic_store_explicit(&inbox->slot->head, at, memory_order_release);
}
