/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws evaluated formulas as SVG: a curve for each system. */
#include "analyzer/model/eval_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/show/svg.h"
#include "analyzer/show/svg_ticks.h"

#define LEFT   90.0
#define ACROSS 520.0
#define TOP    44.0
#define DOWN   320.0
#define FOOT   54.0
#define LEGEND 290.0
#define LINE   18.0
#define TICKS  8 /* of the horizontal axis, and the last */

static const char *const colors[] = { "#036", "#c60", "#080", "#a0a",
				      "#800", "#088", "#660", "#444" };
#define N_COLORS (sizeof(colors) / sizeof(colors[0]))
/* The curves of the next colors are dashed. */
static const char *const dashes[] = { "none", "7 3", "2 3", "9 3 2 3" };
_Static_assert(N_COLORS * sizeof(dashes) / sizeof(dashes[0]) >=
		       EVAL_CURVES_MOST,
	       "a look for each curve");

bool eval_plot_begin(struct eval_plot *plot, char *name)
{
	if (plot->n == EVAL_CURVES_MOST) {
		free(name);
		return false;
	}
	plot->curves[plot->n++] = (struct eval_curve){ .name = name };
	return true;
}

void eval_plot_add(struct eval_plot *plot, const struct eval_point *point)
{
	struct eval_curve *curve = &plot->curves[plot->n - 1];

	curve->points = mem_grow(curve->points, &curve->room, curve->n,
				 sizeof(*point));
	curve->points[curve->n++] = *point;
}

void eval_plot_clear(struct eval_plot *plot)
{
	for (size_t i = 0; i < plot->n; i++) {
		free(plot->curves[i].name);
		free(plot->curves[i].points);
	}
	plot->n = 0;
}

/* The area between the axes, in logarithms or as it is. */
struct frame {
	const struct eval_plot *plot;
	double left;
	double right;
	double low;
	double high;
};

/* 0 has no logarithm, and stands a step below 1. */
static double place(const struct frame *frame, double x)
{
	return frame->plot->by_logarithms ? log2(fmax(x, .5)) : x;
}

static void take_in(struct frame *frame, double value)
{
	if (!isfinite(value) || (frame->plot->by_logarithms && !(value > 0)))
		return;
	value = frame->plot->by_logarithms ? log2(value) : value;
	frame->low = fmin(frame->low, value);
	frame->high = fmax(frame->high, value);
}

static void take_point(struct frame *frame, const struct eval_point *point)
{
	frame->left = fmin(frame->left, place(frame, point->x));
	frame->right = fmax(frame->right, place(frame, point->x));
	take_in(frame, point->value);
	take_in(frame, point->low);
	take_in(frame, point->high);
}

static struct frame frame_of(const struct eval_plot *plot)
{
	struct frame frame = { plot, INFINITY, -INFINITY, INFINITY, -INFINITY };

	for (size_t i = 0; i < plot->n; i++)
		for (size_t p = 0; p < plot->curves[i].n; p++)
			take_point(&frame, &plot->curves[i].points[p]);
	if (!plot->by_logarithms)
		take_in(&frame, 0);
	if (!(frame.right > frame.left))
		frame.right = frame.left + 1;
	if (!(frame.high >= frame.low))
		frame.low = frame.high = 0;
	if (!(frame.high > frame.low))
		frame.high = frame.low + 1;
	return frame;
}

static double at_x(const struct frame *frame, double x)
{
	return LEFT + ACROSS * (place(frame, x) - frame->left) /
			      (frame->right - frame->left);
}

static double at_y(const struct frame *frame, double value)
{
	double up = frame->low;

	if (!frame->plot->by_logarithms)
		up = value;
	else if (value > 0)
		up = log2(value);
	return TOP +
	       DOWN * (1 - (up - frame->low) / (frame->high - frame->low));
}

#define FOOT_TEXT (TOP + DOWN + 16)

/* Numbers that double are those that were evaluated. */
static void across_doubled(const struct frame *frame)
{
	const struct eval_curve *curve = &frame->plot->curves[0];
	const bool sizes = strcmp(frame->plot->across, "bytes") == 0;
	const size_t step = curve->n / TICKS + 1;

	for (size_t i = curve->n - 1;; i -= step) {
		const double x = curve->points[i].x;

		if (sizes)
			svg_ticks_size(at_x(frame, x), FOOT_TEXT, "middle", x);
		else
			svg_ticks_value(at_x(frame, x), FOOT_TEXT, "middle", x);
		if (i < step)
			break;
	}
}

