/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The thread that looks at the others while the program runs, and saves the
 * record.
 */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

#include "mds/base/thread.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/dump/save.h"
#include "pmpi-shim/dump/watch.h"
#include "pmpi-shim/job/process.h"

#define FIRST_S   1
#define SECOND_MS 1000

static pthread_t thread;
static bool started;
static sem_t stop;

static int least(int a, int b)
{
	return a < b ? a : b;
}

static void add_ms(struct timespec *to, int ms)
{
	to->tv_sec += ms / SECOND_MS;
	to->tv_nsec += ms % SECOND_MS * 1000000L;
	if (to->tv_nsec < 1000000000)
		return;
	to->tv_sec++;
	to->tv_nsec -= 1000000000;
}

/*
 * Saves if it is time, and returns how long it is to the next time.  A batch
 * system ends a job within its first minute, too; later little is lost between
 * two saves, beside what the run has taken.
 */
static int save_after(int ms)
{
	static int seconds = FIRST_S;
	static int left = FIRST_S * SECOND_MS;

	if (!process.settings.save_s)
		return INT_MAX;
	left -= ms;
	if (left <= 0) {
		dump_save();
		seconds = least(2 * seconds, process.settings.save_s);
		left = seconds * SECOND_MS;
	}
	return left;
}

static void *run(void *unused)
{
	const int look = watch_is_on() ? WATCH_MS : INT_MAX;
	struct timespec next;
	int ms = least(look, save_after(0));

	clock_gettime(CLOCK_MONOTONIC, &next);
	add_ms(&next, ms);
	while (sem_clockwait(&stop, CLOCK_MONOTONIC, &next) != 0) {
		if (errno != ETIMEDOUT)
			continue;
		watch_look();
		ms = least(look, save_after(ms));
		add_ms(&next, ms);
	}
	return unused;
}

void save_start(void)
{
	if (!dump_is_wanted() || (!process.settings.save_s && !watch_is_on()))
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
