/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Yields the core while MPICH waits.
 *
 * MPICH waits by calling ucp_worker_progress until something has happened. We
 * intercept the calls and look at what each turn brought. After SPINS turns
 * without progress, each further turn ends by giving up the core
 * (polite_give.c).
 *
 * Polling is not waiting. A program that calls MPI_Iprobe now and then also
 * makes turns without progress, and must not be slowed down. So a row of turns
 * ends if the program computed for BREAK_NS between two turns. A thread that
 * computed for more than OWN_NS between turns keeps its core.
 *
 * The time of a turn itself counts as waiting, even a long one: over TCP, UCX
 * asks the kernel. The recorder tells when a call began, and so which time is
 * the program's. Without a record, all time between two turns is the program's.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/mpich/polite_state.h"

#define SPINS       32
#define BREAK_NS    10000
#define OWN_NS      1000
#define STAMP_EVERY 4

#define NAME "ucp_worker_progress"

unsigned ucp_worker_progress(void *worker);

#define THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))

THREAD_LOCAL struct polite_thread polite_thread;
THREAD_LOCAL struct polite_row polite_row;

static polite_progress *_Atomic progress;
static const void *_Atomic first_caller;

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

/*
 * Looks in libmpich's own scope: mpi4py opens libmpich by dlopen, which hides
 * UCX from ours.
 */
polite_progress *polite_ucx_find(void)
{
	polite_progress *found = find_in(RTLD_NEXT);

	return found ? found : find_loaded("libucp.so.0");
}

const void *polite_ucx_caller(void)
{
	return atomic_load_explicit(&first_caller, memory_order_relaxed);
}

/*
 * Finds the function that the caller would have found without us, under any
 * library name.
 */
static polite_progress *find_for(const void *caller)
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
	atomic_store_explicit(&first_caller, caller, memory_order_relaxed);
	atomic_store_explicit(&progress, found, memory_order_relaxed);
	return found;
}

/* Between two turns: up to when this call began, if there was none in it. */
static uint64_t own_ns(uint64_t begin)
{
	const uint64_t last = polite_thread.last;

	return clock_to_ns((last > polite_row.end ? last : begin) -
			   polite_row.end);
}

/* Whether the row is one of waiting, and long enough. */
static bool add_to_row(uint64_t begin, uint64_t now)
{
	const uint64_t own = own_ns(begin);

	if (own > BREAK_NS)
		polite_thread.turns = 1;
	if (polite_thread.turns == 1)
		polite_row = (struct polite_row){ .begin = now };
	else
		polite_row.own += own;
	polite_row.end = now;
	return polite_thread.turns > SPINS &&
	       polite_row.own <= polite_thread.turns * OWN_NS;
}

static void turn_politely(unsigned share, uint64_t begin)
{
	const uint64_t now = clock_ticks();
	const bool waiting = add_to_row(begin, now);

	polite_account(now);
	if (waiting && !polite_unlock_defer(share))
		polite_give_up(share);
}

/*
 * Reading the clock in every turn makes an exchange of 8 bytes 2 % slower, in
 * every fourth it is not to be seen.
 */
static inline void turn_in_vain(unsigned share, uint64_t begin)
{
	polite_thread.turns++;
	if (__builtin_expect(share != 0, 0))
		turn_politely(share, begin);
	else if (polite_thread.turns % STAMP_EVERY == 0)
		polite_account(clock_ticks());
}

__attribute__((visibility("default"))) unsigned
ucp_worker_progress(void *worker)
{
	polite_progress *next = atomic_load_explicit(&progress,
						     memory_order_relaxed);
	const unsigned share = polite_state_share();
	uint64_t begin = 0;
	unsigned done;

	if (__builtin_expect(!next, 0))
		next = find_for(__builtin_return_address(0));
	if (__builtin_expect(share != 0, 0))
		begin = clock_ticks();
	done = next(worker);
	if (done == 0) {
		turn_in_vain(share, begin);
	} else {
		polite_thread.moved++;
		polite_thread.turns = 0;
		polite_thread.last = 0;
	}
	return done;
}
