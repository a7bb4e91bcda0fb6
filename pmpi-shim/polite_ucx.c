/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPICH waits by calling ucp_worker_progress until something has happened.  We
 * stand in between and look at what each turn brought.
 *
 * Giving up the core.  After SPINS turns in vain each further one ends with
 * sched_yield.  That is all it takes where the scheduler obeys.  Often it does
 * not: a yield only steps back behind threads of the same control group, and
 * hydra puts every rank into a session, so into an autogroup, of its own.  Then
 * the yield returns at once (0.6 us, where one that let another run takes 4 or
 * more), and rightly so if the core has nobody else.  The two cannot be told
 * apart, so after VAIN such yields the thread sleeps, for a share of the time
 * that it has waited: its lateness is bounded by that share.  After LONG_NS it
 * sleeps whatever the yields do, since waiting threads that yield to each other
 * still take their part of the core from the one that computes.
 *
 * Polling is not waiting.  A program that calls MPI_Iprobe now and then has
 * turns in vain as well, and must not be slowed down.  So a row of turns ends
 * when BREAK_NS passed between two of them, and a thread that spends more than
 * OWN_NS a turn elsewhere never sleeps.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mds/clock.h"
#include "pmpi-shim/polite.h"
#include "pmpi-shim/polite_state.h"

#define SPINS        32
#define VAIN         32
#define VAIN_AGAIN   2 /* yields in vain between two sleeps */
#define YIELDED_NS   2000
#define LONG_NS      1000000
#define SLEEP_MAX_NS 1000000
#define BREAK_NS     10000
#define OWN_NS       1000
#define STAMP_EVERY  4

#define NAME "ucp_worker_progress"

unsigned ucp_worker_progress(void *worker);

/* A row of turns in vain. */
struct row {
	uint64_t begin;
	uint64_t end;  /* of its last turn, or of what followed on it */
	uint64_t own;  /* ns in turns and between them */
	unsigned vain; /* yields in which nobody else ran, in a row */
};

#define THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))

THREAD_LOCAL struct polite_thread polite_thread;
static THREAD_LOCAL struct row row;

static polite_progress *_Atomic progress;

static polite_progress *find_in(void *handle)
{
	union {
		void *object;
		polite_progress *function;
	} found = { dlsym(handle, NAME) };

	return found.function;
}

static polite_progress *find_loaded(const char *file)
{
	void *handle = dlopen(file, RTLD_NOLOAD | RTLD_LAZY);

	return handle ? find_in(handle) : NULL;
}

/* It is not in our scope where libmpich was opened by dlopen, as by mpi4py. */
polite_progress *polite_ucx_find(void)
{
	polite_progress *found = find_in(RTLD_NEXT);

	return found ? found : find_loaded("libucp.so.0");
}

bool polite_ucx_reached(void)
{
	return atomic_load_explicit(&progress, memory_order_relaxed) != NULL;
}

/* Whoever called us would have found it without us: under whatever name. */
static polite_progress *find_for(void *caller)
{
	static const char sorry[] = "bcs: " NAME " of UCX is called, but "
				    "not found; run without the preload\n";
	polite_progress *found = polite_ucx_find();
	Dl_info info;

	if (!found && dladdr(caller, &info))
		found = find_loaded(info.dli_fname);
	if (!found) {
		(void)!write(STDERR_FILENO, sorry, sizeof(sorry) - 1);
		abort();
	}
	atomic_store_explicit(&progress, found, memory_order_relaxed);
	return found;
}

static void count(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static bool is_contended(void)
{
	return atomic_load_explicit(&polite_state.contended,
				    memory_order_relaxed);
}

static void account_until(uint64_t now)
{
	if (polite_thread.last)
		polite_thread.waiting += now - polite_thread.last;
	polite_thread.last = now;
}

/* How long this thread may sleep now; 0: not at all. */
static uint64_t sleep_ns(uint64_t now, unsigned share)
{
	const uint64_t waited = clock_to_ns(now - row.begin);
	const uint64_t ns = waited * share / 16;

	if (is_contended() || row.own > polite_thread.turns * OWN_NS ||
	    (row.vain < VAIN && waited < LONG_NS))
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
	count(&polite_state.sleeps, 1);
	row.vain -= row.vain < VAIN_AGAIN ? row.vain : VAIN_AGAIN;
}

static void yield(uint64_t now)
{
	sched_yield();
	count(&polite_state.yields, 1);
	row.vain = clock_to_ns(clock_ticks() - now) < YIELDED_NS ? row.vain + 1
								 : 0;
}

static void give_up(uint64_t now, unsigned share)
{
	const uint64_t ns = sleep_ns(now, share);

	if (ns)
		sleep_for(ns);
	else
		yield(now);
	row.end = clock_ticks();
	count(&polite_state.given_up, row.end - now);
	polite_thread.given_up += row.end - now;
	account_until(row.end);
}

static void turn_politely(unsigned share)
{
	const uint64_t now = clock_ticks();
	const uint64_t own = clock_to_ns(now - row.end);

	account_until(now);
	if (own > BREAK_NS)
		polite_thread.turns = 1;
	if (polite_thread.turns == 1)
		row = (struct row){ .begin = now };
	else
		row.own += own;
	row.end = now;
	if (polite_thread.turns > SPINS)
		give_up(now, share);
}

/*
 * Reading the clock in every turn makes an exchange of 8 bytes 2 % slower, in
 * every fourth it is not to be seen.
 */
static inline void turn_in_vain(void)
{
	const unsigned share = atomic_load_explicit(&polite_state.share,
						    memory_order_relaxed);

	polite_thread.turns++;
	if (__builtin_expect(share != 0, 0))
		turn_politely(share);
	else if (polite_thread.turns % STAMP_EVERY == 0)
		account_until(clock_ticks());
}

__attribute__((visibility("default"))) unsigned
ucp_worker_progress(void *worker)
{
	polite_progress *next = atomic_load_explicit(&progress,
						     memory_order_relaxed);
	unsigned done;

	if (__builtin_expect(!next, 0))
		next = find_for(__builtin_return_address(0));
	done = next(worker);
	if (done == 0) {
		turn_in_vain();
	} else {
		polite_thread.turns = 0;
		polite_thread.last = 0;
	}
	return done;
}
