/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <stddef.h>

#include "tests/unit/polite_ucp.h"

#define EXPORT __attribute__((visibility("default")))

unsigned ucp_worker_progress(void *worker);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

EXPORT unsigned polite_mpich_turn(void (*inside)(void))
{
	unsigned done;

	pthread_mutex_lock(&lock);
	done = ucp_worker_progress(NULL);
	if (inside)
		inside();
	pthread_mutex_unlock(&lock);
	return done;
}
