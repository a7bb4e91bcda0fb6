/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_UNITS_H
#define BCS_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* A unit: divide by `per`, show `decimals` decimals. */
struct unit {
	const char *name;
	double per;
	int decimals;
};

/*
 * Chooses the unit for a column of numbers.  The typical number is at least 1
 * in it, unless the largest would need more than six digits before the point.
 */
struct unit units_time(uint64_t typical, uint64_t max);  /* for nanoseconds */
struct unit units_bytes(uint64_t typical, uint64_t max); /* for bytes */

/*
 * A single number with its unit, such as "1.234 s" or "17.5 KiB", with about
 * four digits.  The text is in one of a few buffers, used in turn.
 */
const char *units_time_text(uint64_t ns);
const char *units_bytes_text(uint64_t bytes);

#endif
