/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Plots the best fit of an operation against its measurements, as text or SVG.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/model/model_plot.h"
#include "analyzer/show/svg.h"
#include "analyzer/show/svg_ticks.h"

#define ROWS   16
#define PANEL  430.0
#define HEIGHT 270.0
#define LEFT   70.0
#define TOP    36.0
#define RIGHT  20.0
#define FOOT   40.0
#define ACROSS 2

/* The name of the horizontal axis, whose values points_size() gives. */
static const char *across_name(enum formula_operation operation)
{
	const unsigned given = formulas[operation].given;

	return given & FORMULA_BYTES     ? "bytes"
	       : given & FORMULA_THREADS ? "threads"
					 : "processes";
}

/* 0 has no logarithm, and stands a step below 1. */
static double place(double x)
{
	return log2(x < .5 ? .5 : x);
}

static double predicted(const struct fits *fits, const struct point *point)
{
	struct formula_value value = { 0 };

	if (formula_eval(&fits->fits[fits->best].system, fits->operation,
			 &point->input, &value, NULL) != 0)
		return NAN;
	return value.value;
}

/* The area between the axes, in logarithms. */
struct frame {
	double left;
	double right;
	double low;
	double high;
};

static void take_in(struct frame *frame, double value)
{
	if (!(value > 0))
		return;
	frame->low = fmin(frame->low, log2(value));
	frame->high = fmax(frame->high, log2(value));
}

static struct frame frame_of(const struct fits *fits)
{
	struct frame frame = { INFINITY, -INFINITY, INFINITY, -INFINITY };

	for (size_t i = 0; i < fits->n; i++) {
		const double x = place(points_size(&fits->points[i]));

		frame.left = fmin(frame.left, x);
		frame.right = fmax(frame.right, x);
		take_in(&frame, fits->points[i].value);
		take_in(&frame, predicted(fits, &fits->points[i]));
	}
	if (!(frame.right > frame.left))
		frame.right = frame.left + 1;
	if (!(frame.high > frame.low))
		frame.high = frame.low + 1;
	return frame;
}

static double part(double low, double high, double value)
{
	return fmin(1, fmax(0, (value - low) / (high - low)));
}

static double part_up(const struct frame *frame, double value)
{
	return part(frame->low, frame->high,
		    value > 0 ? log2(value) : frame->low);
}

static void mark(char *cells, unsigned columns, const struct frame *frame,
		 double x, double value, char with)
{
	const double column = part(frame->left, frame->right, place(x));
	const size_t row = (size_t)(part_up(frame, value) * (ROWS - 1) + .5);
	char *cell =
		&cells[row * columns + (size_t)(column * (columns - 1) + .5)];

	*cell = *cell == ' ' || *cell == with ? with : '*';
}

static void fill(const struct fits *fits, const struct frame *frame,
		 char *cells, unsigned columns)
{
	memset(cells, ' ', (size_t)ROWS * columns);
	for (size_t i = 0; i < fits->n; i++) {
		const struct point *point = &fits->points[i];
		const double value = predicted(fits, point);

		mark(cells, columns, frame, points_size(point), point->value,
		     'o');
		if (isfinite(value))
			mark(cells, columns, frame, points_size(point), value,
			     '-');
	}
}

static void text_axis(const struct fits *fits, const struct frame *frame,
		      unsigned columns)
{
	char left[24];
	char right[24];

	snprintf(left, sizeof(left), "%.6g",
		 frame->left < 0 ? 0 : exp2(frame->left));
	snprintf(right, sizeof(right), "%.6g", exp2(frame->right));
	printf("  %10s +", "");
	for (unsigned c = 0; c < columns; c++)
		putchar('-');
	printf("\n  %10s  %s%*s\n", "", left, (int)columns - (int)strlen(left),
	       right);
	printf("  %10s  %s, by logarithms; o: measured, -: %s, *: both\n\n", "",
	       across_name(fits->operation), fit_names[fits->best]);
}

static void plot_one(const struct fits *fits, unsigned columns)
{
	const struct frame frame = frame_of(fits);
	char *cells = mem_alloc((size_t)ROWS * columns, 1);

	fill(fits, &frame, cells, columns);
	printf("%s (%s)\n", formulas[fits->operation].name,
	       formulas[fits->operation].unit);
	for (int row = ROWS - 1; row >= 0; row--) {
		if (row == ROWS - 1 || row == 0)
			printf("  %10.4g |",
			       exp2(row ? frame.high : frame.low));
		else
			printf("  %10s |", "");
		printf("%.*s\n", (int)columns, cells + (size_t)row * columns);
	}
	text_axis(fits, &frame, columns);
	free(cells);
}

