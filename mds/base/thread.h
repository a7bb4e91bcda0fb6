/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_THREAD_H
#define BCS_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

/*
 * Blocks the signals of the calling thread; the former mask goes into `old`.
 * Faults stay: blocked, they would end the process without their handler, which
 * writes the record.
 */
static inline void thread_block_signals(sigset_t *old)
{
	static const int faults[] = { SIGSEGV, SIGBUS,  SIGFPE,
				      SIGILL,  SIGTRAP, SIGSYS };
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_SETMASK, &set, old);
}

/*
 * Starts a thread of ours in the program.  It blocks the program's signals.
 * Returns 0 or -errno.
 */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);
/* Waits for its end. */
void thread_join(pthread_t thread);

/* How many were started and not joined. */
extern _Atomic int thread_n_own;

#endif
