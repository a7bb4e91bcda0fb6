/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SVG_TICKS_H
#define BCS_SVG_TICKS_H

/* Round values beside the axes of pictures. */

#define SVG_TICKS_MOST 16

struct svg_ticks {
	double at[SVG_TICKS_MOST]; /* ascending, within the axis */
	unsigned n;
};

/* Multiples of 1, 2 or 5 times a power of ten. */
struct svg_ticks svg_ticks_even(double low, double high);
/* Powers of ten for a logarithmic axis, 0 < low; on short ones others, too. */
struct svg_ticks svg_ticks_log(double low, double high);
/* Powers of two for a logarithmic axis of sizes or processes. */
struct svg_ticks svg_ticks_two(double low, double high);

/* Writes a value, or a size as people give it: 64K. */
void svg_ticks_value(double x, double y, const char *anchor, double value);
void svg_ticks_size(double x, double y, const char *anchor, double bytes);

#endif
