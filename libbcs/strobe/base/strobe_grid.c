/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>

#include "libbcs/strobe/base/strobe_state.h"
#include "mds/base/clock.h"
#include "mds/base/cpu.h"

uint64_t strobe_begin_of(const struct strobe *strobe, uint64_t slice)
{
	return strobe->options.zero_ns + slice * strobe->options.slice_ns;
}

uint64_t strobe_slice_now(const struct strobe *strobe)
{
	return (clock_monotonic_ns() - strobe->options.zero_ns) /
	       strobe->options.slice_ns;
}

/* It computes, or a slice whose work is done ends its wait. */
static bool wants_core(const struct strobe *strobe, uint32_t i, uint64_t slice)
{
	const struct strobe_slot *slot = strobe_slot(strobe, i);
	bool wants = !atomic_load(&slot->blocked);

	for (unsigned at = 0; at < 2; at++)
		wants |= (uint32_t)(atomic_load(&slot->ends[at]) >> 32) + 1 ==
			 (uint32_t)slice;
	return wants;
}

/*
 * A leader that spins before the slice would take the core of a process that
 * wakes for it.  The kernel then puts that process behind another one that
 * computes, for the rest of its turn.
 */
static bool core_is_free(const struct strobe *strobe, uint64_t slice)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < strobe->n; i++)
		n += wants_core(strobe, i, slice);
	return n < strobe->options.cores;
}

void strobe_sleep_until(const struct strobe *strobe, uint64_t slice)
{
	const uint64_t begin = strobe_begin_of(strobe, slice);
	const uint64_t wake = begin - (core_is_free(strobe, slice)
					       ? STROBE_LEAD_NS
					       : 0);
	const struct timespec at = { .tv_sec = (time_t)(wake / 1000000000),
				     .tv_nsec = (long)(wake % 1000000000) };
	uint64_t now = clock_monotonic_ns();

	for (; now < begin; now = clock_monotonic_ns())
		if (now < wake)
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at,
					NULL);
		else
			cpu_pause();
}
