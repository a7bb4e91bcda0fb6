/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Cells live in the arena and are found by their key in a table of the thread;
 * the slot of a call path remembers the one it was last counted in, so that the
 * table is looked into only when the phase changes or a path is new.
 *
 * When the arena runs low, calls from paths that are not known yet are counted
 * with path 0 of their primitive; what is kept back is for those.
 */
#include <stdatomic.h>
#include <string.h>

#include "mds/arena.h"
#include "mds/mmds.h"
#include "mds/settings.h"

#define TABLE_FIRST   128
#define SAMPLE_MAX_NS 2000
#define KEPT_BACK     (32 << 10)

static _Atomic uint32_t n_cells;
static struct mmds_cell lost; /* counts what found no room at all */
static uint64_t lost_buckets[1u << HIST_BITS_MAX];

static uint64_t *hist_group(struct mmds_hist *hist, unsigned group)
{
	uint64_t *buckets = arena_alloc(sizeof(*buckets) << mmds_self.bits);

	if (!buckets)
		return lost_buckets;
	return hist->groups[group] = buckets;
}

static void hist_add(struct mmds_hist **hist_p, uint64_t value)
{
	const unsigned bits = mmds_self.bits;
	unsigned bucket = hist_bucket(value, bits);
	unsigned group = bucket >> bits;
	uint64_t *buckets;

	if (__builtin_expect(!*hist_p, 0)) {
		*hist_p = arena_alloc(sizeof(**hist_p));
		if (!*hist_p)
			return;
	}
	if (group >= MMDS_GROUPS) {
		group = MMDS_GROUPS - 1;
		bucket = UINT32_MAX;
	}
	buckets = (*hist_p)->groups[group];
	if (__builtin_expect(!buckets, 0))
		buckets = hist_group(*hist_p, group);
	buckets[bucket & ((1u << bits) - 1)]++;
}

static uint32_t key_hash(uint64_t key)
{
	return (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32);
}

static struct mmds_cell **table_place(struct mmds_cell **table, uint32_t size,
				      uint64_t key)
{
	uint32_t i = key_hash(key) & (size - 1);

	while (table[i] && table[i]->key != key)
		i = (i + 1) & (size - 1);
	return &table[i];
}

/* Makes the table twice as large; false if there is no room. */
static bool table_grow(struct mmds_thread *thread)
{
	const uint32_t size = thread->table_size ? 2 * thread->table_size
						 : TABLE_FIRST;
	struct mmds_cell **table = arena_alloc(size * sizeof(*table));

	if (!table)
		return false;
	for (struct mmds_cell *c = thread->cells; c; c = c->next)
		*table_place(table, size, c->key) = c;
	thread->table = table;
	thread->table_size = size;
	return true;
}

static struct mmds_cell *cell_make(struct mmds_thread *thread, uint64_t key)
{
	struct mmds_cell *cell;

	if (4 * (thread->n_cells + 1) > 3 * thread->table_size &&
	    !table_grow(thread) && thread->n_cells + 1 >= thread->table_size)
		return NULL;
	cell = arena_alloc(sizeof(*cell));
	if (!cell)
		return NULL;
	cell->key = key;
	cell->id = atomic_fetch_add_explicit(&n_cells, 1, memory_order_relaxed);
	cell->min = UINT64_MAX;
	cell->min_bytes = UINT64_MAX;
	*table_place(thread->table, thread->table_size, key) = cell;
	thread->n_cells++;
	cell->next = thread->cells;
	/* The list is complete at all times for a writer in a signal handler.
	 */
	__atomic_store_n(&thread->cells, cell, __ATOMIC_RELEASE);
	return cell;
}

static struct mmds_cell *cell_get(struct mmds_thread *thread, uint64_t key)
{
	struct mmds_cell *cell = NULL;

	if (thread->table_size)
		cell = *table_place(thread->table, thread->table_size, key);
	if (!cell && (key >> 32 == 0 || arena_left() > KEPT_BACK))
		cell = cell_make(thread, key);
	if (!cell && key >> 32) {
		thread->dropped++;
		return cell_get(thread, (uint32_t)key);
	}
	return cell ? cell : &lost;
}

