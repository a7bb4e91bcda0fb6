/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Measurements of two groups of launches.  A launch is a factor of its own: its
 * figures are alike, and those of another may all be slower.  So the test is of
 * launches, not of repetitions.
 */
#include "analyzer/diff/diff_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/input.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/diff/diff.h"
#include "analyzer/diff/stats.h"
#include "tree/tree_read.h"

/* A figure, whatever its library, and its launches on each side. */
struct point {
	struct tree_point key;
	double *seconds[2];
	size_t n[2];
	size_t room[2];
};

struct points {
	struct point *points;
	size_t n;
	size_t room;
};

bool diff_csv_is(int argc, char **argv)
{
	int files = 0;

	for (int i = 0; i < argc; i++) {
		const size_t length = strlen(argv[i]);

		if (strcmp(argv[i], ":") == 0)
			continue;
		if (length < 5 || strcmp(argv[i] + length - 4, ".csv") != 0)
			return false;
		files++;
	}
	return files > 0;
}

static void add(struct points *points, const struct tree_point *key, int side)
{
	struct point *point = points->points;
	struct point *const end = point + points->n;

	while (point < end && !tree_points_alike(&point->key, key))
		point++;
	if (point == end) {
		points->points = mem_grow(points->points, &points->room,
					  points->n, sizeof(*point));
		point = &points->points[points->n++];
		*point = (struct point){ .key = *key };
	}
	point->seconds[side] = mem_grow(point->seconds[side],
					&point->room[side], point->n[side],
					sizeof(double));
	point->seconds[side][point->n[side]++] = key->seconds;
}

static int read_file(const char *path, struct points *points, int side)
{
	struct tree_fault fault = { "there is no memory left" };
	struct tree_points read;
	size_t size;
	char *text = input_read(path, READING_ARGUMENT, &size);
	int rc;

	if (!text)
		return -EIO;
	rc = tree_read_csv(&read, text, size, &fault);
	free(text);
	if (rc != 0) {
		say_error("%s: %s", path, fault.text);
		return rc;
	}
	for (size_t i = 0; i < read.n; i++) {
		/* Two libraries may be compared. */
		*read.points[i].method.library = '\0';
		add(points, &read.points[i], side);
	}
	tree_points_clear(&read);
	return 0;
}

static const struct table_column columns[] = {
	{ "what", "What", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "algorithm", "Algorithm", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "processes", "Ranks", TABLE_COUNT, 0, 0 },
	{ "bytes", "Bytes", TABLE_COUNT, 0, 0 },
	{ "a_ns", "A", TABLE_TIME, 0, 0 },
	{ "b_ns", "B", TABLE_TIME, 0, 0 },
	{ "change_percent", "Diff", TABLE_SHARE, TABLE_SIGN, 0 },
	{ "low_percent", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "high_percent", "", TABLE_SHARE, TABLE_MACHINE, 0 },
	{ "verdict", "Verdict", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "p", "", TABLE_EXACT, TABLE_MACHINE, 0 },
	{ "p_text", "p", TABLE_TEXT, TABLE_PEOPLE | TABLE_WIDE | TABLE_RIGHT,
	  0 },
	{ "a_launches", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "b_launches", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ 0 },
};

static double side_median(const struct point *point, int side)
{
	return stats_median(point->seconds[side], point->n[side]);
}

static bool is_tested(const struct point *point)
{
	return stats_least_p(point->n[0], point->n[1]) < STATS_LEVEL;
}

static double p_of(const struct point *point)
{
	return stats_mann_whitney(point->seconds[0], point->n[0],
				  point->seconds[1], point->n[1]);
}

static const char *verdict_of(const struct point *point)
{
	if (!is_tested(point))
		return point->n[0] == 1 && point->n[1] == 1
			       ? "one launch each"
			       : "too few launches";
	if (p_of(point) >= STATS_LEVEL)
		return "in the noise";
	return side_median(point, 1) > side_median(point, 0) ? "slower"
							     : "faster";
}

static double change_of(const struct point *point)
{
	const double a = side_median(point, 0);

	return a > 0 ? (side_median(point, 1) / a - 1) * 100 : 0;
}

static void put_p(struct table *table, const struct point *point)
{
	char text[16];

	if (!is_tested(point)) {
		table_none(table);
		table_none(table);
		return;
	}
	snprintf(text, sizeof(text), "%.3f", p_of(point));
	table_real(table, p_of(point));
	table_words(table, text);
}

static void put_change(struct table *table, const struct point *point)
{
	double low;
	double high;

	table_real(table, change_of(point));
	if (stats_ratio(point->seconds[0], point->n[0], point->seconds[1],
			point->n[1], &low, &high) == 0) {
		table_real(table, (low - 1) * 100);
		table_real(table, (high - 1) * 100);
	} else {
		table_none(table);
		table_none(table);
	}
	table_words(table, verdict_of(point));
	put_p(table, point);
}

/* With its pieces, if there are any. */
static void put_method(struct table *table, const struct tree_method *method)
{
	char text[TREE_NAME_MAX + 24];

	if (!method->segment) {
		table_words(table, method->algorithm);
		return;
	}
	snprintf(text, sizeof(text), "%s:%" PRIu64, method->algorithm,
		 method->segment);
	table_words(table, text);
}

static void put(struct table *table, const struct point *point)
{
	table_row(table, 0);
	table_words(table, point->key.collective);
	put_method(table, &point->key.method);
	table_number(table, point->key.processes);
	table_number(table, point->key.bytes);
	for (int side = 0; side < 2; side++)
		table_number_if(
			table, point->n[side],
			point->n[side]
				? (uint64_t)(side_median(point, side) * 1e9 +
					     0.5)
				: 0);
	if (point->n[0] && point->n[1]) {
		put_change(table, point);
	} else {
		for (int i = 0; i < 3; i++)
			table_none(table);
		table_words(table, point->n[0] ? "only in A" : "only in B");
		table_none(table);
		table_none(table);
	}
	table_number(table, point->n[0]);
	table_number(table, point->n[1]);
}

static struct table *show(const struct points *points, double *slower)
{
	struct table *table = table_new("measurements", "Measurements, medians",
					columns, 0);

	*slower = 0;
	for (size_t i = 0; i < points->n; i++) {
		const struct point *point = &points->points[i];

		put(table, point);
		if (point->n[0] && point->n[1] &&
		    strcmp(verdict_of(point), "slower") == 0 &&
		    change_of(point) > *slower)
			*slower = change_of(point);
	}
	return table;
}

static void points_free(struct points *points)
{
	for (size_t i = 0; i < points->n; i++) {
		free(points->points[i].seconds[0]);
		free(points->points[i].seconds[1]);
	}
	free(points->points);
}

struct table *diff_csv(int argc, char **argv, double *slower)
{
	struct points points = { 0 };
	struct table *table = NULL;
	size_t n_a;
	size_t n_b;
	int rc = diff_split(argc, argv, &n_a, &n_b);
	size_t file = 0;

	if (rc < 0)
		say_error("it compares two files, or two groups of files with "
			  "a ':' in between (see --help)");
	for (int i = 0; rc == 0 && i < argc; i++)
		if (strcmp(argv[i], ":") != 0)
			rc = read_file(argv[i], &points, file++ >= n_a);
	if (rc == 0)
		table = show(&points, slower);
	points_free(&points);
	return table;
}
