/* SPDX-License-Identifier: BSD-3-Clause */
#include "mds/base/thread.h"

_Atomic int thread_n_own;

int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t old;
	int rc;

	thread_block_signals(&old);
	rc = -pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc == 0)
		atomic_fetch_add(&thread_n_own, 1);
	return rc;
}

void thread_join(pthread_t thread)
{
	pthread_join(thread, NULL);
	atomic_fetch_sub(&thread_n_own, 1);
}