static void cell_add_bytes(struct mmds_cell *cell, uint64_t sent,
			   uint64_t received)
{
	const uint64_t bytes = sent > received ? sent : received;

	cell->sent += sent;
	cell->received += received;
	if (bytes < cell->min_bytes)
		cell->min_bytes = bytes;
	if (bytes > cell->max_bytes)
		cell->max_bytes = bytes;
	if (mmds_self.metrics & SETTINGS_SIZE)
		hist_add(&cell->size, bytes);
}

void mmds_record_late(struct mmds_thread *thread, uint64_t key, uint64_t sent,
		      uint64_t received)
{
	cell_add_bytes(cell_get(thread, key), sent, received);
}

/* The cell of a call; the slot of its path remembers it for the next one. */
static struct mmds_cell *frame_cell(struct mmds_frame *frame)
{
	struct callpath_slot *slot = frame->slot;
	const uint64_t key = mmds_frame_key(frame);

	if (__builtin_expect(slot->key != key || !slot->cell, 0)) {
		slot->cell = cell_get(frame->thread, key);
		slot->key = key;
	}
	return slot->cell;
}

static void record_cell(struct mmds_frame *frame, uint64_t ticks)
{
	struct mmds_cell *cell = frame_cell(frame);

	cell->count++;
	cell->ticks += ticks;
	cell->waiting += frame->waiting;
	if (ticks < cell->min)
		cell->min = ticks;
	if (ticks > cell->max)
		cell->max = ticks;
	if (mmds_self.metrics & SETTINGS_TIME)
		hist_add(&cell->time, clock_to_ns(ticks));
	if (frame->sent | frame->received)
		cell_add_bytes(cell, frame->sent, frame->received);
}

void mmds_record_outside(unsigned call, uint64_t ticks)
{
	struct callpath_slot slot = { 0 };
	struct mmds_frame frame = { .thread = mmds_thread_get(),
				    .slot = &slot,
				    .call = (uint16_t)call,
				    .comm = MMDS_NONE };

	if (frame.thread && mmds_self.selected[call])
		record_cell(&frame, ticks);
}

static void record_comm(struct mmds_frame *frame, uint64_t ticks)
{
	struct mmds_comm *comm = mmds_comm_get(frame->thread, frame->comm);

	if (!comm)
		return;
	comm->calls++;
	comm->ticks += ticks;
	comm->sent += frame->sent;
	comm->received += frame->received;
}

/* A blocking call ends a stretch of computation and one of communication. */
static void record_stretch(struct mmds_thread *thread)
{
	if (mmds_self.metrics & SETTINGS_ACCOUNT) {
		hist_add(&thread->computations, clock_to_ns(thread->computed));
		hist_add(&thread->communications,
			 clock_to_ns(thread->communicated));
	}
	thread->computed = 0;
	thread->communicated = 0;
}

/* What took longer was interrupted, or unwound, which is counted apart. */
static void record_sample(struct mmds_frame *frame)
{
	const uint64_t own = frame->own + clock_ticks() - frame->end;

	if (clock_to_ns(own) > SAMPLE_MAX_NS)
		return;
	frame->thread->samples++;
	frame->thread->sampled += own;
}

void mmds_record(struct mmds_frame *frame, bool blocking)
{
	struct mmds_thread *thread = frame->thread;
	const uint64_t ticks = frame->end - frame->start;
	const uint64_t before = frame->start - thread->last;

	thread->last = frame->end;
	thread->computation += before;
	thread->computed += before;
	thread->communication += ticks;
	thread->communicated += ticks;
	thread->waiting += frame->waiting;
	thread->calls++;
	if (mmds_self.selected[frame->call]) {
		record_cell(frame, ticks);
		if (frame->comm != MMDS_NONE)
			record_comm(frame, ticks);
	}
	if (blocking)
		record_stretch(thread);
	if (__builtin_expect(frame->sampled, 0))
		record_sample(frame);
}

struct mmds_comm *mmds_comm_get(struct mmds_thread *thread, uint32_t comm)
{
	struct mmds_comm **block;

	if (comm >= MMDS_COMMS || !(mmds_self.metrics & SETTINGS_COMMS))
		return NULL;
	block = &thread->comms[comm / MMDS_COMM_BLOCK];
	if (__builtin_expect(!*block, 0))
		*block = arena_alloc(MMDS_COMM_BLOCK * sizeof(**block));
	return *block ? *block + comm % MMDS_COMM_BLOCK : NULL;
}
