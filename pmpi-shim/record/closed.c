/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Parts of pages cannot be closed: other data are there.  The handler of
 * SIGSEGV gets all faults, and passes on those that are of other pages.
 */
#include "pmpi-shim/record/closed.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mds/callpath.h"
#include "mds/mmds.h"
#include "pmpi-shim/record/closed_syscalls.h"

#define CLOSED_MAX 128 /* at a time */

/* Threads whose faults come after another opened the pages. */
#define LATE 1024

static struct closed all[CLOSED_MAX];
static uintptr_t page;
static struct sigaction others; /* what is done about other faults */

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

		if (at < closed->from || at >= closed->to)
			continue;
		was = closed;
		if (!closed_open(closed))
			continue;
		closed->touched(closed->owner, context);
		return true;
	}
	return was && atomic_fetch_add(&was->late, 1) < LATE;
}

/* To the handler that there would be without us. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	const struct sigaction then = others;

	if (then.sa_flags & SA_SIGINFO) {
		then.sa_sigaction(signal, info, context);
	} else if (then.sa_handler != SIG_DFL && then.sa_handler != SIG_IGN) {
		then.sa_handler(signal);
	} else {
		sigaction(signal, &then, NULL);
		/* A fault comes again when the handler returns. */
		if (info->si_code <= 0)
			raise(signal);
	}
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	const int saved = errno;
	const char before = closed_syscalls_pause();

	if (info->si_code <= 0 || !mend(info->si_addr, context))
		pass_on(signal, info, context);
	closed_syscalls_go_on(before);
	errno = saved;
}

static bool is_ours(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO &&
	       action->sa_sigaction == on_fault;
}

/* The program, or its language's library, may have taken them meanwhile. */
static bool take_faults(void)
{
	struct sigaction action;

	if (sigaction(SIGSEGV, NULL, &action) != 0)
		return false;
	if (is_ours(&action))
		return true;
	others = action;
	action.sa_sigaction = on_fault;
	action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
	return sigaction(SIGSEGV, &action, NULL) == 0;
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

/* A fork has memory of its own, into which no message comes. */
static void fork_open(void)
{
	for (unsigned i = 0; i < CLOSED_MAX; i++)
		closed_open(&all[i]);
}

void closed_start(void)
{
	if (!page && pthread_atfork(NULL, NULL, fork_open) == 0)
		page = (uintptr_t)sysconf(_SC_PAGESIZE);
}
