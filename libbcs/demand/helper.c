/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The helper thread: when it sleeps, on which core it runs, and who lends it
 * one.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/rouse.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/helper.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/wait.h"
#include "mds/base/clock.h"
#include "mds/base/futex.h"
#include "mds/base/thread.h"

struct helper {
	pthread_t thread;
	struct engine *engine;
	uint64_t remote_ns; /* until it looks what came from other nodes */
	bool patient;       /* takes no core from others */
	bool late;          /* had to wait for one, */
	bool borrows;       /* or was lent one */
	bool leaves;        /* copies to who waits first */
	cpu_set_t cores;    /* that it may use, then */
	_Atomic bool ending;
};

/* It may stay on the core that was lent to it, or go back to its own. */
static void take_core(struct helper *helper)
{
	cpu_set_t cores = helper->cores;

	if (!atomic_exchange(&helper->engine->slot->lent, 0))
		return;
	CPU_SET((unsigned)sched_getcpu(), &cores);
	sched_setaffinity(0, sizeof(cores), &cores);
	helper->borrows = true;
}

/* It was to run so long after then: if it is late, this core is another's. */
static void look_late(struct helper *helper, uint64_t then, uint64_t ns)
{
	const uint64_t since = clock_to_ns(clock_ticks() - then);

	helper->late = since > ns && since - ns > HELPER_LATE_NS;
}

/* For so long, or until it is woken. */
static void sleep_as(struct helper *helper, uint32_t state, uint64_t ns)
{
	struct board_slot *slot = helper->engine->slot;
	const uint64_t start = clock_ticks();
	uint64_t woken;

	atomic_store(&slot->helper_runs, 0);
	futex_wait(&slot->helper, state, ns);
	atomic_store(&slot->helper_runs, 1);
	woken = atomic_load(&slot->woken);
	if (atomic_load(&slot->helper) == state)
		look_late(helper, start, ns);
	else
		look_late(helper, woken > start ? woken : start, 0);
}

/*
 * True if the helper leaves large copies alone.  While all processes compute,
 * copying now saves nothing and costs more.  Once both sides wait, each copies
 * a part, and the kernel need not look up each page.  So a patient helper
 * copies only on an idle core, or for a process that waits.
 */
static bool leaves_copies(const struct helper *helper)
{
	return helper->patient && helper->late && !helper->borrows &&
	       p2p_jobs_can_wait(helper->engine);
}

/*
 * A process that waits may lend the helper a core.  Before a long nap the
 * helper shows that it naps, and looks once more.  Whatever comes after that
 * wakes it.
 */
static void take_nap(struct helper *helper)
{
	struct board_slot *slot = helper->engine->slot;

	if (!helper->leaves) {
		atomic_store(&slot->helper, HELPER_AWAKE);
		sleep_as(helper, HELPER_AWAKE, HELPER_NAP_NS);
	} else if (atomic_exchange(&slot->helper, HELPER_NAPS) == HELPER_NAPS) {
		sleep_as(helper, HELPER_NAPS, HELPER_LEFT_NS);
	}
	take_core(helper);
}

/*
 * Work is left that waits for room in another's inbox, or for a stream.  Nobody
 * wakes the helper for these.
 */
static bool waits_for_more(struct helper *helper)
{
	if (!engine_has_more(helper->engine))
		return false;
	take_nap(helper);
	return true;
}

static bool is_wanted(struct helper *helper)
{
	return !atomic_load(&helper->ending) &&
	       !atomic_load(&helper->engine->slot->blocked);
}

/* Where nothing comes it looks less and less. */
static bool look_remote(struct helper *helper)
{
	const bool moved = engine_remote(helper->engine);

	if (moved)
		helper->remote_ns = HELPER_REMOTE_NS;
	else if (helper->remote_ns < HELPER_REMOTE_MOST_NS)
		helper->remote_ns *= 2;
	return moved;
}

static bool work(struct helper *helper)
{
	helper->leaves = leaves_copies(helper);
	return engine_work(helper->engine, helper->leaves ? 0 : ENGINE_COPIES);
}

/* A thread that blocks meanwhile goes on itself, and tells when it leaves. */
static void helper_work(struct helper *helper)
{
	struct engine *engine = helper->engine;

	do {
		rouse_deferred(engine);
	} while (is_wanted(helper) &&
		 (engine_turn(engine) || work(helper) || look_remote(helper) ||
		  waits_for_more(helper)));
}

