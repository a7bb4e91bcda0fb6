/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "mds/thread.h"
#include "pmpi-shim/dump.h"
#include "pmpi-shim/process.h"
#include "pmpi-shim/save.h"

static pthread_t thread;
static bool started;
static sem_t stop;

static void *run(void *unused)
{
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	next.tv_sec += process.settings.save_s;
	while (sem_clockwait(&stop, CLOCK_MONOTONIC, &next) != 0) {
		if (errno != ETIMEDOUT)
			continue;
		dump_save();
		next.tv_sec += process.settings.save_s;
	}
	return unused;
}

void save_start(void)
{
	if (!dump_is_wanted() || !process.settings.save_s)
		return;
	sem_init(&stop, 0, 0);
	started = thread_start(&thread, run, NULL) == 0;
}

void save_stop(void)
{
	if (!started)
		return;
	sem_post(&stop);
	pthread_join(thread, NULL);
	started = false;
}
