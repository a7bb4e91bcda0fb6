/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How a waiting thread gives up its core.
 *
 * sched_yield is enough where the scheduler obeys. Often it does not: a yield
 * only steps back behind threads of the same control group. Hydra puts every
 * rank into a session of its own, and so into an autogroup of its own.
 *
 * Then the yield returns within 0.6 us; a yield that lets another thread run
 * takes at least 4 us. A quick return is right if no other thread wants the
 * core, and the two cases look the same. So after VAIN quick yields the thread
 * sleeps for a share of the time that it has waited, which bounds how late it
 * wakes.
 *
 * After LONG_NS the thread sleeps in any case. Waiting threads that yield to
 * each other would still take core time from the thread that computes.
 */
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/mpich/polite_state.h"

#define VAIN         32
#define VAIN_AGAIN   2 /* yields in vain between two sleeps */
#define YIELDED_NS   2000
#define LONG_NS      1000000
#define SLEEP_MAX_NS 1000000

static void count(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

/* How long this thread may sleep now; 0: not at all. */
static uint64_t sleep_ns(uint64_t now, unsigned share)
{
	const uint64_t waited = clock_to_ns(now - polite_row.begin);
	const uint64_t ns = waited * share / 16;

	if (polite_row.vain < VAIN && waited < LONG_NS)
		return 0;
	return ns < SLEEP_MAX_NS ? ns : SLEEP_MAX_NS;
}

/*
 * The thread's own timer slack, 50 us as a rule, would be longer than most of
 * its sleeps.  Not by nanosleep, which is a point of cancellation.
 */
static void sleep_for(uint64_t ns)
{
	const struct timespec time = { .tv_nsec = (long)ns };
	const int slack = prctl(PR_GET_TIMERSLACK);

	prctl(PR_SET_TIMERSLACK, 1);
	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
	if (slack > 0)
		prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
	polite_row.vain -= polite_row.vain < VAIN_AGAIN ? polite_row.vain
							: VAIN_AGAIN;
}

/* Whether anybody took the core. */
static bool yield(uint64_t now)
{
	sched_yield();
	if (clock_to_ns(clock_ticks() - now) >= YIELDED_NS)
		polite_row.vain = 0;
	else
		polite_row.vain++;
	return polite_row.vain == 0;
}

static bool let_go(uint64_t now, unsigned share)
{
	const uint64_t ns = sleep_ns(now, share);

	if (ns == 0) {
		if (!yield(now))
			return false;
		count(&polite_state.yields, 1);
		return true;
	}
	sleep_for(ns);
	count(&polite_state.sleeps, 1);
	return true;
}

void polite_account(uint64_t now)
{
	if (polite_thread.last)
		polite_thread.waiting += now - polite_thread.last;
	polite_thread.last = now;
}

void polite_give_up(unsigned share)
{
	const uint64_t now = clock_ticks();
	const bool gone = let_go(now, share);

	polite_row.end = clock_ticks();
	if (gone) {
		count(&polite_state.given_up, polite_row.end - now);
		polite_thread.given_up += polite_row.end - now;
	}
	polite_account(polite_row.end);
}
