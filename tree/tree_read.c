/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads measurements of collectives from CSV. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_read.h"

enum column {
	COLLECTIVE,
	PROCESSES,
	BYTES,
	ALGORITHM,
	SEGMENT,
	SECONDS,
	LIBRARY,
	CHOICE,
	LAUNCH,
	COLUMNS,
};

#define NEEDED ((1u << LIBRARY) - 1)

static const char *const names[COLUMNS] = {
	"collective", "processes", "bytes",  "algorithm", "segment",
	"seconds",    "library",   "choice", "launch"
};

struct reader {
	struct tree_text text;
	const char *head;
	size_t head_len;
	uint64_t part; /* the files before this one, that were joined */
	enum column order[COLUMNS];
	int n_columns;
	struct tree_points *points;
	size_t room;
	struct tree_fault *fault;
};

static int column_find(const char *field, size_t len)
{
	for (int i = 0; i < COLUMNS; i++)
		if (strlen(names[i]) == len &&
		    memcmp(names[i], field, len) == 0)
			return i;
	return -1;
}

/* Checks that each column is known, none is repeated and no required one is
 * missing. */
static int read_header(struct reader *reader)
{
	unsigned seen = 0;
	const char *line = NULL;
	const char *field;
	size_t len = 0;
	size_t field_len;
	int column;

	tree_text_line(&reader->text, &line, &len);
	reader->head = line;
	reader->head_len = len;
	while (tree_text_field(&line, &len, ',', &field, &field_len)) {
		column = column_find(field, field_len);
		if (column < 0 || seen & 1u << column)
			return tree_fault_set(
				reader->fault, -EINVAL,
				"line 1: '%.*s' is no column, or twice",
				field_len > 40 ? 40 : (int)field_len, field);
		seen |= 1u << column;
		reader->order[reader->n_columns++] = (enum column)column;
	}
	if ((seen & NEEDED) == NEEDED)
		return 0;
	return tree_fault_set(reader->fault, -EINVAL,
			      "line 1: the columns are not collective, "
			      "processes, bytes, algorithm, segment, seconds");
}

static bool read_choice(const char *field, size_t len, bool *is_default)
{
	*is_default = len == 7 && memcmp(field, "default", len) == 0;
	return *is_default || (len == 6 && memcmp(field, "forced", len) == 0);
}

static bool read_value(struct tree_point *point, enum column column,
		       const char *field, size_t len)
{
	uint64_t number;

	switch (column) {
	case COLLECTIVE:
		return tree_text_name(field, len, point->collective);
	case PROCESSES:
		if (!tree_text_number(field, len, TREE_PROCESSES_MAX, &number))
			return false;
		point->processes = (uint32_t)number;
		return number > 0;
	case BYTES:
		return tree_text_number(field, len, TREE_BYTES_MAX,
					&point->bytes);
	case ALGORITHM:
		return tree_text_name(field, len, point->method.algorithm);
	case SEGMENT:
		return tree_text_number(field, len, TREE_BYTES_MAX,
					&point->method.segment);
	case LIBRARY:
		return tree_text_library(field, len, point->method.library);
	case CHOICE:
		return read_choice(field, len, &point->method.is_default);
	case LAUNCH:
		if (!tree_text_number(field, len, UINT32_MAX, &number))
			return false;
		point->launch |= number;
		return true;
	default:
		return tree_text_positive(field, len, &point->seconds);
	}
}

static int read_point(struct reader *reader, const char *line, size_t len,
		      struct tree_point *point)
{
	const char *field;
	size_t field_len;
	int n = 0;

	for (; tree_text_field(&line, &len, ',', &field, &field_len); n++)
		if (n < reader->n_columns &&
		    !read_value(point, reader->order[n], field, field_len))
			return tree_fault_set(reader->fault, -EINVAL,
					      "line %u: '%.*s' cannot be %s",
					      reader->text.line,
					      field_len > 40 ? 40
							     : (int)field_len,
					      field, names[reader->order[n]]);
	if (n == reader->n_columns)
		return 0;
	return tree_fault_set(reader->fault, -EINVAL,
			      "line %u: not as many values as columns",
			      reader->text.line);
}

static struct tree_point *next_point(struct reader *reader)
{
	struct tree_points *points = reader->points;
	struct tree_point *grown;

	if (points->n == reader->room) {
		reader->room = reader->room ? 2 * reader->room : 64;
		grown = realloc(points->points,
				reader->room * sizeof(*points->points));
		if (!grown)
			return NULL;
		points->points = grown;
	}
	grown = &points->points[points->n++];
	memset(grown, 0, sizeof(*grown));
	return grown;
}

