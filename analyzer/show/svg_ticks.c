/* SPDX-License-Identifier: BSD-3-Clause */
#include "analyzer/show/svg_ticks.h"

#include <math.h>
#include <stdio.h>

#include "analyzer/show/svg.h"

#define EVEN_MOST 6 /* steps of an even axis */
#define LOG_MOST  6 /* powers of ten */
#define TWO_MOST  6 /* powers of two */

/* Rounding may put the ends of an axis a little outside. */
#define SLACK 1e-9

static void add(struct svg_ticks *ticks, double value)
{
	if (ticks->n < SVG_TICKS_MOST)
		ticks->at[ticks->n++] = value;
}

/* The least round step of which there are few enough. */
static double step_of(double span)
{
	const double ten = pow(10, floor(log10(span / EVEN_MOST)));

	for (int i = 0; i < 3; i++) {
		const double step = ten * (double[]){ 1, 2, 5 }[i];

		if (span / step <= EVEN_MOST + SLACK)
			return step;
	}
	return 10 * ten;
}

struct svg_ticks svg_ticks_even(double low, double high)
{
	struct svg_ticks ticks = { .n = 0 };
	double step;

	if (!(high > low) || !isfinite(high - low))
		return ticks;
	step = step_of(high - low);
	for (double i = ceil(low / step - SLACK);
	     i * step <= high + step * SLACK; i++)
		add(&ticks, i * step);
	return ticks;
}

static struct svg_ticks powers(double base, double low, double high,
			       double stride)
{
	struct svg_ticks ticks = { .n = 0 };
	const double first = ceil(low / stride - SLACK) * stride;

	for (double power = first; power <= high + SLACK; power += stride)
		add(&ticks, pow(base, power));
	return ticks;
}

/* Less than two powers of ten. */
static struct svg_ticks short_log(double low, double high)
{
	struct svg_ticks ticks = { .n = 0 };

	for (double ten = pow(10, floor(log10(low))); ten <= high; ten *= 10)
		for (int i = 0; i < 3; i++) {
			const double value = ten * (double[]){ 1, 2, 5 }[i];

			if (value >= low * (1 - SLACK) &&
			    value <= high * (1 + SLACK))
				add(&ticks, value);
		}
	return ticks;
}

struct svg_ticks svg_ticks_log(double low, double high)
{
	const double tens = log10(high) - log10(low);
	struct svg_ticks ticks;

	if (!(low > 0) || !isfinite(high))
		return (struct svg_ticks){ .n = 0 };
	if (tens >= 2)
		return powers(10, log10(low), log10(high),
			      ceil(tens / LOG_MOST));
	ticks = short_log(low, high);
	return ticks.n >= 3 ? ticks : svg_ticks_even(low, high);
}

struct svg_ticks svg_ticks_two(double low, double high)
{
	const double twos = log2(high) - log2(low);

	if (!(low > 0) || !isfinite(high))
		return (struct svg_ticks){ .n = 0 };
	return powers(2, log2(low), log2(high), fmax(1, ceil(twos / TWO_MOST)));
}

void svg_ticks_value(double x, double y, const char *anchor, double value)
{
	char text[24];

	/* Rounding may have left a little of 0. */
	snprintf(text, sizeof(text), "%.7g", fabs(value) < 1e-12 ? 0 : value);
	svg_text(x, y, anchor, text);
}

void svg_ticks_size(double x, double y, const char *anchor, double bytes)
{
	static const char units[] = "KMGT";
	char text[24];
	int unit = -1;

	while (units[unit + 1] && bytes >= 1024 && fmod(bytes, 1024) == 0) {
		bytes /= 1024;
		unit++;
	}
	if (unit < 0) {
		svg_ticks_value(x, y, anchor, bytes);
		return;
	}
	snprintf(text, sizeof(text), "%.7g%c", bytes, units[unit]);
	svg_text(x, y, anchor, text);
}
