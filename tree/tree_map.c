/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes the map of best methods from measured points, and fills its gaps. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_map.h"

/* The points of the collective whose methods are accepted. */
struct choice {
	const struct tree_point **points;
	size_t n;
};

static int choose(struct choice *choice, const struct tree_points *points,
		  const char *collective,
		  bool (*has)(const char *, const struct tree_method *))
{
	const struct tree_point *point;

	choice->points = calloc(points->n ? points->n : 1,
				sizeof(*choice->points));
	if (!choice->points)
		return -ENOMEM;
	for (size_t i = 0; i < points->n; i++) {
		point = &points->points[i];
		if (strcmp(point->collective, collective) == 0 &&
		    (!has || has(collective, &point->method)))
			choice->points[choice->n++] = point;
	}
	return 0;
}

static int compare(const void *one, const void *other)
{
	const uint64_t a = *(const uint64_t *)one;
	const uint64_t b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

static size_t sort_unique(uint64_t *values, size_t n)
{
	size_t kept = 0;

	qsort(values, n, sizeof(*values), compare);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || values[kept - 1] != values[i])
			values[kept++] = values[i];
	return kept;
}

static int axes(struct tree_map *map, const struct choice *choice)
{
	uint64_t *values = calloc(choice->n, sizeof(*values));

	map->bytes = calloc(choice->n, sizeof(*map->bytes));
	map->processes = calloc(choice->n, sizeof(*map->processes));
	map->methods = calloc(choice->n, sizeof(*map->methods));
	if (!values || !map->bytes || !map->processes || !map->methods) {
		free(values);
		return -ENOMEM;
	}
	for (size_t i = 0; i < choice->n; i++)
		values[i] = choice->points[i]->processes;
	map->n_rows = sort_unique(values, choice->n);
	for (size_t i = 0; i < map->n_rows; i++)
		map->processes[i] = (uint32_t)values[i];
	free(values);
	for (size_t i = 0; i < choice->n; i++)
		map->bytes[i] = choice->points[i]->bytes;
	map->n_columns = sort_unique(map->bytes, choice->n);
	return 0;
}

/* Points are sorted by method, so equal methods are adjacent. */
static void methods(struct tree_map *map, const struct choice *choice)
{
	const struct tree_method *method;

	for (size_t i = 0; i < choice->n; i++) {
		method = &choice->points[i]->method;
		if (map->n_methods == 0 ||
		    tree_method_compare(&map->methods[map->n_methods - 1],
					method) != 0)
			map->methods[map->n_methods++] = *method;
	}
}

static int check(const struct tree_map *map, struct tree_fault *fault)
{
	if (map->n_rows == 1 && map->n_columns == 1)
		return tree_fault_set(fault, -EINVAL,
				      "%s has one point, which is no map",
				      map->collective);
	if (map->n_rows > TREE_ROWS_MAX || map->n_columns > TREE_COLUMNS_MAX ||
	    map->n_methods > TREE_METHODS_MAX ||
	    map->n_rows * map->n_columns * map->n_methods > TREE_TIMES_MAX)
		return tree_fault_set(fault, -EINVAL,
				      "%s is too large: %zu numbers of "
				      "processes (%d at most), %zu of bytes "
				      "(%d), %zu methods (%d)",
				      map->collective, map->n_rows,
				      TREE_ROWS_MAX, map->n_columns,
				      TREE_COLUMNS_MAX, map->n_methods,
				      TREE_METHODS_MAX);
	return 0;
}

static size_t row_of(const struct tree_map *map, uint32_t processes)
{
	size_t i = 0;

	while (map->processes[i] != processes)
		i++;
	return i;
}

static size_t column_of(const struct tree_map *map, uint64_t bytes)
{
	const uint64_t *at = bsearch(&bytes, map->bytes, map->n_columns,
				     sizeof(bytes), compare);

	return (size_t)(at - map->bytes);
}

static int times(struct tree_map *map, const struct choice *choice)
{
	const size_t n = map->n_rows * map->n_columns;
	const struct tree_point *point;
	size_t method = 0;

	map->seconds = calloc(n * map->n_methods, sizeof(*map->seconds));
	map->best = calloc(n, sizeof(*map->best));
	if (!map->seconds || !map->best)
		return -ENOMEM;
	for (size_t i = 0; i < n * map->n_methods; i++)
		map->seconds[i] = NAN;
	for (size_t i = 0; i < choice->n; i++) {
		point = choice->points[i];
		while (tree_method_compare(&map->methods[method],
					   &point->method) != 0)
			method++;
		tree_map_seconds(
			map, row_of(map, point->processes),
			column_of(map, point->bytes))[method] = point->seconds;
	}
	map->n_measured = choice->n;
	return 0;
}

/* The logarithm of a size; 0 counts as half a byte, since it has none. */
static double place(uint64_t value)
{
	return log(value ? (double)value : .5);
}

/* The times of one method along a row or a column.  `places` are the logarithms
 * of its sizes. */
struct line {
	const double *places;
	size_t n;
	double *times;
	size_t stride;
};

