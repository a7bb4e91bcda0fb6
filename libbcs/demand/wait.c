/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A thread that waits: it runs turns, looks, pokes MPI, gives up its core, and
 * at last sleeps until another process wakes it.
 */
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/rouse.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/helper.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/pair.h"
#include "libbcs/demand/spread.h"
#include "libbcs/demand/turn.h"
#include "libbcs/demand/wait.h"
#include "mds/base/clock.h"
#include "mds/base/cpu.h"
#include "mds/base/futex.h"

static _Atomic unsigned spins; /* such turns */
static _Atomic bool blind;     /* others may not show, and cannot be made to */

static uint64_t pauses_ns(void)
{
	const uint64_t since = clock_monotonic_ns();

	for (unsigned i = 0; i < WAIT_PAUSES; i++)
		cpu_pause();
	return clock_monotonic_ns() - since;
}

/* If they were interrupted once, they are not the next time. */
static unsigned spins_find(unsigned ns)
{
	uint64_t least = pauses_ns();

	for (unsigned i = 0; i < 3; i++)
		least = copy_at_most(least, pauses_ns());
	least = copy_at_most(least, WAIT_PAUSES * WAIT_PAUSE_NS_MOST);
	if (least < WAIT_PAUSES * WAIT_PAUSE_NS_LEAST)
		least = WAIT_PAUSES * WAIT_PAUSE_NS_LEAST;
	return (unsigned)(ns * (uint64_t)WAIT_PAUSES / least);
}

/*
 * Registers for membarrier() when the library is loaded, because the kernel
 * answers at once while the process has one thread.  With more threads, as
 * after MPI_Init, it waits for all processors first, which takes 10 to 20 ms.
 * A second registration costs nothing.
 */
__attribute__((constructor)) static bool may_be_made_to_show(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED,
		       0, 0) == 0;
}

/*
 * membarrier() interrupts the processors of all other processes.  Where
 * processes sleep often, each waker uses a locked instruction instead.
 */
void wait_start(bool crowded)
{
	atomic_store(&spins, spins_find(crowded ? WAIT_SPINS_CROWDED_NS
						: WAIT_SPINS_NS));
	if (!crowded && !may_be_made_to_show())
		atomic_store(&blind, true);
	if (crowded || atomic_load(&blind))
		atomic_store(&wake_by_writing, true);
}

/*
 * Nobody wakes a process for room in an inbox or a stream, or for MPI's own
 * messages.
 */
static uint64_t sleep_ns(struct engine *engine, unsigned sleeps)
{
	if (atomic_load_explicit(&engine->local, memory_order_relaxed) ||
	    atomic_load_explicit(&engine->n_streams, memory_order_relaxed))
		return WAIT_SLEEP_ROOM_NS;
	if (engine->options.poke || engine->options.remote)
		return (uint64_t)WAIT_SLEEP_POKE_NS
		       << (sleeps < WAIT_SLEEP_DOUBLES ? sleeps
						       : WAIT_SLEEP_DOUBLES);
	return atomic_load(&blind) ? WAIT_SLEEP_BLIND_NS : WAIT_SLEEP_NS;
}

/*
 * The event that a thread waits for.  Another thread of the process may
 * complete it meanwhile.
 */
struct waiting {
	bool (*ready)(void *arg);
	void *arg;
	bool over;
};

/*
 * `ready` may take what it finds, so it is not called again once it has
 * returned true.
 */
static bool is_over(struct waiting *waiting)
{
	if (!waiting->over)
		waiting->over = waiting->ready(waiting->arg);
	return waiting->over;
}

static void tell_blocked(struct engine *engine, bool first,
			 struct waiting *waiting)
{
	if (engine->options.blocked)
		engine->options.blocked(first, waiting->ready, waiting->arg);
}

/*
 * Says so, makes all processes of the node show what they have under way unless
 * they do so themselves, looks once more, and sleeps.
 */
static void sleep_until_woken(struct engine *engine, unsigned sleeps,
			      struct waiting *waiting)
{
	struct board_slot *slot = engine->slot;

	tell_blocked(engine, sleeps == 0, waiting);
	pair_sleeps();
	/* Reads, so that it sees what was shown by who looked before. */
	atomic_exchange(&slot->asleep, 1);
	if (!atomic_load(&wake_by_writing))
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
	if (board_peek(&engine->inbox) || is_over(waiting) ||
	    engine_is_left_remote(engine))
		return;
	futex_wait(&slot->asleep, 1, sleep_ns(engine, sleeps));
}

static bool poke(struct engine *engine)
{
	uint64_t since;
	bool moved;

	if (!engine->options.poke)
		return false;
	since = row_stamp(engine);
	moved = engine->options.poke();
	row_spent_poking(engine, since);
	return moved;
}

static bool must_poke(const struct engine *engine)
{
	return engine->options.must_poke && engine->options.must_poke();
}

static void give_way_crowded(struct engine *engine)
{
	if (pair_is_asked(engine))
		pair_swap(engine);
	sched_yield();
}

/* Lends not at once: who comes soon needs none. */
static void give_way(struct engine *engine, unsigned yields)
{
	bool lends;

	if (engine->options.crowded) {
		give_way_crowded(engine);
		return;
	}
	lends = yields % WAIT_LEND_EVERY == WAIT_LEND_EVERY - 1;
	if (lends) {
		rouse_deferred(engine);
		helper_lend(engine);
	}
	spread_yield(engine, lends || yields == 0);
}

/* Polls like MPI: not everything that moves is visible to the engine. */
static bool wait_awake(struct engine *engine, unsigned turns,
		       struct waiting *waiting)
{
	const unsigned looks = atomic_load_explicit(&spins,
						    memory_order_relaxed);
	const bool gives = engine->options.crowded || turns >= looks;

