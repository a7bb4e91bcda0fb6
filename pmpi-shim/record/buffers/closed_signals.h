/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_CLOSED_SIGNALS_H
#define SHIM_CLOSED_SIGNALS_H

/*
 * The handlers by which closed pages open (closed.h), in place of those of the
 * program.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The calling thread, and all handlers of signals, can be interrupted by ours:
 * they block none of their signals and have room on their stack.  `blocked` is
 * the thread's mask, as the kernel has it.
 */
bool closed_signals_come(uint64_t blocked);

/*
 * `handler` gets the signal, and blocks none: a signal that is blocked in one
 * thread may go to another.  What would be done without it goes to `others`,
 * unless it is there already.  On x86-64 the handler returns to `end`.
 */
bool closed_signals_take(int signal, void (*handler)(int, siginfo_t *, void *),
			 uintptr_t end, struct sigaction *others);

/* Does that.  The handler's mask is as if it were called by the kernel. */
void closed_signals_pass(struct sigaction *others, int signal, siginfo_t *info,
			 void *context);

#endif
