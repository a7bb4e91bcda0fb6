/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads and writes a system file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/system_file.h"
#include "tree/tree_text.h"

#define MAGIC  "bcs-system"
#define DIGITS "%.9g"

struct reader {
	struct tree_text text;
	struct tree_fault *fault;
	struct formula_system *system;
	bool has_base;
	enum formula_operation operation; /* the curve being read */
	const char *line;                 /* rest of the current line */
	size_t len;
};

static int wrong(const struct reader *reader, const char *what)
{
	return tree_fault_set(reader->fault, -EINVAL, "line %u: %s",
			      reader->text.line, what);
}

static bool next_word(struct reader *reader, char *word, size_t room)
{
	const char *field;
	size_t len;

	if (!tree_text_field(&reader->line, &reader->len, ' ', &field, &len) ||
	    len == 0 || len >= room)
		return false;
	memcpy(word, field, len);
	word[len] = '\0';
	return true;
}

static bool next_number(struct reader *reader, double *number)
{
	const char *field;
	size_t len;

	return tree_text_field(&reader->line, &reader->len, ' ', &field,
			       &len) &&
	       tree_text_real(field, len, number);
}

static int read_name(struct reader *reader)
{
	char *name = reader->system->name;

	if (*name || !next_word(reader, name, FORMULA_NAME_MAX) || reader->line)
		return wrong(reader, "not one name of up to 47 letters");
	return 0;
}

static int read_base(struct reader *reader)
{
	double *base = &reader->system->log_base;

	if (reader->has_base || !next_number(reader, base) || !(*base > 1) ||
	    reader->line)
		return wrong(reader, "not one log_base of more than 1");
	reader->has_base = true;
	return 0;
}

static int read_param(struct reader *reader, enum formula_param param)
{
	double *value = &reader->system->params[param];

	if (!isnan(*value))
		return wrong(reader, "a parameter twice");
	if (!next_number(reader, value) || reader->line)
		return wrong(reader, "not one number for a parameter");
	if (param == FORMULA_D_TU && !(*value > 0))
		return wrong(reader, "d_tu is not more than 0");
	return 0;
}

static int read_spread(struct reader *reader)
{
	char name[TREE_NAME_MAX];
	enum formula_operation operation;
	double *spread;

	if (!next_word(reader, name, sizeof(name)))
		return wrong(reader, "not an operation and its spread");
	operation = formula_find(name);
	if (operation == FORMULA_OPERATIONS)
		return wrong(reader, "no operation that has a spread");
	spread = &reader->system->spreads[operation];
	if (*spread > 0)
		return wrong(reader, "a spread twice");
	if (!next_number(reader, spread) || !(*spread >= 1) || reader->line)
		return wrong(reader, "not one spread of 1 or more");
	return 0;
}

static int read_curve(struct reader *reader)
{
	char name[TREE_NAME_MAX];
	struct curve **curve;

	if (!next_word(reader, name, sizeof(name)) || reader->line)
		return wrong(reader, "not one operation of a curve");
	reader->operation = formula_find(name);
	if (reader->operation == FORMULA_OPERATIONS ||
	    formulas[reader->operation].t == FORMULA_PARAMS)
		return wrong(reader, "no operation that has curves");
	curve = &reader->system->curves[reader->operation];
	if (*curve)
		return wrong(reader, "a curve twice");
	*curve = calloc(1, sizeof(**curve));
	return *curve ? 0 : -ENOMEM;
}

static struct curve *curve_of(const struct reader *reader)
{
	return reader->operation < FORMULA_OPERATIONS
		       ? reader->system->curves[reader->operation]
		       : NULL;
}

static int read_row(struct reader *reader)
{
	struct curve *curve = curve_of(reader);
	struct curve_row *row;

	if (!curve || curve->n_rows == CURVE_ROWS_MAX)
		return wrong(reader, "a row without a curve, or too many");
	row = &curve->rows[curve->n_rows];
	if (!next_number(reader, &row->processes) || reader->line)
		return wrong(reader, "not one number of processes");
	if (formula_by_processes(reader->operation)
		    ? row->processes < 1 ||
			      (curve->n_rows &&
			       row->processes <= row[-1].processes)
		    : fabs(row->processes) > 0 || curve->n_rows)
		return wrong(reader, "processes do not ascend from 1, or are "
				     "not 0 where they do not matter");
	curve->n_rows++;
	return 0;
}

