/* SPDX-License-Identifier: BSD-3-Clause */

/* Draws a decision map with the blocks of its tree, as SVG. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analyzer/base/units.h"
#include "analyzer/show/svg.h"
#include "analyzer/tree/tree_svg.h"

#define LEFT   70.0
#define TOP    40.0
#define WIDTH  600.0
#define HEIGHT 400.0
#define LEGEND 230.0
#define FOOT   50.0
#define MARGIN 10.0
#define LABELS 8
#define LINE   18.0 /* of the legend */

struct picture {
	const struct tree_quad *quad;
	const char *title;
	const char *(*color)(const struct tree_quad *quad, size_t row,
			     size_t column);
};

static const char *method_color(unsigned method)
{
	static char text[32];

	/* Steps of the golden angle: neighbours are far apart. */
	snprintf(text, sizeof(text), "hsl(%u,%d%%,%u%%)",
		 (method * 1375 / 10 + 210) % 360, method % 2 ? 55 : 70,
		 45 + 10 * (method % 3));
	return text;
}

static const char *decision_color(const struct tree_quad *quad, size_t row,
				  size_t column)
{
	return method_color(tree_quad_method(quad, row, column));
}

/* The paper's colors: white is less than 5 %, red is 50 % and more. */
static const struct {
	double below;
	const char *color;
	const char *text;
} classes[] = {
	{ 5, "#fff", "less than 5 %" },        { 10, "#ffc", "5 to 10 %" },
	{ 25, "#fe4", "10 to 25 %" },          { 50, "#f92", "25 to 50 %" },
	{ INFINITY, "#d11", "50 % and more" }, { NAN, "#999", "not known" },
};
#define N_CLASSES (sizeof(classes) / sizeof(classes[0]))

static const char *penalty_color(const struct tree_quad *quad, size_t row,
				 size_t column)
{
	const double penalty = tree_map_penalty(
		quad->map, row, column, tree_quad_method(quad, row, column));
	size_t i = 0;

	while (i < N_CLASSES - 1 && !(penalty < classes[i].below))
		i++;
	return classes[i].color;
}

static void legend(unsigned i, const char *color, const char *words)
{
	const double y = TOP + LINE * i;

	printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" "
	       "fill=\"%s\" stroke=\"#333\"/>\n",
	       LEFT + WIDTH + 16, y, color);
	svg_text(LEFT + WIDTH + 34, y + 10, "start", words);
}

/* Few processes are at the foot. */
static void cells(const struct picture *picture)
{
	const struct tree_map *map = picture->quad->map;
	const double w = WIDTH / (double)map->n_columns;
	const double h = HEIGHT / (double)map->n_rows;

	printf("<g shape-rendering=\"crispEdges\">\n");
	for (size_t r = 0; r < map->n_rows; r++)
		for (size_t c = 0; c < map->n_columns; c++)
			printf("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
			       "height=\"%.2f\" fill=\"%s\"/>\n",
			       LEFT + w * (double)c,
			       TOP + HEIGHT - h * (double)(r + 1), w, h,
			       picture->color(picture->quad, r, c));
	printf("</g>\n");
}

static void axes(const struct tree_map *map)
{
	const size_t rows = map->n_rows / LABELS + 1;
	const size_t columns = map->n_columns / LABELS + 1;
	char words[24];

	for (size_t i = 0; i < map->n_rows; i += rows) {
		snprintf(words, sizeof(words), "%" PRIu32, map->processes[i]);
		svg_text(LEFT - 6,
			 TOP + HEIGHT -
				 HEIGHT * ((double)i + .5) /
					 (double)map->n_rows +
				 4,
			 "end", words);
	}
	for (size_t i = 0; i < map->n_columns; i += columns)
		svg_text(LEFT + WIDTH * ((double)i + .5) /
					 (double)map->n_columns,
			 TOP + HEIGHT + 18, "middle",
			 units_bytes_text(map->bytes[i]));
	svg_text(LEFT + WIDTH / 2, TOP + HEIGHT + 38, "middle", "message");
	svg_text(LEFT - 6, TOP - 8, "end", "processes");
}

/* As high as the map with its axis, or as the legend. */
static double height(size_t lines)
{
	return fmax(TOP + HEIGHT + FOOT, TOP + LINE * (double)lines + MARGIN);
}

static void draw(const struct picture *picture, size_t lines)
{
	svg_begin(LEFT + WIDTH + LEGEND, height(lines));
	cells(picture);
	printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
	       "fill=\"none\" stroke=\"#333\"/>\n",
	       LEFT, TOP, WIDTH, HEIGHT);
	svg_text(LEFT, TOP - 24, "start", picture->title);
	axes(picture->quad->map);
}

void tree_svg_map(const struct tree_quad *quad)
{
	const struct tree_map *map = quad->map;
	char words[96];

	draw(&(struct picture){ quad, map->collective, decision_color },
	     map->n_methods);
	for (unsigned m = 0; m < map->n_methods; m++) {
		const struct tree_method *method = &map->methods[m];

		snprintf(words, sizeof(words),
			 method->segment ? "%s, %s" : "%s", method->algorithm,
			 units_bytes_text(method->segment));
		legend(m, method_color(m), words);
	}
	svg_end();
}

void tree_svg_penalty(const struct tree_quad *quad)
{
	draw(&(struct picture){ quad, quad->map->collective, penalty_color },
	     N_CLASSES);
	for (unsigned i = 0; i < N_CLASSES; i++)
		legend(i, classes[i].color, classes[i].text);
	svg_end();
}
