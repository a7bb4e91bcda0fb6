/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Cells live in the arena.  A table of the thread finds them by their key.  The
 * slot of a call path remembers its last cell, so the table is needed only when
 * the phase changes or a path is new.
 *
 * When the arena runs low, calls from new paths are counted in one cell of
 * their primitive.  Some memory is kept back for those cells, which have a path
 * of their own (MMDS_NO_ROOM).  The writer tells how many calls they count.
 */
#include <stdatomic.h>
#include <string.h>

#include "mds/base/arena.h"
#include "mds/mmds/mmds.h"
#include "mds/settings/settings.h"

#define TABLE_FIRST   128
#define SAMPLE_MAX_NS 2000
#define KEPT_BACK     (32 << 10)

/* For functions that every call runs. */
#define MMDS_HOT __attribute__((always_inline)) static inline

static _Atomic uint32_t n_cells;
static struct mmds_cell lost; /* counts calls that found no room at all */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

MMDS_HOT uint64_t *hist_place_ticks(struct mmds_hist **hist_p, uint64_t ticks)
{
	return mmds_hist_place(hist_p, hist_bucket_real(clock_to_real_ns(ticks),
							mmds_self.bits));
}

MMDS_HOT void hist_add_ticks(struct mmds_hist **hist_p, uint64_t ticks)
{
	(*hist_place_ticks(hist_p, ticks))++;
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

/* Doubles the size of the table; false if there is no room. */
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
	/* The list is complete at any time, for a writer in a signal
	 * handler. */
	__atomic_store_n(&thread->cells, cell, __ATOMIC_RELEASE);
	return cell;
}

static struct mmds_cell *cell_get(struct mmds_thread *thread, uint64_t key)
{
	struct mmds_cell *cell = NULL;

	if (thread->table_size)
		cell = *table_place(thread->table, thread->table_size, key);
	if (!cell && (!mmds_key_path(key) || arena_left() > KEPT_BACK))
		cell = cell_make(thread, key);
	if (!cell && mmds_key_path(key))
		return cell_get(thread, MMDS_NO_ROOM << 32 | (uint32_t)key);
	return cell ? cell : &lost;
}

static __attribute__((noinline)) void cell_begin_size(struct mmds_cell *cell,
						      uint64_t bytes)
{
	if (bytes < cell->min_bytes)
		cell->min_bytes = bytes;
	if (bytes > cell->max_bytes)
		cell->max_bytes = bytes;
	cell->last_bytes = bytes;
	cell->last_size = &mmds_hist_lost;
	if (mmds_self.metrics & SETTINGS_SIZE)
		cell->last_size = mmds_hist_place(
			&cell->size, hist_bucket(bytes, mmds_self.bits));
}

/* A place mostly moves as many bytes as the last time. */
MMDS_HOT void cell_add_bytes(struct mmds_cell *cell, uint64_t sent,
			     uint64_t received, uint64_t n)
{
	const uint64_t bytes = sent > received ? sent : received;

	cell->sent += n * sent;
	cell->received += n * received;
	if (bytes != cell->last_bytes || !cell->last_size)
		cell_begin_size(cell, bytes);
	*cell->last_size += n;
}

void mmds_record_late(struct mmds_thread *thread, uint64_t key, uint64_t sent,
		      uint64_t received, uint64_t n)
{
	struct mmds_cell *cell = thread->last_credit;

	if (!cell || cell->key != key) {
		cell = cell_get(thread, key);
		thread->last_credit = cell;
	}
	cell_add_bytes(cell, sent, received, n);
}

/* The cell of a call.  The slot of its path keeps it for the next call. */
MMDS_HOT struct mmds_cell *frame_cell(const struct mmds_frame *frame)
{
	struct callpath_slot *slot = frame->slot;
	const uint64_t key = mmds_frame_key(frame);

	if (__builtin_expect(slot->key != key || !slot->cell, 0)) {
		slot->cell = cell_get(frame->thread, key);
		slot->key = key;
	}
	return slot->cell;
}

MMDS_HOT void record_untimed(const struct mmds_frame *frame)
{
	*frame->cell->untimed_bucket += frame->n;
	frame->thread->untimed += frame->n;
}

MMDS_HOT void record_cell(const struct mmds_frame *frame, uint64_t ticks)
{
	struct mmds_cell *cell = frame->cell;

	mmds_cell_add(cell, frame);
	if (!mmds_is_timed(frame))
		record_untimed(frame);
	else if (mmds_self.metrics & SETTINGS_TIME)
		hist_add_ticks(&cell->time, ticks);
	if (frame->sent | frame->received)
		cell_add_bytes(cell, frame->sent, frame->received, frame->n);
}

void mmds_record_outside(unsigned call, uint64_t ticks)
{
	struct callpath_slot slot = { 0 };
	struct mmds_frame frame = { .thread = mmds_thread_get(),
				    .slot = &slot,
				    .call = (uint16_t)call,
				    .comm = MMDS_NONE,
				    .start = 1,
				    .end = 1 + ticks,
				    .n = 1 };

	if (!frame.thread || !mmds_self.selected[call])
		return;
	frame.cell = frame_cell(&frame);
	record_cell(&frame, ticks);
}

MMDS_HOT struct mmds_comm *comm_get(struct mmds_thread *thread, uint32_t comm)
{
	struct mmds_comm **block;

	if (comm >= MMDS_COMMS || !(mmds_self.metrics & SETTINGS_COMMS))
		return NULL;
	block = &thread->comms[comm / MMDS_COMM_BLOCK];
	if (__builtin_expect(!*block, 0))
		*block = arena_alloc(MMDS_COMM_BLOCK * sizeof(**block));
	return *block ? *block + comm % MMDS_COMM_BLOCK : NULL;
}

