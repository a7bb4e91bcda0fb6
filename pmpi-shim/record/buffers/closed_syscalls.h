/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_CLOSED_SYSCALLS_H
#define SHIM_CLOSED_SYSCALLS_H

/*
 * System calls fail where they reach into closed pages (closed.h).  So a
 * system call of the program opens all of them first.  Linux hands the calls
 * of a thread to us ("syscall user dispatch"), since version 5.11, on x86-64.
 */
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define CLOSED_ARGS 6

/* System calls go to the kernel and no signal comes, until the second one. */
struct closed_held {
	uint64_t mask;
	char before;
};
void closed_syscalls_hold(struct closed_held *held);
void closed_syscalls_release(const struct closed_held *held);

/*
 * From `held`'s end the system calls of the calling thread open what is closed.
 * False if that cannot be had.  `open` gets the arguments of the call that
 * opens; `is_met` tells whether closed pages are among some bytes.
 */
bool closed_syscalls_catch(void (*open)(const long args[CLOSED_ARGS],
					const ucontext_t *at),
			   bool (*is_met)(const void *at, uint64_t bytes),
			   struct closed_held *held);

/* Where our handlers return to, on x86-64; that is never caught. */
uintptr_t closed_syscalls_return(void);

#endif
