/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws simulated times as SVG: by label, or by the number of processes. */
#include <math.h>
#include <stdio.h>

#include "analyzer/base/units.h"
#include "analyzer/model/simulate.h"
#include "analyzer/show/svg.h"
#include "analyzer/show/svg_ticks.h"

#define WIDTH  860.0
#define LEFT   110.0
#define RIGHT  30.0
#define TOP    40.0
#define HEIGHT 360.0
#define FOOT   50.0
#define BAR    26.0
#define LABEL  40.0 /* between numbers of processes */

static const char *time_text(double seconds)
{
	return units_time_text((uint64_t)(fmin(seconds, 1e10) * 1e9));
}

static void bar(double from, double to, double y, double scale,
		const char *color)
{
	printf("<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" "
	       "fill=\"%s\"/>\n",
	       LEFT + from * scale, y, (to - from) * scale, BAR - 8, color);
}

void simulate_svg_labels(const struct sim_run_result *result)
{
	const double room = WIDTH - LEFT - RIGHT - 80;
	const double scale = result->seconds > 0 ? room / result->seconds : 0;
	const struct sim_run_label *label = result->labels;
	double y = TOP;

	svg_begin(WIDTH, TOP + BAR * result->n_labels + FOOT);
	svg_text(LEFT, TOP - 16, "start",
		 "computing (dark), and the rest of the time (light)");
	for (uint32_t i = 0; i < result->n_labels; i++, label++, y += BAR) {
		svg_text(LEFT - 6, y + 13, "end", label->name);
		bar(0, label->computing, y, scale, "#368");
		bar(label->computing, label->seconds, y, scale, "#9bc");
		svg_text(LEFT + label->seconds * scale + 6, y + 13, "start",
			 time_text(label->seconds));
	}
	svg_end();
}

/* Logarithmic both ways. */
struct scale {
	double low;
	double high;
};

static double part(const struct scale *scale, double value)
{
	if (!(scale->high > scale->low))
		return .5;
	return log(value / scale->low) / log(scale->high / scale->low);
}

static double x_of(const struct scale *scale, double value)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * part(scale, value);
}

static double y_of(const struct scale *scale, double value)
{
	return TOP + HEIGHT * (1 - part(scale, value));
}

static void take(struct scale *scale, double value)
{
	if (!(value > 0) || !isfinite(value))
		return;
	scale->low = fmin(scale->low, value);
	scale->high = fmax(scale->high, value);
}

static void line(const struct simulate_size *sizes, unsigned n,
		 const struct scale *x, const struct scale *y, bool expected,
		 const char *color)
{
	char command = 'M';
	double value;

	printf("<path fill=\"none\" stroke=\"%s\" d=\"", color);
	for (unsigned i = 0; i < n; i++) {
		value = expected ? sizes[i].expected : sizes[i].result.seconds;
		if (!(value > 0) || !isfinite(value))
			continue;
		printf("%c%.1f %.1f", command, x_of(x, sizes[i].count),
		       y_of(y, value));
		command = 'L';
	}
	printf("\"/>\n");
}

static void axis_across(const struct simulate_size *sizes, unsigned n,
			const struct scale *x, const char *label)
{
	double free_from = 0;
	char words[24];

	svg_corner(LEFT, TOP, TOP + HEIGHT, WIDTH - RIGHT);
	for (unsigned i = 0; i < n; i++) {
		snprintf(words, sizeof(words), "%u", sizes[i].count);
		if (x_of(x, sizes[i].count) < free_from)
			continue;
		free_from = x_of(x, sizes[i].count) + LABEL;
		svg_text(x_of(x, sizes[i].count), TOP + HEIGHT + 18, "middle",
			 words);
	}
	svg_text((LEFT + WIDTH - RIGHT) / 2, TOP + HEIGHT + 36, "middle",
		 label);
}

static void axis_up(const struct scale *y)
{
	const struct svg_ticks ticks = svg_ticks_log(y->low, y->high);

	for (unsigned i = 0; i < ticks.n; i++) {
		const double at = y_of(y, ticks.at[i]);

		svg_rule(LEFT, at, WIDTH - RIGHT);
		svg_text(LEFT - 6, at + 4, "end", time_text(ticks.at[i]));
	}
	if (ticks.n == 0)
		svg_text(LEFT - 6, y_of(y, y->low) + 4, "end",
			 time_text(y->low));
}

void simulate_svg_sizes(const struct simulate_size *sizes, unsigned n,
			const char *label)
{
	struct scale x = { INFINITY, 0 };
	struct scale y = { INFINITY, 0 };

	for (unsigned i = 0; i < n; i++) {
		take(&x, sizes[i].count);
		take(&y, sizes[i].result.seconds);
		take(&y, sizes[i].expected);
	}
	svg_begin(WIDTH, TOP + HEIGHT + FOOT);
	if (y.high > 0) {
		axis_up(&y);
		axis_across(sizes, n, &x, label);
		line(sizes, n, &x, &y, true, "#c60");
		line(sizes, n, &x, &y, false, "#036");
	}
	svg_text(LEFT, TOP - 24, "start",
		 "time (blue), and on the mean with failures (orange)");
	svg_end();
}
