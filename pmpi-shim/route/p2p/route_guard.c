/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds programs that touch the buffer of an open receive.  The whole pages of
 * the buffer have no access rights while the receive is open.  The message goes
 * to memory of ours, as with a type with gaps.  The first access is a finding,
 * with its place.  It opens the buffer, and the program goes on.
 *
 * Parts of pages cannot be closed: other data are there.
 *
 * Other processes and helper threads reach into the buffers of calls, where no
 * fault is mended: a call opens first what it is given, and a buffer that is
 * still sent from stays open.
 */
#include "pmpi-shim/route/p2p/route_guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "mds/callpath.h"
#include "mds/mmds.h"
#include "pmpi-shim/record/comms.h"
#include "pmpi-shim/record/findings.h"
#include "pmpi-shim/record/requests.h"

#define GUARDS 64 /* guarded at a time; more receives are not guarded */

/* Threads whose faults come after another opened the pages. */
#define LATE 1024

struct guard {
	const struct route_request *r; /* NULL: it has ended */
	uintptr_t from;                /* of the pages, and their end; */
	uintptr_t to;                  /* they stay until the next one's */
	_Atomic bool closed;
	_Atomic unsigned late; /* faults while it is not closed */
};

static struct guard guards[GUARDS];
static uintptr_t page;
static struct sigaction others; /* what is done about other faults */

static struct guard *find(const struct route_request *r)
{
	for (unsigned i = 0; i < GUARDS; i++)
		if (guards[i].r == r)
			return &guards[i];
	return NULL;
}

/* The one that ended first: other threads may be about to fault in the last. */
static struct guard *find_unused(void)
{
	static unsigned last;

	for (unsigned i = 0; i < GUARDS; i++) {
		last = (last + 1) % GUARDS;
		if (!guards[last].r)
			return &guards[last];
	}
	return NULL;
}

/* Whether this call opened them. */
static bool open_pages(struct guard *g)
{
	if (!atomic_load(&g->closed))
		return false;
	mprotect((void *)g->from, g->to - g->from, PROT_READ | PROT_WRITE);
	/* A thread that finds them open has no fault. */
	return atomic_exchange(&g->closed, false);
}

/* The path of the instruction, as if it were a call. */
static uint32_t path_of_fault(const ucontext_t *at)
{
	struct mmds_thread *thread = mmds_thread;

	if (!thread || !thread->paths || !at)
		return 0;
#ifdef __x86_64__
	return callpath_find(thread->paths,
			     (uintptr_t)at->uc_mcontext.gregs[REG_RIP] + 1,
			     (uintptr_t)at->uc_mcontext.gregs[REG_RSP])
		->path;
#else
	(void)at;
	return 0;
#endif
}

static void tell(const struct route_request *r, const ucontext_t *at)
{
	const struct shim_request *made = r ? shim_request_find(r->handle)
					    : NULL;
	const uint64_t now = findings_key_now();

	if (made)
		findings_count(&(struct finding_about){
			.key = (uint64_t)(now == FINDING_NO_CALL
						  ? path_of_fault(at)
						  : mmds_key_path(now))
				       << 32 |
			       mmds_key_call(made->key),
			.comm = made->row,
			.peer = made->peer,
			.tag = made->tag,
			.what = FINDING_TOUCHED,
		});
}

/*
 * A fault is the program's own access, so nothing of ours is interrupted.  A
 * second thread's fault may come when the first has opened the pages.
 */
static bool mend(const void *address, const void *context)
{
	const uintptr_t at = (uintptr_t)address;
	struct guard *was = NULL;

	for (unsigned i = 0; i < GUARDS; i++) {
		struct guard *g = &guards[i];

		if (at < g->from || at >= g->to)
			continue;
		was = g;
		if (!open_pages(g))
			continue;
		tell(g->r, context);
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

	if (info->si_code <= 0 || !mend(info->si_addr, context))
		pass_on(signal, info, context);
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

/* Memory as for a packed one; without it the buffer stays open. */
static void close_pages(struct guard *g, struct route_op *op)
{
	void *const room = take_faults() ? malloc(op->op.bytes) : NULL;

	if (!room)
		return;
	atomic_store(&g->closed, true);
	if (mprotect((void *)g->from, g->to - g->from, PROT_NONE) != 0) {
		atomic_store(&g->closed, false);
		free(room);
		return;
	}
	op->packed = room;
	op->op.buf = room;
}

void route_guard_begin(struct route_request *r)
{
	struct route_op *op = &r->op;
	const uintptr_t at = (uintptr_t)op->buffer.address;
	const uintptr_t from = (at + page - 1) & ~(page - 1);
	const uintptr_t to = (at + op->op.bytes) & ~(page - 1);
	struct guard *g;

	if (!page || op->packed || from >= to || op->op.bytes < page ||
	    route_requests_send(op->op.buf, op->op.bytes))
		return;
	g = find_unused();
	if (!g)
		return;
	*g = (struct guard){ .r = r, .from = from, .to = to };
	close_pages(g, op);
	if (!op->packed)
		g->r = NULL;
}

void route_guard_end(const struct route_request *r)
{
	struct guard *g = page ? find(r) : NULL;

	if (!g)
		return;
	open_pages(g);
	g->r = NULL;
}

void route_guard_open(const void *at, uint64_t bytes, bool tells)
{
	const uintptr_t from = (uintptr_t)at;

	for (unsigned i = 0; i < GUARDS; i++) {
		struct guard *g = &guards[i];

		if (from >= g->to || from + bytes <= g->from)
			continue;
		if (open_pages(g) && tells)
			tell(g->r, NULL);
	}
}

/* A fork has memory of its own, into which no message comes. */
static void fork_open(void)
{
	for (unsigned i = 0; i < GUARDS; i++)
		open_pages(&guards[i]);
}

void route_guard_start(void)
{
	if (pthread_atfork(NULL, NULL, fork_open) == 0)
		page = (uintptr_t)sysconf(_SC_PAGESIZE);
}
