/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A turn of the engine, recorded or not: runs the microphases, and adds what
 * they did to a row of the record of slices.
 */
#include "libbcs/demand/slice.h"
#include "libbcs/base/tuning.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/p2p/p2p.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

static const struct emds_row no_row;

static void count(struct engine *engine, enum emds_column on, uint64_t n)
{
	engine->row.value[on] += n;
}

static unsigned blocked_now(const struct engine *engine)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < engine->n_slots; i++)
		n += atomic_load_explicit(&engine->slots[i]->blocked,
					  memory_order_relaxed) != 0;
	return n;
}

static unsigned blocked(struct engine *engine, uint64_t now)
{
	if (clock_to_ns(now - engine->looked) > SLICE_LOOK_NS) {
		engine->looked = now;
		engine->blocked = blocked_now(engine);
	}
	return engine->blocked;
}

static void take_over(struct engine *engine, _Atomic uint64_t *sum,
		      enum emds_column on)
{
	if (atomic_load_explicit(sum, memory_order_relaxed))
		count(engine, on,
		      atomic_exchange_explicit(sum, 0, memory_order_relaxed));
}

static bool row_is_full(const struct engine *engine)
{
	return engine->row.value[EMDS_SLICES] >=
	       engine->options.emds->resolution;
}

/*
 * Begins to record a slice.  The time between two slices counts for the first.
 */
static uint64_t record_begin(struct engine *engine)
{
	const uint64_t now = clock_ticks();

	if (row_is_full(engine))
		emds_add(engine->options.emds, &engine->row);
	if (engine->row.value[EMDS_SLICES]++ == 0) {
		engine->row.value[EMDS_SLICE] = engine->slice;
		engine->row.value[EMDS_BEGIN] = now;
	}
	take_over(engine, &engine->missed, EMDS_POLLS);
	count(engine, EMDS_BLOCKED, blocked(engine, now));
	count(engine, EMDS_HELPER, token_is_helpers());
	return now;
}

/*
 * Counts the descriptors that a slice took.  The ones that it left are counted
 * when they are taken.
 */
static void record_taken(struct engine *engine, unsigned seen)
{
	unsigned colls = 0;

	for (unsigned i = 0; i < engine->n_cells; i++)
		colls += board_is_of_coll(engine->cells[i]);
	count(engine, EMDS_COLL_DEM, colls);
	count(engine, EMDS_P2P_DEM, engine->n_cells - colls);
	count(engine, EMDS_BATCHES, engine->n_cells == ENGINE_BATCH);
	count(engine, EMDS_LEFT, seen - engine->n_cells);
}

static void record_end(struct engine *engine, uint64_t begin, uint64_t colls,
		       uint64_t reduced)
{
	const uint64_t now = clock_ticks();

	count(engine, EMDS_BBM, now - colls - reduced);
	count(engine, EMDS_TIME, now - begin);
}

ALWAYS_INLINE void phase_end(struct engine *engine, bool recorded,
			     enum emds_column on, uint64_t *since)
{
	uint64_t now;

	if (!recorded)
		return;
	now = clock_ticks();
	count(engine, on, now - *since);
	*since = now;
}

ALWAYS_INLINE void run(struct engine *engine, const bool recorded)
{
	const uint64_t begin = recorded ? record_begin(engine) : 0;
	uint64_t since = begin;
	uint64_t reduced;
	unsigned seen;

	do {
		dem_run(engine);
		seen = engine->n_cells;
		engine->n_moved += seen;
		phase_end(engine, recorded, EMDS_DEM, &since);
		msm_run(engine);
		if (recorded)
			record_taken(engine, seen);
		phase_end(engine, recorded, EMDS_MSM, &since);
		p2p_run(engine);
		phase_end(engine, recorded, EMDS_P2P, &since);
	} while (engine->n_cells == ENGINE_BATCH);
	engine->called = engine->called && board_next(&engine->inbox, 0);
	outbox_flush(engine);
	reduced = engine->row.value[EMDS_RM];
	coll_run(engine);
	if (recorded)
		record_end(engine, begin, since,
			   engine->row.value[EMDS_RM] - reduced);
}

/* Not inlined, so that slices that are not recorded do not pay for it. */
static __attribute__((noinline)) void run_recorded(struct engine *engine)
{
	/* The row is of slices that are not recorded. */
	if (engine->row.value[EMDS_SLICES] == 0)
		engine->row = no_row;
	take_over(engine, &engine->poking, EMDS_POKE);
	if (emds_wants(engine->options.emds, engine->slice)) {
		run(engine, true);
	} else {
		slice_end(engine);
		run(engine, false);
	}
}

void slice_run(struct engine *engine)
{
	if (__builtin_expect(engine->options.emds != NULL, 0))
		run_recorded(engine);
	else
		run(engine, false);
}

void slice_end(struct engine *engine)
{
	if (engine->options.emds && engine->row.value[EMDS_SLICES])
		emds_add(engine->options.emds, &engine->row);
	engine->row = no_row;
}
