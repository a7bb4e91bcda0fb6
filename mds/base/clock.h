/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CLOCK_H
#define BCS_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "mds/base/cpu.h"

/*
 * Time in ticks: of the processor's counter if it runs evenly (the TSC takes
 * 9 ns to read), else of CLOCK_MONOTONIC (26 ns).  Ticks are for differences
 * on one machine.
 */
struct clock {
	bool counter;
	/* Written by a calibration while other threads read them. */
	_Atomic uint64_t ns_per_tick_32; /* in units of 2^-32 */
	_Atomic double ns_per_tick;
	uint64_t reading; /* ticks that a reading takes */
};

/* For products of two tick counts. */
__extension__ typedef unsigned __int128 clock_wide;

extern struct clock clock_self;

static inline uint64_t clock_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_ticks(void)
{
	if (__builtin_expect(clock_self.counter, 1))
		return cpu_counter();
	return clock_monotonic_ns();
}

static inline uint64_t clock_to_ns(uint64_t ticks)
{
	return (uint64_t)((clock_wide)ticks *
				  atomic_load_explicit(
					  &clock_self.ns_per_tick_32,
					  memory_order_relaxed) >>
			  32);
}

static inline uint64_t clock_of_ns(uint64_t ns)
{
	return (uint64_t)((double)ns /
			  atomic_load_explicit(&clock_self.ns_per_tick,
					       memory_order_relaxed));
}

/* For less than 2^63 ticks. */
static inline double clock_to_real_ns(uint64_t ticks)
{
	return (double)(int64_t)ticks *
	       atomic_load_explicit(&clock_self.ns_per_tick,
				    memory_order_relaxed);
}

/* Chooses the clock.  Call it once, before any tick is read. */
void clock_start(void);

/*
 * Measures the length of a tick over the time since clock_start; the longer
 * that is, the better.  May be called from a signal handler.
 */
void clock_calibrate(void);

/* Reads both clocks at one moment, to within about ten nanoseconds. */
void clock_pair(uint64_t *ticks, uint64_t *ns);

/* The name of the clock in records. */
static inline const char *clock_name(void)
{
	return clock_self.counter ? CPU_COUNTER : "monotonic";
}

/* Ticks per second, as last measured. */
uint64_t clock_hz(void);

#endif
