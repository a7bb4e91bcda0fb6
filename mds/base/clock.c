/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A tick's length is measured between two pairs of readings, counter and
 * monotonic clock, one at the start and one now.  Each pair is the tightest of
 * several, so that an interrupt between its two readings does not count.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/clock.h"

#define TRIES    8
#define READINGS 64

struct clock_pair {
	uint64_t ticks;
	uint64_t ns;
};

struct clock clock_self = { .ns_per_tick_32 = (uint64_t)1 << 32,
			    .ns_per_tick = 1 };

static struct clock_pair first;

static struct clock_pair pair_read(void)
{
	struct clock_pair best = { 0 };
	uint64_t gap = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t before = clock_ticks();
		const uint64_t ns = clock_monotonic_ns();
		const uint64_t after = clock_ticks();

		if (after - before >= gap)
			continue;
		gap = after - before;
		best.ticks = before + gap / 2;
		best.ns = ns;
	}
	return best;
}

/* The kernel watches the counter, and uses another clock if it misbehaves. */
static bool counter_is_trusted(void)
{
	static const char *const by_kernel[] = CPU_COUNTER_KERNEL;
	char name[32] = "";
	ssize_t n;
	int fd;

	fd = open("/sys/devices/system/clocksource/clocksource0/"
		  "current_clocksource",
		  O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, name, sizeof(name) - 1);
	close(fd);
	if (n <= 0)
		return false;
	name[strcspn(name, "\n")] = '\0';
	for (size_t i = 0; i < sizeof(by_kernel) / sizeof(*by_kernel); i++)
		if (strcmp(name, by_kernel[i]) == 0)
			return true;
	return false;
}

static uint64_t reading_measure(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		const uint64_t before = clock_ticks();
		const uint64_t ticks = clock_ticks() - before;

		if (ticks < least)
			least = ticks;
	}
	return least;
}

void clock_start(void)
{
	clock_self.counter = cpu_counter_even() && counter_is_trusted();
	clock_self.reading = reading_measure();
	first = pair_read();
}

void clock_calibrate(void)
{
	const struct clock_pair now = pair_read();
	uint64_t length;

	if (!clock_self.counter || now.ticks <= first.ticks)
		return;
	length = (uint64_t)(((clock_wide)(now.ns - first.ns) << 32) /
			    (now.ticks - first.ticks));
	atomic_store_explicit(&clock_self.ns_per_tick_32, length,
			      memory_order_relaxed);
	atomic_store_explicit(&clock_self.ns_per_tick, (double)length / 0x1p32,
			      memory_order_relaxed);
}

void clock_pair(uint64_t *ticks, uint64_t *ns)
{
	const struct clock_pair pair = pair_read();

	*ticks = pair.ticks;
	*ns = pair.ns;
}

uint64_t clock_hz(void)
{
	return (uint64_t)(((clock_wide)1000000000 << 32) /
			  clock_self.ns_per_tick_32);
}