void model_plot_text(const struct fits *fits, size_t n, unsigned width)
{
	const unsigned columns = width > 34 ? width - 15 : 20;

	for (size_t i = 0; i < n; i++)
		plot_one(&fits[i], columns);
}

/* A panel of the picture. */
struct panel {
	const struct fits *fits;
	struct frame frame;
	double x;
	double y;
};

static double at_x(const struct panel *panel, double x)
{
	return panel->x + LEFT +
	       (PANEL - LEFT - RIGHT) *
		       part(panel->frame.left, panel->frame.right, place(x));
}

static double at_y(const struct panel *panel, double value)
{
	return panel->y + HEIGHT - FOOT -
	       (HEIGHT - TOP - FOOT) * part_up(&panel->frame, value);
}

static void panel_up(const struct panel *panel)
{
	const struct svg_ticks ticks = svg_ticks_log(exp2(panel->frame.low),
						     exp2(panel->frame.high));

	for (unsigned i = 0; i < ticks.n; i++) {
		const double y = at_y(panel, ticks.at[i]);

		svg_rule(panel->x + LEFT, y, panel->x + PANEL - RIGHT);
		svg_ticks_value(panel->x + LEFT - 6, y + 4, "end", ticks.at[i]);
	}
}

/* 0 stands at the left, if it was measured. */
static void panel_across(const struct panel *panel, double foot)
{
	const struct frame *f = &panel->frame;
	const struct svg_ticks ticks = svg_ticks_two(exp2(fmax(f->left, 0)),
						     exp2(f->right));

	if (f->left < 0)
		svg_text(panel->x + LEFT, foot + 16, "middle", "0");
	for (unsigned i = 0; i < ticks.n; i++)
		svg_ticks_size(at_x(panel, ticks.at[i]), foot + 16, "middle",
			       ticks.at[i]);
	svg_text(panel->x + (LEFT + PANEL - RIGHT) / 2, foot + 32, "middle",
		 across_name(panel->fits->operation));
}

static void panel_axes(const struct panel *panel)
{
	const double foot = panel->y + HEIGHT - FOOT;
	char title[128];

	panel_up(panel);
	panel_across(panel, foot);
	svg_corner(panel->x + LEFT, panel->y + TOP, foot,
		   panel->x + PANEL - RIGHT);
	snprintf(title, sizeof(title),
		 "%s (%s): measured (blue), its %s fit (orange)",
		 formulas[panel->fits->operation].name,
		 formulas[panel->fits->operation].unit,
		 fit_names[panel->fits->best]);
	svg_text(panel->x + LEFT, panel->y + TOP - 12, "start", title);
}

/* A stroke for each number of processes: sizes ascend within one. */
static void panel_fit(const struct panel *panel)
{
	const struct fits *fits = panel->fits;
	double before = INFINITY;

	printf("<path fill=\"none\" stroke=\"#c40\" d=\"");
	for (size_t i = 0; i < fits->n; i++) {
		const double x = points_size(&fits->points[i]);
		const double value = predicted(fits, &fits->points[i]);

		if (!isfinite(value))
			continue;
		printf("%c%.1f %.1f", x < before ? 'M' : 'L', at_x(panel, x),
		       at_y(panel, value));
		before = x;
	}
	printf("\"/>\n");
}

static void panel_show(const struct panel *panel)
{
	const struct fits *fits = panel->fits;

	panel_axes(panel);
	printf("<g fill=\"#036\">\n");
	for (size_t i = 0; i < fits->n; i++)
		printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n",
		       at_x(panel, points_size(&fits->points[i])),
		       at_y(panel, fits->points[i].value));
	printf("</g>\n");
	panel_fit(panel);
}

void model_plot_svg(const struct fits *fits, size_t n)
{
	const size_t rows = (n + ACROSS - 1) / ACROSS;
	struct panel panel;

	svg_begin(PANEL * (n < ACROSS ? (double)n : ACROSS),
		  HEIGHT * (double)rows);
	for (size_t i = 0; i < n; i++) {
		panel.fits = &fits[i];
		panel.frame = frame_of(panel.fits);
		panel.x = PANEL * (double)(i % ACROSS);
		panel.y = HEIGHT * (double)(i / ACROSS);
		panel_show(&panel);
	}
	svg_end();
}
