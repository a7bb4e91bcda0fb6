/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "libbcs/base/tuning.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/pair.h"
#include "mds/base/clock.h"
#include "mds/base/thread.h"

/* Waits in a row for the same rank. */
struct row {
	uint32_t with;
	unsigned n;
	bool is_tight;
	uint64_t since;
	unsigned goes;
	uint64_t rests; /* until then, */
	uint64_t looks; /* and does not look before */
};

static __thread struct row row __attribute__((tls_model("initial-exec")));

/*
 * The values of board_slot.willing.  Above GO they say to which core the thread
 * is asked to go.
 */
enum { STAYS, WILLING, GO };

/* From 1; 0: not known. */
static int32_t core_of(struct engine *engine, uint32_t slot)
{
	return atomic_load_explicit(&engine->slots[slot]->core,
				    memory_order_relaxed);
}

static void stay(struct engine *engine)
{
	_Atomic uint32_t *willing = &engine->slot->willing;

	if (atomic_load_explicit(willing, memory_order_relaxed) != STAYS)
		atomic_store_explicit(willing, STAYS, memory_order_relaxed);
}

/* Leaves it as it is if the thread was asked to go meanwhile. */
static void be_willing(struct engine *engine)
{
	uint32_t stays = STAYS;

	atomic_compare_exchange_strong(&engine->slot->willing, &stays, WILLING);
}

/*
 * True if the peer is on the same core and has the lower number: of the two,
 * the later one goes.
 */
static bool is_beside(struct engine *engine)
{
	return row.with < engine->me && core_of(engine, row.with) &&
	       core_of(engine, row.with) == core_of(engine, engine->me);
}

/* Restores the mask, unless another thread changed it meanwhile. */
static void set_free(const cpu_set_t *there, const cpu_set_t *mask)
{
	cpu_set_t now;

	if (sched_getaffinity(0, sizeof(now), &now) != 0 ||
	    !CPU_EQUAL(&now, there) ||
	    sched_setaffinity(0, sizeof(*mask), mask) == 0)
		return;
	/* The cores of the machine have changed: allow all. */
	memset(&now, 0xff, sizeof(now));
	sched_setaffinity(0, sizeof(now), &now);
}

/* Signals are blocked meanwhile: a handler would find a mask of one core. */
bool pair_move(int32_t core)
{
	cpu_set_t there;
	cpu_set_t mask;
	sigset_t signals;
	bool moved;

	CPU_ZERO(&there);
	CPU_SET((unsigned)core - 1, &there);
	thread_block_signals(&signals);
	moved = sched_getaffinity(0, sizeof(mask), &mask) == 0 &&
		CPU_ISSET((unsigned)core - 1, &mask) &&
		sched_setaffinity(0, sizeof(there), &there) == 0;
	if (moved)
		set_free(&there, &mask);
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
	return moved;
}

/* The kernel may undo it over and over: ever longer until the next time. */
static void go(struct engine *engine, int32_t core)
{
	row.rests = clock_monotonic_ns() + (PAIR_REST_NS << row.goes);
	if (row.goes < PAIR_REST_DOUBLES)
		row.goes++;
	if (pair_move(core))
		atomic_store_explicit(&engine->slot->core, core,
				      memory_order_relaxed);
}

/* Both at a time: a core with nothing to do would take back who came last. */
static bool ask(struct engine *engine, uint32_t slot, int32_t here)
{
	uint32_t willing = WILLING;

	return atomic_compare_exchange_strong(&engine->slots[slot]->willing,
					      &willing, GO + (uint32_t)here);
}

/* The core of one that comes here in turn; 0: there is none. */
static int32_t swap_with(struct engine *engine, const cpu_set_t *mask)
{
	const int32_t here = core_of(engine, engine->me);

	for (uint32_t slot = 0; slot < engine->n_slots; slot++) {
		const int32_t core = core_of(engine, slot);

		if (core && core != here &&
		    CPU_ISSET((unsigned)core - 1, mask) &&
		    ask(engine, slot, here))
			return core;
	}
	return 0;
}

static void look(struct engine *engine)
{
	cpu_set_t mask;
	int32_t core;

	if (sched_getaffinity(0, sizeof(mask), &mask) != 0 ||
	    CPU_COUNT(&mask) < 2)
		return;
	core = swap_with(engine, &mask);
	if (core)
		go(engine, core);
	else
		be_willing(engine);
}

bool pair_is_asked(struct engine *engine)
{
	return atomic_load_explicit(&engine->slot->willing,
				    memory_order_relaxed) >= GO;
}

/* It may be long ago. */
void pair_swap(struct engine *engine)
{
	const uint32_t core = atomic_load(&engine->slot->willing) - GO;

	stay(engine);
	if (row.is_tight && is_beside(engine))
		go(engine, (int32_t)core);
}

static void row_begin(struct engine *engine, uint32_t with)
{
	row.with = with;
	row.n = 0;
	row.is_tight = false;
	row.since = 0;
	stay(engine);
}

static void row_end(struct engine *engine)
{
	const uint64_t now = clock_monotonic_ns();

	row.is_tight = engine_is_local(engine, row.with) &&
		       now - row.since < PAIR_ROW * (uint64_t)PAIR_WAIT_NS;
	row.n = 0;
	row.since = now;
	if (!row.is_tight || now < row.rests || !is_beside(engine))
		stay(engine);
	else if (now >= row.looks) {
		row.looks = now + PAIR_LOOK_NS;
		look(engine);
	}
}

void pair_waited(struct engine *engine)
{
	const uint32_t from = atomic_load_explicit(&engine->from,
						   memory_order_relaxed);

	if (pair_is_asked(engine))
		pair_swap(engine);
	if (from != row.with)
		row_begin(engine, from);
	else if (++row.n == PAIR_ROW)
		row_end(engine);
}

bool pair_is_tight(void)
{
	return row.is_tight;
}

void pair_sleeps(void)
{
	row.is_tight = false;
}
