/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>

#include "libbcs/strobe/strobe_state.h"
#include "mds/clock.h"

static uint64_t begin_of(const struct strobe *strobe, uint64_t slice)
{
	return strobe->options.zero_ns + slice * strobe->options.slice_ns;
}

uint64_t strobe_slice_now(const struct strobe *strobe)
{
	return (clock_monotonic_ns() - strobe->options.zero_ns) /
	       strobe->options.slice_ns;
}

uint64_t strobe_sleep_until(const struct strobe *strobe, uint64_t slice)
{
	const uint64_t begin = begin_of(strobe, slice);
	const struct timespec at = { .tv_sec = (time_t)(begin / 1000000000),
				     .tv_nsec = (long)(begin % 1000000000) };
	uint64_t now = clock_monotonic_ns();

	while (now < begin) {
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		now = clock_monotonic_ns();
	}
	return now - begin;
}
