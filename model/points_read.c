/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads measured points from CSV or lines of JSON. */
#include <errno.h>
#include <string.h>

#include "model/points.h"
#include "tree/tree_text.h"

enum column {
	PROCESSES,
	BYTES,
	THREADS,
	INSTRUCTIONS,
	DURATION,
	VALUE,
	OPERATION,
	ALGORITHM,
	SEGMENT,
	LIBRARY,
	CHOICE,
	COLUMNS,
};

#define VALUE_MAX   1e18
#define COLUMNS_MAX 16

static const struct {
	const char *name;
	enum column column;
	double factor; /* to the unit of the formula */
} names[] = {
	{ "operation", OPERATION, 0 }, { "collective", OPERATION, 0 },
	{ "processes", PROCESSES, 1 }, { "bytes", BYTES, 1 },
	{ "threads", THREADS, 1 },     { "instructions", INSTRUCTIONS, 1 },
	{ "duration", DURATION, 1 },   { "time", VALUE, 1 },
	{ "seconds", VALUE, 1e6 },     { "watts", VALUE, 1 },
	{ "probability", VALUE, 1 },   { "algorithm", ALGORITHM, 0 },
	{ "segment", SEGMENT, 0 },     { "library", LIBRARY, 0 },
	{ "choice", CHOICE, 0 },
};
#define N_NAMES ((int)(sizeof(names) / sizeof(names[0])))

struct reader {
	struct tree_text text;
	struct tree_fault *fault;
	struct points *points;
	const char *algorithm;
	int order[COLUMNS_MAX]; /* column to index in `names` */
	int n_columns;
	int value; /* index in `names` of the measured value */
	bool each; /* bytes are per process, as mpib counts */
	/* The current line. */
	char operation[TREE_NAME_MAX];
	char by[TREE_NAME_MAX];
	double numbers[VALUE + 1];
	bool given[VALUE + 1];
};

static int wrong(const struct reader *reader, const char *what)
{
	return tree_fault_set(reader->fault, -EINVAL, "line %u: %s",
			      reader->text.line, what);
}

static int wrong_field(const struct reader *reader, const char *field,
		       size_t len, const char *what)
{
	return tree_fault_set(reader->fault, -EINVAL, "line %u: '%.*s' %s%s",
			      reader->text.line, len > 40 ? 40 : (int)len,
			      field, "cannot be ", what);
}

static int name_find(const char *field, size_t len)
{
	for (int i = 0; i < N_NAMES; i++)
		if (strlen(names[i].name) == len &&
		    memcmp(names[i].name, field, len) == 0)
			return i;
	return -1;
}

static int read_header(struct reader *reader, const char *line, size_t len)
{
	unsigned seen = 0;
	const char *field;
	size_t field_len;
	int at;

	while (tree_text_field(&line, &len, ',', &field, &field_len)) {
		at = name_find(field, field_len);
		if (at < 0 || reader->n_columns == COLUMNS_MAX)
			return wrong_field(reader, field, field_len,
					   "a column (see --help)");
		if (seen & 1u << names[at].column)
			return wrong_field(reader, field, field_len,
					   "there beside another of its kind");
		seen |= 1u << names[at].column;
		if (names[at].column == VALUE)
			reader->value = at;
		if (strcmp(names[at].name, "collective") == 0)
			reader->each = true;
		reader->order[reader->n_columns++] = at;
	}
	if (!(seen & 1u << OPERATION) || !(seen & 1u << VALUE))
		return wrong(reader, "no column operation, or none of time, "
				     "seconds, watts and probability");
	return 0;
}

static bool read_number(struct reader *reader, int at, const char *field,
			size_t len)
{
	const enum column column = names[at].column;
	double number;

	if (len == 0 && column != VALUE)
		return true; /* an empty field: not given */
	if (!tree_text_real(field, len, &number) || number < 0 ||
	    number > VALUE_MAX || (column == VALUE && !(number > 0)))
		return false;
	reader->numbers[column] = number;
	reader->given[column] = true;
	return true;
}

/* mpib names a triple with a '+', such as "1-0+2": from 1 to 0 and 2.  Names
 * here have a '-' instead. */
