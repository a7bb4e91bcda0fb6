/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Numbers as people read them: a unit for a whole column, and single values
 * with their unit.
 */
#include <stdio.h>

#include "analyzer/base/units.h"

#define A_FEW   1e3
#define MANY    1e6
#define BUFFERS 8
#define LENGTH  32

/* From the smallest up.  The last unit has no upper limit. */
static const struct unit times[] = {
	{ "ns", 1, 0 },
	{ "us", 1e3, 3 },
	{ "ms", 1e6, 3 },
	{ "s", 1e9, 3 },
};
static const struct unit sizes[] = {
	{ "B", 1, 0 },
	{ "KiB", 1024.0, 1 },
	{ "MiB", 1048576.0, 1 },
	{ "GiB", 1073741824.0, 1 },
	{ "TiB", 1099511627776.0, 1 },
};
#define N_TIMES (sizeof(times) / sizeof(times[0]))
#define N_SIZES (sizeof(sizes) / sizeof(sizes[0]))

/* The first unit in which the value is below `below`, also after rounding. */
static const struct unit *fitting(const struct unit *units, size_t n,
				  uint64_t value, double below)
{
	size_t i = 0;

	while (i + 1 < n && (double)value / units[i].per >= below - 0.05)
		i++;
	return &units[i];
}

/* Number of decimals that gives about seven digits. */
static int decimals_of(const struct unit *unit, uint64_t max)
{
	double most = (double)max / unit->per;
	int decimals = unit->decimals;

	for (; most >= 1e4 && decimals > 0; most /= 10)
		decimals--;
	return decimals;
}

static struct unit unit_of(const struct unit *units, size_t n, uint64_t typical,
			   uint64_t max)
{
	const struct unit *small = fitting(units, n, max, MANY);
	const struct unit *usual = fitting(units, n, typical, units[1].per);
	struct unit unit = usual > small ? *usual : *small;

	unit.decimals = decimals_of(&unit, max);
	return unit;
}

struct unit units_time(uint64_t typical, uint64_t max)
{
	return unit_of(times, N_TIMES, typical, max);
}

struct unit units_bytes(uint64_t typical, uint64_t max)
{
	return unit_of(sizes, N_SIZES, typical, max);
}

static const char *text_of(uint64_t value, const struct unit *unit)
{
	static char buffers[BUFFERS][LENGTH];
	static unsigned turn;
	char *buffer = buffers[turn++ % BUFFERS];

	snprintf(buffer, LENGTH, "%.*f %s", unit->decimals,
		 (double)value / unit->per, unit->name);
	return buffer;
}

const char *units_time_text(uint64_t ns)
{
	return text_of(ns, fitting(times, N_TIMES, ns, A_FEW));
}

const char *units_bytes_text(uint64_t bytes)
{
	return text_of(bytes, fitting(sizes, N_SIZES, bytes, A_FEW));
}