static void between(const struct line *line, size_t from, size_t to)
{
	const double a = log(line->times[from * line->stride]);
	const double b = log(line->times[to * line->stride]);
	double part;

	for (size_t i = from + 1; i < to; i++) {
		part = (line->places[i] - line->places[from]) /
		       (line->places[to] - line->places[from]);
		line->times[i * line->stride] = exp(a + (b - a) * part);
	}
}

/* Interpolates the gaps between known times.  Returns the number of gaps
 * filled. */
static size_t line_fill(const struct line *line)
{
	size_t last = line->n;
	size_t filled = 0;

	for (size_t i = 0; i < line->n; i++) {
		if (isnan(line->times[i * line->stride]))
			continue;
		if (last < i) {
			between(line, last, i);
			filled += i - last - 1;
		}
		last = i;
	}
	return filled;
}

static void fill_rows(struct tree_map *map, double *places)
{
	struct line line = { places, map->n_columns, NULL, map->n_methods };

	for (size_t i = 0; i < map->n_columns; i++)
		places[i] = place(map->bytes[i]);
	for (size_t row = 0; row < map->n_rows; row++)
		for (size_t m = 0; m < map->n_methods; m++) {
			line.times = tree_map_seconds(map, row, 0) + m;
			map->n_interpolated += line_fill(&line);
		}
}

static void fill_columns(struct tree_map *map, double *places)
{
	struct line line = { places, map->n_rows, NULL,
			     map->n_columns * map->n_methods };

	for (size_t i = 0; i < map->n_rows; i++)
		places[i] = place(map->processes[i]);
	for (size_t column = 0; column < map->n_columns; column++)
		for (size_t m = 0; m < map->n_methods; m++) {
			line.times = tree_map_seconds(map, 0, column) + m;
			map->n_interpolated += line_fill(&line);
		}
}

static bool is_known(const struct tree_map *map, size_t row, size_t column)
{
	const double *seconds = tree_map_seconds(map, row, column);

	for (size_t m = 0; m < map->n_methods; m++)
		if (!isnan(seconds[m]))
			return true;
	return false;
}

static void copy(struct tree_map *map, size_t row, size_t column,
		 size_t from_row, size_t from_column)
{
	memcpy(tree_map_seconds(map, row, column),
	       tree_map_seconds(map, from_row, from_column),
	       map->n_methods * sizeof(*map->seconds));
	map->n_filled++;
}

/* Copies the times of known points to their unknown neighbours in the row. */
static void spread_row(struct tree_map *map, size_t row)
{
	for (size_t i = 1; i < map->n_columns; i++)
		if (!is_known(map, row, i) && is_known(map, row, i - 1))
			copy(map, row, i, row, i - 1);
	for (size_t i = map->n_columns - 1; i-- > 0;)
		if (!is_known(map, row, i) && is_known(map, row, i + 1))
			copy(map, row, i, row, i + 1);
}

static int fill(struct tree_map *map)
{
	double *places = calloc(map->n_rows + map->n_columns, sizeof(*places));

	if (!places)
		return -ENOMEM;
	fill_rows(map, places);
	fill_columns(map, places);
	free(places);
	/* Each row has a measured point, so this fills all of it. */
	for (size_t row = 0; row < map->n_rows; row++)
		spread_row(map, row);
	return 0;
}

static void decide(struct tree_map *map)
{
	const double *seconds;
	uint8_t *best = map->best;

	for (size_t i = 0; i < map->n_rows * map->n_columns; i++, best++) {
		seconds = &map->seconds[i * map->n_methods];
		while (isnan(seconds[*best]))
			++*best;
		for (size_t m = *best; m < map->n_methods; m++)
			if (seconds[m] < seconds[*best])
				*best = (uint8_t)m;
	}
}

static int make(struct tree_map *map, const struct choice *choice,
		struct tree_fault *fault)
{
	int rc;

	if (choice->n == 0)
		return tree_fault_set(fault, -EINVAL,
				      "no measurement of '%s' can be used",
				      map->collective);
	rc = axes(map, choice);
	if (rc == 0) {
		methods(map, choice);
		rc = check(map, fault);
	}
	if (rc == 0)
		rc = times(map, choice);
	if (rc == 0)
		rc = fill(map);
	if (rc == 0)
		decide(map);
	return rc;
}

int tree_map_make(struct tree_map *map, const struct tree_points *points,
		  const char *collective,
		  bool (*has)(const char *collective,
			      const struct tree_method *method),
		  struct tree_fault *fault)
{
	struct choice choice = { NULL, 0 };
	int rc;

	*map = (struct tree_map){ 0 };
	strncpy(map->collective, collective, sizeof(map->collective) - 1);
	rc = choose(&choice, points, collective, has);
	if (rc == 0)
		rc = make(map, &choice, fault);
	free(choice.points);
	if (rc != 0)
		tree_map_clear(map);
	return rc;
}

void tree_map_clear(struct tree_map *map)
{
	free(map->processes);
	free(map->bytes);
	free(map->methods);
	free(map->seconds);
	free(map->best);
	*map = (struct tree_map){ 0 };
}

double tree_map_penalty(const struct tree_map *map, size_t row, size_t column,
			uint8_t method)
{
	const double *seconds = tree_map_seconds(map, row, column);

	return (seconds[method] / seconds[tree_map_best(map, row, column)] -
		1) *
	       100;
}