MMDS_HOT void record_comm(const struct mmds_frame *frame)
{
	struct mmds_comm *comm = comm_get(frame->thread, frame->comm);

	if (comm)
		mmds_comm_add(comm, frame);
}

/*
 * A blocking call ends a stretch of computation and one of communication.  The
 * arguments are the sums so far.
 */
static void record_stretch(struct mmds_thread *thread, uint64_t computation,
			   uint64_t communication)
{
	if (mmds_self.metrics & SETTINGS_ACCOUNT) {
		hist_add_ticks(&thread->computations,
			       computation - thread->computed);
		hist_add_ticks(&thread->communications,
			       communication - thread->communicated);
	}
	thread->computed = computation;
	thread->communicated = communication;
}

void (*mmds_on_sample)(const struct mmds_frame *frame);

/*
 * Adds a sample of the cost of recording.  A longer sample was interrupted, or
 * walked the stack, whose time is counted separately.
 */
static void record_sample(struct mmds_frame *frame)
{
	const uint64_t now = clock_ticks();
	uint64_t own = frame->own + now - frame->end;

	if (mmds_on_sample)
		mmds_on_sample(frame);
	/*
	 * `own` is when the call began, which is read only because the call is
	 * sampled.  A call that was timed late has a value far too large, and
	 * is left out.
	 */
	if (!mmds_is_timed(frame)) {
		own = now - frame->own;
		own -= least(own, frame->end + clock_self.reading);
	}
	if (clock_to_ns(own) > SAMPLE_MAX_NS)
		return;
	frame->thread->samples++;
	frame->thread->sampled += own;
}

MMDS_HOT void count_past(struct mmds_thread *thread)
{
	const struct mmds_frame *frame = thread->past;
	const uint64_t ticks = mmds_ticks(frame);
	const uint64_t before = mmds_before(thread->last, frame);
	const uint64_t computation = thread->computation + before;
	const uint64_t communication = thread->communication + frame->n * ticks;

	thread->past = NULL;
	/* May run ahead of the clock, if untimed calls were counted too
	 * long. */
	thread->last += before + frame->n * ticks;
	thread->computation = computation;
	thread->communication = communication;
	thread->waiting += frame->waiting;
	thread->calls += frame->n;
	if (frame->cell) {
		record_cell(frame, ticks);
		if (frame->comm != MMDS_NONE)
			record_comm(frame);
	}
	if (frame->blocking)
		record_stretch(thread, computation, communication);
}

void mmds_count_past(struct mmds_thread *thread)
{
	count_past(thread);
}

void mmds_record(struct mmds_frame *frame, bool blocking)
{
	struct mmds_thread *thread = frame->thread;

	if (thread->past)
		count_past(thread);
	frame->cell = mmds_self.selected[frame->call] ? frame_cell(frame)
						      : NULL;
	frame->n = 1;
	frame->blocking = blocking;
	frame->posts = false;
	thread->past = frame;
	if (__builtin_expect(frame->sampled, 0))
		record_sample(frame);
}

/* A moving mean, since some timed calls take longer than most. */
static uint64_t untimed_mean(const struct mmds_cell *cell, uint64_t ticks)
{
	if (!cell->untimed_bucket)
		return ticks;
	return (7 * cell->untimed_ticks + ticks) / 8;
}

/*
 * If this call was quick, and the program did not compute before it, the next
 * ones of its place need not be timed.
 */
static void untimed_count(struct mmds_cell *cell, bool first, uint64_t gap)
{
	const bool near = clock_to_ns(gap) <= MMDS_NEAR_NS;

	if (first || near)
		cell->untimed = MMDS_TIMED - 1;
	if (first)
		cell->untimed_first = near ? MMDS_TIMED - 1 : 0;
}

static void untimed_set(struct mmds_cell *cell, uint64_t ticks, bool first,
			uint64_t gap)
{
	static uint64_t nowhere;

	ticks -= least(ticks, clock_self.reading);
	if (!cell || cell == &lost || clock_to_ns(ticks) > MMDS_QUICK_NS)
		return;
	if (cell->doubted) {
		cell->doubted--;
		return;
	}
	untimed_count(cell, first, gap);
	cell->untimed_ticks = untimed_mean(cell, ticks);
	cell->untimed_bucket = &nowhere;
	if (mmds_self.metrics & SETTINGS_TIME)
		cell->untimed_bucket = hist_place_ticks(&cell->time,
							cell->untimed_ticks);
}

void mmds_record_post(struct mmds_frame *frame)
{
	struct mmds_thread *thread = frame->thread;
	struct mmds_frame *past = thread->past;
	const bool first = !past || !past->posts;
	const uint64_t n = past ? past->n : 0;

	if (mmds_is_more(past, frame)) {
		past->n++;
		if (__builtin_expect(frame->sampled, 0))
			record_sample(frame);
		return;
	}
	mmds_record(frame, false);
	frame->posts = true;
	if (mmds_is_timed(frame))
		untimed_set(frame->cell, mmds_ticks(frame), first,
			    mmds_before(thread->last, frame) / (n + 1));
}

uint64_t mmds_lost(void)
{
	return lost.count;
}

struct mmds_comm *mmds_comm_get(struct mmds_thread *thread, uint32_t comm)
{
	return comm_get(thread, comm);
}