	if ((gives || turns % WAIT_POKE_EVERY == WAIT_POKE_EVERY - 1) &&
	    poke(engine))
		return true;
	if (turns >= WAIT_TURNS_FEW)
		tell_blocked(engine, turns == WAIT_TURNS_FEW, waiting);
	if (gives)
		give_way(engine, turns - looks);
	else
		cpu_pause();
	return false;
}

static void core_show(struct board_slot *slot, int32_t core)
{
	if (atomic_load_explicit(&slot->core, memory_order_relaxed) != core)
		atomic_store_explicit(&slot->core, core, memory_order_relaxed);
}

/*
 * True if the process waited for is on another core.  If there are several, one
 * of them mostly needs this core.
 */
static bool may_be_at_work(struct engine *engine)
{
	const uint32_t from = atomic_load_explicit(&engine->from,
						   memory_order_relaxed);
	const int32_t core = sched_getcpu() + 1;

	core_show(engine->slot, core);
	return engine_is_local(engine, from) &&
	       atomic_load_explicit(&engine->slots[from]->core,
				    memory_order_relaxed) != core;
}

unsigned wait_looks(struct engine *engine)
{
	if (engine->options.crowded && !may_be_at_work(engine))
		return 0;
	return atomic_load_explicit(&spins, memory_order_relaxed);
}

static unsigned yields(const struct engine *engine)
{
	if (!engine->options.crowded)
		return WAIT_YIELDS;
	return pair_is_tight() ? WAIT_YIELDS_TIGHT : WAIT_YIELDS_CROWDED;
}

/* True if something moved meanwhile, so that more may come soon. */
static bool wait_on_demand(struct engine *engine, unsigned turns,
			   struct waiting *waiting)
{
	const unsigned looks = wait_looks(engine);
	const unsigned last = looks + yields(engine);

	if ((turns % WAIT_POKE_EVERY == WAIT_POKE_EVERY - 1 || turns >= last) &&
	    poke(engine))
		return true;
	if (turns < looks)
		cpu_pause();
	else if (turns < last)
		give_way(engine, turns - looks);
	else
		sleep_until_woken(engine, turns - last, waiting);
	return false;
}

static bool wait_turn(struct engine *engine, unsigned turns,
		      struct waiting *waiting)
{
	if (must_poke(engine))
		return wait_awake(engine, turns, waiting);
	return wait_on_demand(engine, turns, waiting);
}

void wait_idle(struct engine *engine)
{
	static __thread unsigned tests
		__attribute__((tls_model("initial-exec")));

	if (engine->options.crowded)
		sched_yield();
	else if (++tests % WAIT_LEND_TESTS == 0)
		give_way(engine, WAIT_LEND_EVERY - 1);
}

/* True after more than a few turns in vain: less is not called waiting. */
static bool is_idle(struct engine *engine, unsigned turns)
{
	return turns >= WAIT_TURNS_FEW || turns >= wait_looks(engine);
}

static void tell_idle(struct engine *engine, bool *was, bool is)
{
	if (*was != is && engine->options.idle)
		engine->options.idle(is);
	*was = is;
}

static void meanwhile(const struct engine *engine)
{
	if (engine->options.meanwhile)
		engine->options.meanwhile();
}

void engine_block(struct engine *engine)
{
	atomic_fetch_add(&engine->slot->blocked, 1);
}

/*
 * Finishes streams before the last thread leaves, because the other side waits
 * for each piece and would else have to wait for the helper.  The other side
 * may have left, too.
 */
static void end_streams(struct engine *engine)
{
	unsigned vain = 0;

	while (turn_has_streams(engine) && vain < WAIT_VAIN_MOST &&
	       atomic_load_explicit(&engine->slot->blocked,
				    memory_order_relaxed) == 1) {
		vain = turn_stream(engine) ? 0 : vain + 1;
		cpu_pause();
	}
}

void engine_unblock(struct engine *engine)
{
	end_streams(engine);
	/*
	 * Before the look: a process that still saw this one blocked did not
	 * wake the helper.
	 */
	atomic_fetch_sub(&engine->slot->blocked, 1);
	if ((atomic_load_explicit(&engine->n_open, memory_order_relaxed) &&
	     engine_has_more(engine)) ||
	    engine_is_left_remote(engine))
		turn_hand_over(engine);
}

void engine_wait_until(struct engine *engine, bool (*ready)(void *arg),
		       void *arg)
{
	struct waiting waiting = { .ready = ready, .arg = arg };
	unsigned turns = 0;
	bool idle = false;

	if (is_over(&waiting))
		return;
	meanwhile(engine);
	engine_block(engine);
	while (!is_over(&waiting)) {
		tell_idle(engine, &idle, is_idle(engine, turns));
		if (engine_turn(engine) || engine_work(engine, ENGINE_WHOLE) ||
		    engine_remote(engine))
			turns = 0;
		else if (!engine_tidy(engine))
			turns = wait_turn(engine, turns, &waiting) ? 0
								   : turns + 1;
	}
	tell_idle(engine, &idle, false);
	engine_unblock(engine);
	if (engine->options.crowded)
		pair_waited(engine);
}

void engine_wait_shown(struct engine *engine, bool (*ready)(void *arg),
		       void *arg)
{
	const unsigned looks = engine->options.crowded ? 0 : WAIT_LOOKS_SHOWN;

	if (ready(arg))
		return;
	meanwhile(engine);
	for (unsigned i = 0; i < looks; i++)
		if (ready(arg))
			return;
	engine_wait_until(engine, ready, arg);
}

bool engine_op_ready(void *op)
{
	return op_is_done(op);
}

void engine_wait(struct engine *engine, struct op *op)
{
	engine_wait_until(engine, engine_op_ready, op);
}