static bool read_algorithm(const char *field, size_t len, char *name)
{
	char text[TREE_NAME_MAX];

	if (len >= sizeof(text))
		return false;
	for (size_t i = 0; i < len; i++)
		text[i] = field[i] == '+' ? '-' : field[i];
	return len == 0 || tree_text_name(text, len, name);
}

static bool read_field(struct reader *reader, int at, const char *field,
		       size_t len)
{
	switch (names[at].column) {
	case OPERATION:
		return tree_text_name(field, len, reader->operation);
	case ALGORITHM:
		return read_algorithm(field, len, reader->by);
	case SEGMENT:
	case LIBRARY:
	case CHOICE:
		return true;
	default:
		return read_number(reader, at, field, len);
	}
}

static int check_given(const struct reader *reader,
		       enum formula_operation operation)
{
	static const enum column of[] = { INSTRUCTIONS, THREADS, BYTES,
					  PROCESSES, DURATION };
	static const char *const column_names[] = { "instructions", "threads",
						    "bytes", "processes",
						    "duration" };

	for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (formulas[operation].given & 1u << i &&
		    !reader->given[of[i]])
			return tree_fault_set(reader->fault, -EINVAL,
					      "line %u: %s needs a column %s",
					      reader->text.line,
					      formulas[operation].name,
					      column_names[i]);
	if (formulas[operation].given & FORMULA_PROCESSES &&
	    !(reader->numbers[PROCESSES] >= 1))
		return wrong(reader, "less than 1 process");
	if (formulas[operation].given & FORMULA_INSTRUCTIONS &&
	    !(reader->numbers[INSTRUCTIONS] > 0))
		return wrong(reader, "no instructions");
	return 0;
}

/* Takes the value.  Checks that its column (watts, probability or a time) is
 * that of the operation. */
static int take_value(const struct reader *reader, struct point *point)
{
	const char *column = names[reader->value].name;
	const char *unit = formulas[point->operation].unit;
	const bool time = strcmp(unit, "us") == 0;

	point->value = reader->numbers[VALUE] * names[reader->value].factor;
	if (time ? names[reader->value].factor < 1e6 &&
			    strcmp(column, "time") != 0
		 : strcmp(column, *unit == 'W' ? "watts" : "probability") != 0)
		return tree_fault_set(reader->fault, -EINVAL,
				      "line %u: %s is not told in %s",
				      reader->text.line,
				      formulas[point->operation].name, column);
	if (*unit == '1' && point->value > 1)
		return wrong(reader, "a probability of more than 1");
	return 0;
}

static int take_logp(struct reader *reader, enum logp_kind kind)
{
	/* They need the columns that messages need. */
	struct point point = { .operation = FORMULA_P2P };
	struct logp_sample sample = { kind, reader->numbers[BYTES], 0 };
	int rc = check_given(reader, point.operation);

	if (rc == 0)
		rc = take_value(reader, &point);
	sample.us = point.value;
	return rc ? rc : logp_add(&reader->points->logp, &sample);
}

static int take_line(struct reader *reader)
{
	const enum logp_kind kind = logp_kind_find(reader->operation);
	const bool pairs = strcmp(reader->operation, "pairs") == 0;
	struct point point = {
		.operation = pairs ? FORMULA_P2P
				   : formula_find(reader->operation),
	};
	int rc;

	if (kind < LOGP_KINDS)
		return take_logp(reader, kind);
	if (point.operation == FORMULA_OPERATIONS) {
		reader->points->n_foreign++;
		return 0;
	}
	if (!pairs && *reader->by && strcmp(reader->by, reader->algorithm)) {
		reader->points->n_algorithm++;
		return 0;
	}
	rc = check_given(reader, point.operation);
	if (rc == 0)
		rc = take_value(reader, &point);
	if (rc != 0)
		return rc;
	if (pairs)
		point.value /= 2;
	point.input.instructions = reader->numbers[INSTRUCTIONS];
	point.input.threads = reader->numbers[THREADS];
	point.input.bytes = reader->numbers[BYTES];
	point.input.processes = reader->numbers[PROCESSES];
	if (reader->each && (point.operation == FORMULA_SCATTER ||
			     point.operation == FORMULA_GATHER))
		point.input.bytes *= point.input.processes;
	point.input.seconds = reader->numbers[DURATION];
	return points_add(reader->points, &point);
}

