/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How an application's thread waits: asleep on the event word of its process.
 * The thread is the process's DMA Helper meanwhile.
 */
#include <sched.h>
#include <sys/prctl.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/process/strobe_process.h"
#include "mds/base/clock.h"
#include "mds/base/cpu.h"
#include "mds/base/futex.h"

static bool poke(const struct strobe *strobe)
{
	return strobe->options.poke && strobe->options.poke();
}

static uint64_t sleep_ns(const struct strobe *strobe, unsigned turns)
{
	if (!strobe->options.poke)
		return STROBE_WAIT_SLEEP_ALONE;
	return (uint64_t)STROBE_WAIT_SLEEP_NS
	       << (turns < STROBE_WAIT_SLEEP_DOUBLES
			   ? turns
			   : STROBE_WAIT_SLEEP_DOUBLES);
}

/* Sleeps without the slack that the kernel gives to timers. */
static void sleep_sharply(struct strobe *strobe, uint32_t seen, uint64_t ns)
{
	const int slack = prctl(PR_GET_TIMERSLACK);

	prctl(PR_SET_TIMERSLACK, 1);
	futex_wait(&strobe->slot->event, seen, ns);
	prctl(PR_SET_TIMERSLACK, slack);
}

/* Another thread of the process copies, and will show what is over. */
static bool is_shown_soon(struct strobe *strobe, uint64_t due)
{
	return clock_monotonic_ns() >= due && atomic_load(&strobe->copying);
}

/*
 * Until a slice whose work is done is over by the clock.  A thread with a core
 * of its own wakes before that, so that it goes on when the next one begins.
 */
static void wait_for_clock(struct strobe *strobe, uint32_t seen, uint64_t due)
{
	const bool roomy = strobe->n <= strobe->options.cores;
	const uint64_t wake = due - (roomy ? STROBE_LEAD_NS : 0);
	const uint64_t now = clock_monotonic_ns();

	/* It may have passed meanwhile: then nothing is to be waited for. */
	if (now < wake)
		sleep_sharply(strobe, seen, wake - now);
	else if (is_shown_soon(strobe, due))
		futex_wait(&strobe->slot->event, seen, STROBE_WAIT_SLEEP_NS);
	else
		cpu_pause();
}

/* True if MPI moved something, so that more may come soon. */
static bool pause_until(struct strobe *strobe, uint32_t seen, unsigned turns)
{
	const uint64_t due = strobe_dma_due(strobe);

	if (poke(strobe))
		return true;
	if (strobe->options.must_poke && strobe->options.must_poke())
		sched_yield();
	else if (due)
		wait_for_clock(strobe, seen, due);
	else
		futex_wait(&strobe->slot->event, seen, sleep_ns(strobe, turns));
	return false;
}

static void tell_blocked(const struct strobe *strobe, unsigned turns,
			 bool (*ready)(void *arg), void *arg)
{
	if (strobe->options.blocked)
		strobe->options.blocked(turns == 0, ready, arg);
}

static void tell_idle(const struct strobe *strobe, bool *was, bool is)
{
	if (*was != is && strobe->options.idle)
		strobe->options.idle(is);
	*was = is;
}

static bool run(struct strobe *strobe)
{
	const bool moved = strobe_dma_run_some(strobe);

	return strobe_reduce_callers(strobe) || moved;
}

static void leave(struct strobe *strobe)
{
	/* Before the look: who gave orders meanwhile woke no helper. */
	atomic_fetch_sub(&strobe->slot->blocked, 1);
	strobe_dma_leave(strobe);
}

void strobe_engine_wait_until(struct strobe *strobe, bool (*ready)(void *arg),
			      void *arg)
{
	bool idle = false;
	unsigned turns = 0;
	uint32_t seen;
	bool over;

	if (ready(arg))
		return;
	if (strobe->options.meanwhile)
		strobe->options.meanwhile();
	atomic_fetch_add(&strobe->slot->blocked, 1);
	do {
		/* Before the look: what changes then ends the sleep. */
		seen = atomic_load(&strobe->slot->event);
		if (run(strobe))
			turns = 0;
		over = ready(arg);
		if (!over && strobe_must_stop(strobe)) {
			strobe_stand(strobe);
			turns = 0;
		} else if (!over) {
			tell_idle(strobe, &idle, true);
			tell_blocked(strobe, turns, ready, arg);
			turns = pause_until(strobe, seen, turns) ? 0
								 : turns + 1;
		}
	} while (!over);
	tell_idle(strobe, &idle, false);
	leave(strobe);
}

void strobe_engine_wait(struct strobe *strobe, struct op *op)
{
	strobe_engine_wait_until(strobe, engine_op_ready, op);
}

bool strobe_engine_turn(struct strobe *strobe)
{
	bool moved;

	strobe_stop_here(strobe);
	moved = run(strobe);
	/* A helper that found `copying` held relies on another look. */
	if (moved)
		strobe_dma_leave(strobe);
	return moved;
}

void strobe_engine_help(struct strobe *strobe)
{
	if (!strobe_engine_turn(strobe))
		sched_yield();
}

bool strobe_engine_has_work(struct strobe *strobe)
{
	return strobe_engine_n_open(strobe) != 0;
}

struct test {
	struct strobe *strobe;
	bool (*ready)(void *arg);
	void *arg;
	uint32_t tail; /* of what the process had posted */
};

static bool is_over(const struct test *test)
{
	return (int32_t)(atomic_load(&test->strobe->over) - test->tail) >= 0;
}

static bool is_settled(void *arg)
{
	struct test *test = arg;

	return is_over(test) || test->ready(test->arg);
}

/* Schedules posts before a test, and shows their results, before it ends. */
bool strobe_engine_settle(struct strobe *strobe, bool (*ready)(void *arg),
			  void *arg)
{
	struct test test = { strobe, ready, arg,
			     (uint32_t)atomic_load(&strobe->slot->ring.tail) };

	if (is_over(&test))
		return strobe_engine_turn(strobe);
	strobe_engine_wait_until(strobe, is_settled, &test);
	return true;
}
