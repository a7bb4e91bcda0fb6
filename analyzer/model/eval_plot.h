/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EVAL_PLOT_H
#define BCS_EVAL_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#define EVAL_CURVES_MOST 32

struct eval_point {
	double x;
	double value;
	double low; /* its interval; NAN: none */
	double high;
};

struct eval_curve {
	char *name;
	struct eval_point *points;
	size_t n;
	size_t room;
};

/* Curves of one operation, and what is written beside the axes. */
struct eval_plot {
	const char *title;
	const char *across;
	bool by_logarithms;
	struct eval_curve curves[EVAL_CURVES_MOST];
	size_t n;
};

/* Begins a curve and takes `name`.  Returns false, and frees it, if there are
 * too many curves. */
bool eval_plot_begin(struct eval_plot *plot, char *name);
/* Adds a point to the curve begun last. */
void eval_plot_add(struct eval_plot *plot, const struct eval_point *point);
/* Draws all curves as SVG to stdout, intervals as bands around them. */
void eval_plot_svg(const struct eval_plot *plot);
void eval_plot_clear(struct eval_plot *plot);

#endif
