/* SPDX-License-Identifier: BSD-3-Clause */

/* Plots a series, as text or SVG. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/show/svg.h"
#include "analyzer/slices/series.h"

#define ROWS  14
#define SVG_W 860.0
#define SVG_H 320.0
#define LEFT  90.0
#define TOP   40.0
#define RIGHT 20.0
#define FOOT  50.0

/* The range of a plot: from 0 on, unless all values lie far above it. */
struct scale {
	double low;
	double high;
};

static struct scale scale_of(const struct series *series)
{
	struct scale scale;
	uint64_t min;
	uint64_t max;

	series_range(series, &min, &max);
	scale.low = min >= max / 2 && min < max ? (double)min : 0;
	scale.high = max ? (double)max : 1;
	return scale;
}

static double part(const struct scale *scale, double value)
{
	return (value - scale->low) / (scale->high - scale->low);
}

static double mean(const struct series_bin *bin)
{
	return bin->sum / (double)bin->n;
}

static char mark(const struct series_bin *bin, const struct scale *scale,
		 int row)
{
	const int low = (int)(part(scale, (double)bin->min) * (ROWS - 1) + .5);
	const int high = (int)(part(scale, (double)bin->max) * (ROWS - 1) + .5);
	const int middle = (int)(part(scale, mean(bin)) * (ROWS - 1) + .5);

	if (bin->n == 0)
		return ' ';
	if (row == middle)
		return 'o';
	return row >= low && row <= high ? '|' : ' ';
}

/* The bins share the columns. */
static void plot_row(const struct series *series, const struct scale *scale,
		     int row, const char *label, unsigned columns)
{
	size_t i;

	printf("  %10s ", label);
	putchar('|');
	for (unsigned c = 0; c < columns; c++) {
		i = c * series->n / columns;
		putchar(mark(&series->bins[i], scale, row));
	}
	putchar('\n');
}

static void plot_foot(const struct series *series,
		      const struct series_words *words, unsigned columns)
{
	const char *first = words->place(series->bins[0].from);
	const char *last = words->place(series->bins[series->n - 1].to);
	int n;

	printf("  %10s +", "");
	for (unsigned c = 0; c < columns; c++)
		putchar('-');
	n = printf("\n  %10s  %s", "", first) - 1 - 14;
	printf("%*s\n", (int)columns - n, last);
	printf("  %10s  over %s; o: mean, |: least to greatest\n", "",
	       words->at);
}

void series_plot(const struct series *series, const struct series_words *words,
		 unsigned width)
{
	const struct scale scale = scale_of(series);
	unsigned columns = width > 34 ? width - 14 : 20;

	printf("%s\n", words->title);
	if (series->n == 0)
		return;
	if (series->n < columns)
		columns = (unsigned)series->n * (columns / (unsigned)series->n);
	for (int row = ROWS - 1; row >= 0; row--)
		plot_row(series, &scale, row,
			 row == ROWS - 1 ? words->value((uint64_t)scale.high)
			 : row == 0      ? words->value((uint64_t)scale.low)
					 : "",
			 columns);
	plot_foot(series, words, columns);
}

static double svg_x(const struct series *series, size_t i)
{
	return LEFT +
	       (SVG_W - LEFT - RIGHT) * ((double)i + .5) / (double)series->n;
}

static double svg_y(const struct scale *scale, double value)
{
	return SVG_H - FOOT - (SVG_H - TOP - FOOT) * part(scale, value);
}

static void svg_axes(const struct series *series,
		     const struct series_words *words,
		     const struct scale *scale)
{
	const struct series_bin *last = &series->bins[series->n - 1];

	svg_corner(LEFT, TOP, SVG_H - FOOT, SVG_W - RIGHT);
	svg_text(LEFT, TOP - 16, "start", words->title);
	for (int i = 0; i <= 4; i++) {
		const double value = scale->low +
				     (scale->high - scale->low) * i / 4;

		svg_text(LEFT - 6, svg_y(scale, value) + 4, "end",
			 words->value((uint64_t)value));
	}
	svg_text(LEFT, SVG_H - FOOT + 18, "start",
		 words->place(series->bins[0].from));
	svg_text(SVG_W - RIGHT, SVG_H - FOOT + 18, "end",
		 words->place(last->to));
	svg_text((LEFT + SVG_W - RIGHT) / 2, SVG_H - FOOT + 34, "middle",
		 words->at);
	svg_text(SVG_W - RIGHT, TOP - 16, "end",
		 "line: mean, band: least to greatest");
}

/* From least to greatest, a stroke for each bin. */
static void svg_ranges(const struct series *series, const struct scale *scale)
{
	printf("<path stroke=\"#9bc\" stroke-width=\"%.2f\" d=\"",
	       (SVG_W - LEFT - RIGHT) / (double)series->n);
	for (size_t i = 0; i < series->n; i++)
		if (series->bins[i].n)
			printf("M%.1f %.1fV%.1f", svg_x(series, i),
			       svg_y(scale, (double)series->bins[i].min) + .5,
			       svg_y(scale, (double)series->bins[i].max) - .5);
	printf("\"/>\n");
}

static void svg_means(const struct series *series, const struct scale *scale)
{
	char command = 'M';

	printf("<path fill=\"none\" stroke=\"#036\" d=\"");
	for (size_t i = 0; i < series->n; i++) {
		if (series->bins[i].n == 0)
			continue;
		printf("%c%.1f %.1f", command, svg_x(series, i),
		       svg_y(scale, mean(&series->bins[i])));
		command = 'L';
	}
	printf("\"/>\n");
}

void series_svg(const struct series *series, const struct series_words *words)
{
	const struct scale scale = scale_of(series);

	svg_begin(SVG_W, SVG_H);
	if (series->n) {
		svg_ranges(series, &scale);
		svg_means(series, &scale);
		svg_axes(series, words, &scale);
	}
	svg_end();
}