static int read_piece(struct reader *reader)
{
	struct curve *curve = curve_of(reader);
	struct curve_piece *piece;
	struct curve_row *row;

	if (!curve || !curve->n_rows)
		return wrong(reader, "a piece without a row");
	row = &curve->rows[curve->n_rows - 1];
	if (row->n == CURVE_PIECES_MAX)
		return wrong(reader, "too many pieces");
	piece = &row->pieces[row->n];
	if (!next_number(reader, &piece->from) ||
	    !next_number(reader, &piece->t) ||
	    !next_number(reader, &piece->k) || reader->line)
		return wrong(reader, "a piece is not FROM T K");
	if (row->n && piece->from <= piece[-1].from)
		return wrong(reader, "pieces do not ascend");
	row->n++;
	return 0;
}

static int read_line(struct reader *reader)
{
	char word[TREE_NAME_MAX];
	enum formula_param param;

	if (!next_word(reader, word, sizeof(word)))
		return wrong(reader, "no name");
	if (strcmp(word, "name") == 0)
		return read_name(reader);
	if (strcmp(word, "log_base") == 0)
		return read_base(reader);
	if (strcmp(word, "spread") == 0)
		return read_spread(reader);
	if (strcmp(word, "curve") == 0)
		return read_curve(reader);
	if (strcmp(word, "row") == 0)
		return read_row(reader);
	if (strcmp(word, "piece") == 0)
		return read_piece(reader);
	param = formula_param_find(word);
	return param < FORMULA_PARAMS
		       ? read_param(reader, param)
		       : wrong(reader, "the name of no parameter");
}

static int read_head(struct reader *reader)
{
	char word[TREE_NAME_MAX];
	double version;

	if (!tree_text_line(&reader->text, &reader->line, &reader->len) ||
	    !next_word(reader, word, sizeof(word)) ||
	    strcmp(word, MAGIC) != 0 || !next_number(reader, &version) ||
	    version < 1 || version > 1 || reader->line)
		return tree_fault_set(reader->fault, -EINVAL,
				      "line 1: not '" MAGIC " 1'");
	return 0;
}

/* Checks that no curve is empty. */
static int check_curves(const struct reader *reader)
{
	for (size_t i = 0; i < FORMULA_OPERATIONS; i++) {
		const struct curve *curve = reader->system->curves[i];
		bool empty = curve && !curve->n_rows;

		for (unsigned r = 0; curve && r < curve->n_rows; r++)
			empty |= curve->rows[r].n == 0;
		if (empty)
			return tree_fault_set(reader->fault, -EINVAL,
					      "the curve of %s has no rows, "
					      "or one of them no pieces",
					      formulas[i].name);
	}
	return 0;
}

static int read_all(struct reader *reader)
{
	int rc = read_head(reader);

	while (rc == 0 &&
	       tree_text_line(&reader->text, &reader->line, &reader->len))
		if (reader->len && *reader->line != '#')
			rc = read_line(reader);
	return rc ? rc : check_curves(reader);
}

int system_file_read(struct formula_system *system, const char *text,
		     size_t size, struct tree_fault *fault)
{
	struct reader reader = { .text = { .at = text, .end = text + size },
				 .fault = fault,
				 .system = system,
				 .operation = FORMULA_OPERATIONS };
	int rc;

	formula_system_init(system, "");
	rc = read_all(&reader);
	if (rc != 0)
		formula_system_clear(system);
	else if (!*system->name)
		strcpy(system->name, "unnamed");
	return rc;
}

static void write_curve(enum formula_operation operation,
			const struct curve *curve, FILE *to)
{
	const struct curve_piece *piece;

	fprintf(to, "curve %s\n", formulas[operation].name);
	for (unsigned r = 0; r < curve->n_rows; r++) {
		fprintf(to, "row " DIGITS "\n", curve->rows[r].processes);
		piece = curve->rows[r].pieces;
		for (unsigned i = 0; i < curve->rows[r].n; i++, piece++)
			fprintf(to, "piece " DIGITS " " DIGITS " " DIGITS "\n",
				piece->from, piece->t, piece->k);
	}
}

void system_file_write(const struct formula_system *system, FILE *to)
{
	fprintf(to, MAGIC " 1\nname %s\nlog_base " DIGITS "\n", system->name,
		system->log_base);
	for (int i = 0; i < FORMULA_PARAMS; i++)
		if (!isnan(system->params[i]))
			fprintf(to, "%s " DIGITS "\n",
				formula_param_name((enum formula_param)i),
				system->params[i]);
	for (int i = 0; i < FORMULA_OPERATIONS; i++)
		if (system->spreads[i] > 0)
			fprintf(to, "spread %s " DIGITS "\n", formulas[i].name,
				system->spreads[i]);
	for (int i = 0; i < FORMULA_OPERATIONS; i++)
		if (system->curves[i])
			write_curve((enum formula_operation)i,
				    system->curves[i], to);
}