/*
 * Most threads that post something wait for it soon: the helper lets them, for
 * it costs more than it brings then.  A patient one came when there was time.
 */
static void hold_back(struct helper *helper)
{
	const struct timespec pause = { .tv_nsec = HELPER_HOLD_BACK_NS };

	if (!helper->patient && is_wanted(helper))
		nanosleep(&pause, NULL);
}

/*
 * To take a core from who computes costs it 15 us and more, and the helper is
 * woken for each large message.  For other nodes it must not be late; where
 * ranks outnumber cores nobody has one to lend.
 */
static void be_patient(struct helper *helper)
{
	const struct engine_options *options = &helper->engine->options;
	const struct sched_param none = { 0 };

	if (options->gateway || options->crowded ||
	    sched_getscheduler(0) != SCHED_OTHER ||
	    sched_getaffinity(0, sizeof(helper->cores), &helper->cores) != 0 ||
	    sched_setaffinity(0, sizeof(helper->cores), &helper->cores) != 0 ||
	    sched_setscheduler(0, SCHED_BATCH, &none) != 0)
		return;
	helper->patient = true;
	atomic_store(&helper->engine->slot->helper_tid, gettid());
}

/* Nobody wakes it for what comes from another node. */
static uint64_t idle_ns(const struct helper *helper)
{
	return helper->engine->options.net ? helper->remote_ns : FUTEX_FOREVER;
}

static void *helper_main(void *arg)
{
	struct helper *helper = arg;
	struct board_slot *slot = helper->engine->slot;

	prctl(PR_SET_TIMERSLACK, 1);
	token_by_helper = true;
	atomic_store(&slot->helper_runs, 1);
	be_patient(helper);

	/*
	 * Work that came before the helper was idle did not wake it, but
	 * helper_work() sees it.
	 */
	while (atomic_exchange(&slot->helper, HELPER_IDLE),
	       !atomic_load(&helper->ending)) {
		helper_work(helper);
		helper->borrows = false;
		sleep_as(helper, HELPER_IDLE, idle_ns(helper));
		if (atomic_load(&slot->helper) != HELPER_IDLE)
			hold_back(helper);
		take_core(helper);
	}
	return NULL;
}

int helper_start(struct engine *engine)
{
	struct helper *helper;
	int rc;

	helper = calloc(1, sizeof(*helper));
	if (!helper)
		return -ENOMEM;
	helper->engine = engine;
	helper->remote_ns = HELPER_REMOTE_NS;
	rc = thread_start(&helper->thread, helper_main, helper);
	if (rc == 0)
		engine->helper = helper;
	else
		free(helper);
	return rc;
}

/*
 * False in another pid namespace, where the helper's number may be another
 * thread's.
 */
static bool is_seen(const struct board_slot *slot)
{
	return copy_probe(slot->pid, (void *)(uintptr_t)slot->probe,
			  slot->probe_word) == 0;
}

static bool waits_for_core(const struct board_slot *slot)
{
	return atomic_load_explicit(&slot->helper, memory_order_relaxed) !=
		       HELPER_IDLE &&
	       !atomic_load(&slot->helper_runs) &&
	       atomic_load(&slot->helper_tid) && !atomic_load(&slot->blocked) &&
	       is_seen(slot);
}

static void lend(struct board_slot *slot, const cpu_set_t *core)
{
	const pid_t tid = atomic_load(&slot->helper_tid);

	/*
	 * The number 0, of a helper that ended, would mean the caller.  The
	 * helper is woken last, or it might go back before it was moved.
	 */
	if (!tid || sched_setaffinity(tid, sizeof(*core), core) != 0)
		return;
	atomic_store(&slot->lent, 1);
	wake_helper_from(slot, HELPER_NAPS, 0);
}

void helper_lend(struct engine *engine)
{
	cpu_set_t core;

	CPU_ZERO(&core);
	CPU_SET((unsigned)sched_getcpu(), &core);
	for (uint32_t peer = 0; peer < engine->n_slots; peer++)
		if (waits_for_core(engine->slots[peer]))
			lend(engine->slots[peer], &core);
}

void helper_stop(struct engine *engine)
{
	struct helper *helper = engine->helper;

	if (!helper)
		return;
	atomic_store(&helper->ending, true);
	atomic_store(&engine->slot->helper, HELPER_AWAKE);
	futex_wake(&engine->slot->helper);
	thread_join(helper->thread);
	atomic_store(&engine->slot->helper_tid, 0);
	engine->helper = NULL;
	free(helper);
}
