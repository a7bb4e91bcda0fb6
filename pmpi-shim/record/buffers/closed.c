/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Parts of pages cannot be closed: other data are there.  The handler of
 * SIGSEGV gets all faults, and passes on those that are of other pages.
 */
#include "pmpi-shim/record/buffers/closed.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mds/callpath/callpath.h"
#include "mds/mmds/mmds.h"
#include "pmpi-shim/record/buffers/closed_signals.h"
#include "pmpi-shim/record/buffers/closed_syscalls.h"

#define CLOSED_MAX 128 /* at a time */

/* Threads whose faults come after another opened the pages. */
#define LATE 1024

static struct closed all[CLOSED_MAX];
static uintptr_t page;
static struct sigaction others; /* what is done about other faults, */
static struct sigaction first;  /* and what was before ours came */
static bool is_first_known;

/* The one that ended first: other threads may be about to fault in the last. */
static struct closed *find_unused(void)
{
	static unsigned last;

	for (unsigned i = 0; i < CLOSED_MAX; i++) {
		last = (last + 1) % CLOSED_MAX;
		if (!all[last].touched)
			return &all[last];
	}
	return NULL;
}

bool closed_open(struct closed *closed)
{
	if (!atomic_load(&closed->is))
		return false;
	mprotect((void *)closed->from, closed->to - closed->from,
		 PROT_READ | PROT_WRITE);
	/* A thread that finds them open has no fault. */
	return atomic_exchange(&closed->is, false);
}

void closed_end(struct closed *closed)
{
	closed_open(closed);
	closed->touched = NULL;
}

uint32_t closed_path(const ucontext_t *at)
{
	struct mmds_thread *thread = mmds_thread;

	if (!thread || !thread->paths || !at)
		return 0;
#ifdef __x86_64__
	return callpath_interrupted(thread->paths,
				    (uintptr_t)at->uc_mcontext.gregs[REG_RIP],
				    (uintptr_t)at->uc_mcontext.gregs[REG_RSP],
				    (uintptr_t)at->uc_mcontext.gregs[REG_RBP]);
#else
	return 0;
#endif
}

/*
 * A fault is the program's own access, so nothing of ours is interrupted.  A
 * second thread's fault may come when the first has opened the pages.
 */
static bool mend(const void *address, const void *context)
{
	const uintptr_t at = (uintptr_t)address;
	struct closed *was = NULL;

	for (unsigned i = 0; i < CLOSED_MAX; i++) {
		struct closed *closed = &all[i];
		void (*const touched)(void *,
				      const ucontext_t *) = closed->touched;
		void *const owner = closed->owner;

		if (at < closed->from || at >= closed->to)
			continue;
		was = closed;
		if (!closed_open(closed))
			continue;
		if (touched)
			touched(owner, context);
		return true;
	}
	return was && atomic_fetch_add(&was->late, 1) < LATE;
}

static void open_all(void)
{
	for (unsigned i = 0; i < CLOSED_MAX; i++)
		closed_open(&all[i]);
}

/*
 * The program's handler may call that which it found, which is ours, and not
 * come back from there.  The kernel puts the context behind our return address.
 */
static bool is_called_by_kernel(const char *frame, const char *context)
{
#ifdef __x86_64__
	return context - frame == 2 * (long)sizeof(void *);
#else
	(void)frame;
	(void)context;
	return true;
#endif
}

/* The program's handler may jump out: nothing is closed then. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
	const int saved = errno;
	struct closed_held held;
	bool is_mended;

	if (!is_called_by_kernel(__builtin_frame_address(0), context)) {
		closed_signals_pass(&first, signal, info, context);
		return;
	}
	closed_syscalls_hold(&held);
	is_mended = info->si_code > 0 && mend(info->si_addr, context);
	if (!is_mended)
		open_all();
	closed_syscalls_release(&held);
	if (!is_mended)
		closed_signals_pass(&others, signal, info, context);
	errno = saved;
}

/* The program, or its language's library, may have taken them meanwhile. */
static bool take_faults(void)
{
	if (!closed_signals_take(SIGSEGV, on_fault, closed_syscalls_return(),
				 &others))
		return false;
	if (!is_first_known)
		first = others;
	is_first_known = true;
	return true;
}

bool closed_is_met(const void *at, uint64_t bytes)
{
	for (unsigned i = 0; i < CLOSED_MAX; i++)
		if (atomic_load(&all[i].is) &&
		    closed_meets(&all[i], (uintptr_t)at, bytes))
			return true;
	return false;
}

struct closed *closed_begin(const void *at, uint64_t bytes, int rights,
			    void (*touched)(void *owner, const ucontext_t *at),
			    void *owner)
{
	const uintptr_t from = ((uintptr_t)at + page - 1) & ~(page - 1);
	const uintptr_t to = ((uintptr_t)at + bytes) & ~(page - 1);
	struct closed *closed;

	if (!page || bytes < page || from >= to || !take_faults())
		return NULL;
	closed = find_unused();
	if (!closed)
		return NULL;
	*closed = (struct closed){ .from = from, .to = to, .is = true };
	closed->touched = touched;
	closed->owner = owner;
	if (mprotect((void *)from, to - from, rights) == 0)
		return closed;
	atomic_store(&closed->is, false);
	closed->touched = NULL;
	return NULL;
}

void closed_start(void)
{
	/* A fork has memory of its own, into which no message comes. */
	if (!page && pthread_atfork(NULL, NULL, open_all) == 0)
		page = (uintptr_t)sysconf(_SC_PAGESIZE);
}
