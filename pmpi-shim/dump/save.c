/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "mds/thread.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/dump/save.h"
#include "pmpi-shim/job/process.h"

#define FIRST_S 1

static pthread_t thread;
static bool started;
static sem_t stop;

/*
 * A batch system ends a job within its first minute, too; later little is lost
 * between two saves, beside what the run has taken.
 */
static void *run(void *unused)
{
	const int most = process.settings.save_s;
	struct timespec next;
	int seconds = FIRST_S;

	clock_gettime(CLOCK_MONOTONIC, &next);
	next.tv_sec += seconds;
	while (sem_clockwait(&stop, CLOCK_MONOTONIC, &next) != 0) {
		if (errno != ETIMEDOUT)
			continue;
		dump_save();
		seconds = 2 * seconds < most ? 2 * seconds : most;
		next.tv_sec += seconds;
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
	thread_join(thread);
	started = false;
}