static void axis_across(const struct frame *frame)
{
	const struct svg_ticks ticks = svg_ticks_even(frame->left,
						      frame->right);

	if (frame->plot->by_logarithms)
		across_doubled(frame);
	for (unsigned i = 0; !frame->plot->by_logarithms && i < ticks.n; i++)
		svg_ticks_value(at_x(frame, ticks.at[i]), FOOT_TEXT, "middle",
				ticks.at[i]);
	svg_text(LEFT + ACROSS / 2, FOOT_TEXT + 20, "middle",
		 frame->plot->across);
}

static void axis_up(const struct frame *frame)
{
	const struct svg_ticks ticks = frame->plot->by_logarithms
					       ? svg_ticks_log(
							 exp2(frame->low),
							 exp2(frame->high))
					       : svg_ticks_even(frame->low,
								frame->high);

	for (unsigned i = 0; i < ticks.n; i++) {
		const double y = at_y(frame, ticks.at[i]);

		svg_rule(LEFT, y, LEFT + ACROSS);
		svg_ticks_value(LEFT - 6, y + 4, "end", ticks.at[i]);
	}
}

/* Where no interval is known, the band has no width. */
static double edge(const struct eval_point *point, bool high)
{
	const double value = high ? point->high : point->low;

	return isfinite(value) ? value : point->value;
}

static bool has_band(const struct eval_curve *curve)
{
	for (size_t i = 0; i < curve->n; i++)
		if (isfinite(curve->points[i].low))
			return true;
	return false;
}

static void band(const struct frame *frame, const struct eval_curve *curve,
		 const char *color)
{
	const struct eval_point *points = curve->points;

	if (!has_band(curve))
		return;
	printf("<polygon fill=\"%s\" fill-opacity=\".15\" points=\"", color);
	for (size_t i = 0; i < curve->n; i++)
		printf("%.1f,%.1f ", at_x(frame, points[i].x),
		       at_y(frame, edge(&points[i], true)));
	for (size_t i = curve->n; i-- > 0;)
		printf("%.1f,%.1f ", at_x(frame, points[i].x),
		       at_y(frame, edge(&points[i], false)));
	printf("\"/>\n");
}

static void stroke(const struct frame *frame, const struct eval_curve *curve,
		   const char *color, const char *dash)
{
	const struct eval_point *points = curve->points;

	printf("<path fill=\"none\" stroke=\"%s\" stroke-dasharray=\"%s\" "
	       "d=\"",
	       color, dash);
	for (size_t i = 0; i < curve->n; i++)
		printf("%c%.1f %.1f", i ? 'L' : 'M', at_x(frame, points[i].x),
		       at_y(frame, points[i].value));
	printf("\"/>\n<g fill=\"%s\">\n", color);
	for (size_t i = 0; i < curve->n; i++)
		printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n",
		       at_x(frame, points[i].x), at_y(frame, points[i].value));
	printf("</g>\n");
}

static void draw(const struct frame *frame, size_t i)
{
	const struct eval_curve *curve = &frame->plot->curves[i];
	const char *color = colors[i % N_COLORS];
	const char *dash = dashes[i / N_COLORS];
	const double x = LEFT + ACROSS + 16;
	const double y = TOP + LINE * (double)i;

	band(frame, curve, color);
	stroke(frame, curve, color, dash);
	printf("<path stroke=\"%s\" stroke-dasharray=\"%s\" "
	       "d=\"M%.1f %.1fh24\"/>\n",
	       color, dash, x, y);
	svg_text(x + 30, y + 4, "start", curve->name);
}

void eval_plot_svg(const struct eval_plot *plot)
{
	const struct frame frame = frame_of(plot);

	svg_begin(LEFT + ACROSS + LEGEND,
		  fmax(TOP + DOWN + FOOT, TOP + LINE * (double)plot->n));
	svg_corner(LEFT, TOP, TOP + DOWN, LEFT + ACROSS);
	svg_text(LEFT, TOP - 18, "start", plot->title);
	axis_across(&frame);
	axis_up(&frame);
	for (size_t i = 0; i < plot->n; i++)
		draw(&frame, i);
	svg_end();
}
