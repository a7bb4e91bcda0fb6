/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_THREAD_H
#define BCS_THREAD_H

#include <pthread.h>
#include <signal.h>

/* All of the calling thread; what was before goes into `old`. */
static inline void thread_block_signals(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, old);
}

/*
 * A thread of our own within a program: the program's signals are not for it.
 * Returns 0 or -errno.
 */
static inline int thread_start(pthread_t *thread, void *(*run)(void *arg),
			       void *arg)
{
	sigset_t old;
	int rc;

	thread_block_signals(&old);
	rc = -pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

#endif
