/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Plots the penalty of trees by their mean depth, for limits of depth and of
 * accuracy.
 */
#include <math.h>
#include <stdio.h>

#include "analyzer/show/svg.h"
#include "analyzer/show/svg_ticks.h"
#include "analyzer/tree/tree_curve.h"

#define LEFT   70.0
#define TOP    40.0
#define WIDTH  600.0
#define HEIGHT 240.0
#define GAP    70.0
#define MARGIN 40.0
#define STEP   5 /* of accuracy, in percent */
#define POINTS (100 / STEP)
#define BLUE   "#036"
#define ORANGE "#c60"

/* Trees whose limit goes up. */
struct curve {
	double limit[POINTS];
	double depth[POINTS];
	double penalty[POINTS];
	int n;
};

static int curve_add(struct curve *curve, const struct tree_map *map,
		     const struct tree_limits *limits, double limit)
{
	struct tree_stats stats;
	struct tree_quad quad;
	int rc = tree_quad_make(&quad, map, limits);

	if (rc != 0)
		return rc;
	rc = tree_stats_take(&stats, &quad);
	tree_quad_clear(&quad);
	if (rc != 0)
		return rc;
	curve->limit[curve->n] = limit;
	curve->depth[curve->n] = stats.depth_mean;
	curve->penalty[curve->n++] = stats.penalty_mean;
	return 0;
}

static int curve_by_accuracy(struct curve *curve, const struct tree_map *map,
			     const struct tree_limits *limits)
{
	struct tree_limits now = *limits;
	int rc = 0;

	curve->n = 0;
	for (int i = 1; rc == 0 && i <= POINTS; i++) {
		now.accuracy = i * STEP;
		rc = curve_add(curve, map, &now, now.accuracy);
	}
	return rc;
}

static int curve_by_depth(struct curve *curve, const struct tree_map *map,
			  const struct tree_limits *limits)
{
	struct tree_limits now = *limits;
	int rc = 0;

	curve->n = 0;
	for (now.depth = 0; rc == 0 && now.depth <= limits->depth; now.depth++)
		rc = curve_add(curve, map, &now, now.depth);
	return rc;
}

/* One over the other. */
struct panel {
	double top;
	double x_most;
	double y_most;
};

static double x_of(const struct panel *panel, double x)
{
	return LEFT + WIDTH * x / panel->x_most;
}

static double y_of(const struct panel *panel, double y)
{
	return panel->top + HEIGHT * (1 - y / panel->y_most);
}

static double most(double before, const double *values, int n)
{
	for (int i = 0; i < n; i++)
		before = fmax(before, values[i]); /* not of NAN */
	return before;
}

static void axes(const struct panel *panel, const char *x, const char *y)
{
	const struct svg_ticks across = svg_ticks_even(0, panel->x_most);
	const struct svg_ticks up = svg_ticks_even(0, panel->y_most);
	const double foot = panel->top + HEIGHT;

	for (unsigned i = 0; i < up.n; i++) {
		svg_rule(LEFT, y_of(panel, up.at[i]), LEFT + WIDTH);
		svg_ticks_value(LEFT - 6, y_of(panel, up.at[i]) + 4, "end",
				up.at[i]);
	}
	for (unsigned i = 0; i < across.n; i++)
		svg_ticks_value(x_of(panel, across.at[i]), foot + 18, "middle",
				across.at[i]);
	svg_corner(LEFT, panel->top, foot, LEFT + WIDTH);
	svg_text(LEFT + WIDTH / 2, foot + 36, "middle", x);
	svg_text(LEFT, panel->top - 10, "start", y);
}

static void line(const struct panel *panel, const double *x, const double *y,
		 int n, const char *color)
{
	char command = 'M';

	printf("<path fill=\"none\" stroke=\"%s\" d=\"", color);
	for (int i = 0; i < n; i++) {
		if (!isfinite(y[i]))
			continue;
		printf("%c%.1f %.1f", command, x_of(panel, x[i]),
		       y_of(panel, y[i]));
		command = 'L';
	}
	printf("\"/>\n");
	for (int i = 0; i < n; i++)
		if (isfinite(y[i]))
			printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" "
			       "fill=\"%s\"/>\n",
			       x_of(panel, x[i]), y_of(panel, y[i]), color);
}

/* Something to divide by, where all is 0. */
static double some(double value)
{
	return value > 0 ? value : 1;
}

int tree_curve_accuracy(const struct tree_map *map,
			const struct tree_limits *limits)
{
	struct panel panel = { .top = TOP, .x_most = 100 };
	struct curve by;
	int rc = curve_by_accuracy(&by, map, limits);

	if (rc != 0)
		return rc;
	svg_begin(LEFT + WIDTH + MARGIN, TOP + 2 * (HEIGHT + GAP));
	svg_text(LEFT, TOP - 26, "start", map->collective);
	panel.y_most = some(most(0, by.depth, by.n));
	axes(&panel, "accuracy asked for, %", "mean depth");
	line(&panel, by.limit, by.depth, by.n, BLUE);
	panel.top += HEIGHT + GAP;
	panel.y_most = some(most(0, by.penalty, by.n));
	axes(&panel, "accuracy asked for, %", "mean penalty, %");
	line(&panel, by.limit, by.penalty, by.n, BLUE);
	svg_end();
	return 0;
}

int tree_curve_limits(const struct tree_map *map,
		      const struct tree_limits *limits)
{
	struct panel panel = { .top = TOP };
	struct curve accuracy;
	struct curve depth;
	int rc = curve_by_accuracy(&accuracy, map, limits);

	if (rc == 0)
		rc = curve_by_depth(&depth, map, limits);
	if (rc != 0)
		return rc;
	panel.x_most = some(most(most(0, depth.depth, depth.n), accuracy.depth,
				 accuracy.n));
	panel.y_most = some(most(most(0, depth.penalty, depth.n),
				 accuracy.penalty, accuracy.n));
	svg_begin(LEFT + WIDTH + MARGIN, TOP + HEIGHT + GAP);
	svg_text(LEFT, TOP - 26, "start", map->collective);
	axes(&panel, "mean depth",
	     "mean penalty, %, limited by depth (blue) and accuracy (orange)");
	line(&panel, accuracy.depth, accuracy.penalty, accuracy.n, ORANGE);
	line(&panel, depth.depth, depth.penalty, depth.n, BLUE);
	svg_end();
	return 0;
}