/* Where files were joined, the launches of one are not those of another. */
static bool is_head(struct reader *reader, const char *line, size_t len)
{
	if (len != reader->head_len || memcmp(line, reader->head, len) != 0)
		return false;
	reader->part++;
	return true;
}

static int read_points(struct reader *reader)
{
	struct tree_point *point;
	const char *line;
	size_t len;
	int rc;

	while (tree_text_line(&reader->text, &line, &len)) {
		if (len == 0 || is_head(reader, line, len))
			continue;
		point = next_point(reader);
		if (!point)
			return -ENOMEM;
		point->line = reader->text.line;
		point->launch = reader->part << 32;
		rc = read_point(reader, line, len, point);
		if (rc != 0)
			return rc;
	}
	if (reader->points->n)
		return 0;
	return tree_fault_set(reader->fault, -EINVAL, "no measurements");
}

bool tree_method_is_of(const struct tree_method *method, const char *name)
{
	const size_t len = strlen(name);

	return strncmp(method->library, name, len) == 0 &&
	       (method->library[len] == ' ' || method->library[len] == '\0');
}

int tree_method_compare(const struct tree_method *a,
			const struct tree_method *b)
{
	int order = strcmp(a->library, b->library);

	if (order == 0)
		order = strcmp(a->algorithm, b->algorithm);
	if (order)
		return order;
	return (a->segment > b->segment) - (a->segment < b->segment);
}

static int compare_figures(const struct tree_point *a,
			   const struct tree_point *b)
{
	int order = strcmp(a->collective, b->collective);

	if (order == 0)
		order = tree_method_compare(&a->method, &b->method);
	if (order == 0)
		order = (a->processes > b->processes) -
			(a->processes < b->processes);
	if (order == 0)
		order = (a->bytes > b->bytes) - (a->bytes < b->bytes);
	return order;
}

static int compare(const void *one, const void *other)
{
	const struct tree_point *a = one;
	const struct tree_point *b = other;
	const int order = compare_figures(a, b);

	if (order)
		return order;
	return (a->launch > b->launch) - (a->launch < b->launch);
}

bool tree_points_alike(const struct tree_point *a, const struct tree_point *b)
{
	return compare_figures(a, b) == 0;
}

static int compare_seconds(const void *one, const void *other)
{
	const double a = ((const struct tree_point *)one)->seconds;
	const double b = ((const struct tree_point *)other)->seconds;

	return (a > b) - (a < b);
}

static struct tree_point median(struct tree_point *points, size_t n)
{
	struct tree_point joined = points[0];

	qsort(points, n, sizeof(*points), compare_seconds);
	joined.seconds = (points[(n - 1) / 2].seconds + points[n / 2].seconds) /
			 2;
	joined.launch = 0;
	return joined;
}

void tree_points_join(struct tree_points *points)
{
	struct tree_point *all = points->points;
	size_t n = 0;
	size_t end;

	for (size_t i = 0; i < points->n; i = end) {
		for (end = i + 1; end < points->n; end++)
			if (!tree_points_alike(&all[i], &all[end]))
				break;
		all[n++] = median(&all[i], end - i);
	}
	points->n = n;
}

static int check_twice(const struct tree_points *points,
		       struct tree_fault *fault)
{
	for (size_t i = 1; i < points->n; i++) {
		const struct tree_point *a = &points->points[i - 1];
		const struct tree_point *b = &points->points[i];

		if (compare(a, b) == 0)
			return tree_fault_set(
				fault, -EINVAL,
				"lines %u and %u: the same measurement twice",
				a->line < b->line ? a->line : b->line,
				a->line < b->line ? b->line : a->line);
	}
	return 0;
}

int tree_read_csv(struct tree_points *points, const char *text, size_t size,
		  struct tree_fault *fault)
{
	struct reader reader = { .text = { .at = text, .end = text + size },
				 .points = points,
				 .fault = fault };
	int rc;

	*points = (struct tree_points){ 0 };
	rc = read_header(&reader);
	if (rc == 0)
		rc = read_points(&reader);
	if (rc == 0) {
		qsort(points->points, points->n, sizeof(*points->points),
		      compare);
		rc = check_twice(points, fault);
	}
	if (rc != 0)
		tree_points_clear(points);
	return rc;
}

void tree_points_clear(struct tree_points *points)
{
	free(points->points);
	*points = (struct tree_points){ 0 };
}