static void begin_line(struct reader *reader)
{
	*reader->operation = '\0';
	*reader->by = '\0';
	memset(reader->numbers, 0, sizeof(reader->numbers));
	memset(reader->given, 0, sizeof(reader->given));
}

static int read_csv_line(struct reader *reader, const char *line, size_t len)
{
	const char *field;
	size_t field_len;
	int n = 0;

	begin_line(reader);
	for (; tree_text_field(&line, &len, ',', &field, &field_len); n++)
		if (n < reader->n_columns &&
		    !read_field(reader, reader->order[n], field, field_len))
			return wrong_field(reader, field, field_len,
					   names[reader->order[n]].name);
	if (n != reader->n_columns)
		return wrong(reader, "not as many values as columns");
	return take_line(reader);
}

/* The value after `"key": ` in a line, up to a comma, a quote or the end. */
static bool member(const char *line, size_t len, const char *key,
		   const char **value, size_t *value_len)
{
	const char *at = memmem(line, len, key, strlen(key));
	const char *end = line + len;

	if (!at)
		return false;
	at += strlen(key);
	*value = at;
	while (at < end && *at != ',' && *at != '"' && *at != '}')
		at++;
	*value_len = (size_t)(at - *value);
	return true;
}

/*
 * Reads a line of mpib.  The first line has the number of processes, each other
 * one a figure.  A program writes them, always in the same layout, so this is
 * not a full JSON parser.
 */
static int read_json_line(struct reader *reader, const char *line, size_t len,
			  double *processes)
{
	const int bytes = name_find("bytes", 5);
	const char *value;
	size_t value_len;

	begin_line(reader);
	if (member(line, len, "\"processes\": ", &value, &value_len))
		return tree_text_real(value, value_len, processes)
			       ? 0
			       : wrong(reader, "no number of processes");
	reader->numbers[PROCESSES] = *processes;
	reader->given[PROCESSES] = true;
	if (!member(line, len, "\"what\": \"", &value, &value_len) ||
	    !tree_text_name(value, value_len, reader->operation) ||
	    !member(line, len, "\"algorithm\": \"", &value, &value_len) ||
	    !tree_text_name(value, value_len, reader->by) ||
	    !member(line, len, "\"bytes\": ", &value, &value_len) ||
	    !read_number(reader, bytes, value, value_len) ||
	    !member(line, len, "\"median\": ", &value, &value_len) ||
	    !read_number(reader, reader->value, value, value_len))
		return wrong(reader, "no figure of mpib");
	return take_line(reader);
}

static int read_lines(struct reader *reader)
{
	bool json = false;
	double processes = 0;
	const char *line;
	size_t len;
	int rc = 0;

	while (rc == 0 && tree_text_line(&reader->text, &line, &len)) {
		if (len == 0 || *line == '#')
			continue;
		if (!reader->n_columns && !json)
			json = reader->each = *line == '{';
		if (json)
			rc = read_json_line(reader, line, len, &processes);
		else if (reader->n_columns)
			rc = read_csv_line(reader, line, len);
		else
			rc = read_header(reader, line, len);
	}
	return rc;
}

int points_read(struct points *points, const char *text, size_t size,
		const char *algorithm, struct tree_fault *fault)
{
	struct reader reader = { .text = { .at = text, .end = text + size },
				 .fault = fault,
				 .points = points,
				 .algorithm = algorithm,
				 .value = name_find("seconds", 7) };
	const size_t before = points->n;
	const size_t others = points->n_algorithm;
	const size_t costs = points->logp.n;
	int rc = read_lines(&reader);

	if (rc != 0 || points->n > before || points->logp.n > costs)
		return rc;
	if (points->n_algorithm > others)
		rc = tree_fault_set(fault, -EINVAL,
				    "no measurement by the algorithm '%.40s' "
				    "(see --algorithm)",
				    algorithm);
	else
		rc = tree_fault_set(fault, -EINVAL,
				    "no measurement of an operation that a "
				    "formula is of");
	return rc;
}
