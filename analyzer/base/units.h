/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_UNITS_H
#define BCS_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* How a number is shown: so many of `per`, with so many decimals. */
struct unit {
	const char *name;
	double per;
	int decimals;
};

/*
 * The unit for a column of numbers: the typical one is not less than 1 in it,
 * unless the greatest would then need more than six digits before the point.
 */
struct unit units_time(uint64_t typical, uint64_t max);  /* of nanoseconds */
struct unit units_bytes(uint64_t typical, uint64_t max); /* of bytes */

/*
 * A number by itself, such as "1.234 s" or "17.5 KiB", with about four digits.
 * The text is in one of a few buffers that take turns.
 */
const char *units_time_text(uint64_t ns);
const char *units_bytes_text(uint64_t bytes);

#endif
