/* SPDX-License-Identifier: BSD-3-Clause */

/* Where a fault or a caught call meets a mask with its signal, Linux kills. */
#include "pmpi-shim/record/buffers/closed_signals.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_LEAST  65536 /* for two handlers, and ours */
#define KERNEL_BYTES 8     /* of a mask */
#define RESTORER     0x04000000

static bool blocks_ours(const sigset_t *mask)
{
	return sigismember(mask, SIGSEGV) || sigismember(mask, SIGSYS);
}

/* Faults end the program, or are ours to handle. */
static bool is_fault(int signal)
{
	return signal == SIGSEGV || signal == SIGSYS || signal == SIGBUS ||
	       signal == SIGILL || signal == SIGFPE || signal == SIGABRT;
}

static bool is_handled(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static bool stack_is_small(void)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) != 0 ||
	       (!(stack.ss_flags & SS_DISABLE) && stack.ss_size < STACK_LEAST);
}

/* The kernel's mask has a bit for each signal, from 1 on. */
static bool has(uint64_t mask, int signal)
{
	return mask >> (signal - 1) & 1;
}

bool closed_signals_come(uint64_t blocked)
{
	const bool small = stack_is_small();
	struct sigaction action;

	if (has(blocked, SIGSEGV) || has(blocked, SIGSYS))
		return false;
	for (int i = 1; i < _NSIG; i++)
		if (!is_fault(i) && sigaction(i, NULL, &action) == 0 &&
		    is_handled(&action) &&
		    (blocks_ours(&action.sa_mask) ||
		     (small && action.sa_flags & SA_ONSTACK)))
			return false;
	return true;
}

static bool is_taken(int signal, void (*handler)(int, siginfo_t *, void *),
		     struct sigaction *now)
{
	return sigaction(signal, NULL, now) == 0 &&
	       now->sa_flags & SA_SIGINFO && now->sa_sigaction == handler;
}

#ifdef __x86_64__

/* As the kernel has it. */
struct kernel_action {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

/* The C library's has an end of its own, which would be caught. */
static bool set_handler(int signal, void (*handler)(int, siginfo_t *, void *),
			uintptr_t end)
{
	const struct kernel_action action = {
		.handler = handler,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | RESTORER,
		.restorer = end,
	};

	return syscall(SYS_rt_sigaction, signal, &action, NULL,
		       sizeof(action.mask)) == 0;
}

#else

static bool set_handler(int signal, void (*handler)(int, siginfo_t *, void *),
			uintptr_t end)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK |
						SA_NODEFER };

	(void)end;
	action.sa_sigaction = handler;
	sigemptyset(&action.sa_mask);
	return sigaction(signal, &action, NULL) == 0;
}

#endif

bool closed_signals_take(int signal, void (*handler)(int, siginfo_t *, void *),
			 uintptr_t end, struct sigaction *others)
{
	struct sigaction now;

	if (is_taken(signal, handler, &now))
		return true;
	*others = now;
	return set_handler(signal, handler, end);
}

/* The kernel has words of 8 bytes in the context, and the C library more. */
static void set_mask(const struct sigaction *then, int signal,
		     const ucontext_t *at)
{
	sigset_t mask = then->sa_mask;
	uint64_t *word = (uint64_t *)&mask;
	uint64_t interrupted;

	memcpy(&interrupted, &at->uc_sigmask, KERNEL_BYTES);
	*word |= interrupted;
	if (!(then->sa_flags & SA_NODEFER))
		sigaddset(&mask, signal);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void handle(const struct sigaction *then, int signal, siginfo_t *info,
		   void *context)
{
	if (then->sa_flags & SA_SIGINFO)
		then->sa_sigaction(signal, info, context);
	else
		then->sa_handler(signal);
}

void closed_signals_pass(struct sigaction *others, int signal, siginfo_t *info,
			 void *context)
{
	const struct sigaction then = *others;

	if (is_handled(&then)) {
		if (then.sa_flags & (int)SA_RESETHAND)
			others->sa_handler = SIG_DFL;
		set_mask(&then, signal, context);
		handle(&then, signal, info, context);
	} else if (then.sa_handler == SIG_DFL || info->si_code > 0) {
		sigaction(signal, &then, NULL);
		/* A fault comes again when the handler returns. */
		if (info->si_code <= 0 || signal == SIGSYS)
			raise(signal);
	}
}
