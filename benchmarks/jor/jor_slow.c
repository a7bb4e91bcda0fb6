/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes a link or a site slow, to stand for a distant one. */
#include "jor_slow.h"

#include <sched.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double slow_now(void)
{
	return seconds(CLOCK_MONOTONIC);
}

double slow_busy(void)
{
	return seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* A sleep would be some 60 us late, more than most of what is waited for. */
static void wait_until(double then)
{
	while (slow_now() < then)
		sched_yield();
}

void slow_hold(const struct slow *slow, double sent, int bytes)
{
	double then = sent + slow->delay;

	if (slow->bandwidth > 0)
		then += bytes / slow->bandwidth;
	if (then > sent)
		wait_until(then);
}

void slow_idle(const struct slow *slow, double busy, double *debt)
{
	const double begin = slow_now();

	*debt += busy * (1 / slow->duty - 1);
	wait_until(begin + *debt);
	*debt -= slow_now() - begin;
}

void slow_pin(int half)
{
	cpu_set_t all;
	cpu_set_t mine;
	int seen = 0;

	if (sched_getaffinity(0, sizeof(all), &all) != 0)
		return;
	CPU_ZERO(&mine);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all) && 2 * seen++ / CPU_COUNT(&all) == half)
			CPU_SET(i, &mine);
	if (CPU_COUNT(&mine) > 0)
		sched_setaffinity(0, sizeof(mine), &mine);
}
