/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The tables of what was fitted: parameters, how well each form describes the
 * points, doubts.
 */
#include <math.h>

#include "analyzer/model/model_fit_table.h"

/* R2 as the paper has it, Pearson's coefficient squared; D: 1 - SSE / SST. */
static const struct table_column error_columns[] = {
	{ "operation", "Operation", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "model", "Model", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "best", "", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "points", "Points", TABLE_COUNT, 0, 0 },
	{ "r2", "R2", TABLE_EXACT, 0, 0 },
	{ "determination", "D", TABLE_EXACT, TABLE_MACHINE, 0 },
	{ "mean_percent", "Mean(%)", TABLE_EXACT, 0, 0 },
	{ "max_percent", "Max(%)", TABLE_EXACT, 0, 0 },
	{ "left_out_mean_percent", "Left out(%)", TABLE_EXACT, 0, 0 },
	{ "left_out_max_percent", "Max(%)", TABLE_EXACT, TABLE_WIDE, 0 },
	{ "held_out_points", "", TABLE_COUNT, TABLE_MACHINE, 0 },
	{ "held_out_r2", "Held-out R2", TABLE_EXACT, 0, 0 },
	{ "held_out_determination", "", TABLE_EXACT, TABLE_MACHINE, 0 },
	{ "held_out_mean_percent", "Mean(%)", TABLE_EXACT, 0, 0 },
	{ "held_out_max_percent", "Max(%)", TABLE_EXACT, TABLE_WIDE, 0 },
	{ 0 },
};

static void put(struct table *table, double value)
{
	if (isfinite(value))
		table_real(table, value);
	else
		table_none(table);
}

static void put_errors(struct table *table, const struct fits *fits,
		       enum fit_form form)
{
	const struct fit *fit = &fits->fits[form];

	table_row(table, 0);
	table_words(table, formulas[fits->operation].name);
	table_words(table, fit_names[form]);
	table_words(table, form == fits->best ? "best" : "");
	table_number(table, fit->all.n);
	put(table, fit->all.r2);
	put(table, fit->all.determination);
	put(table, fit->all.mean);
	put(table, fit->all.max);
	put(table, fit->left_out.mean);
	put(table, fit->left_out.max);
	table_number(table, fit->held_out.n);
	put(table, fit->held_out.r2);
	put(table, fit->held_out.determination);
	put(table, fit->held_out.mean);
	put(table, fit->held_out.max);
}

struct table *model_fit_errors(const struct fits *fits, size_t n)
{
	struct table *table = table_new("fits", "Fits", error_columns, 0);

	for (size_t i = 0; i < n; i++)
		for (int form = 0; form < FIT_FORMS; form++)
			if (fits[i].has[form])
				put_errors(table, &fits[i],
					   (enum fit_form)form);
	return table;
}

static const struct table_column param_columns[] = {
	{ "operation", "Operation", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "model", "Model", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "parameter", "Parameter", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "value", "Value", TABLE_EXACT, 0, 0 },
	{ "low", "Low", TABLE_EXACT, 0, 0 },
	{ "high", "High", TABLE_EXACT, 0, 0 },
	{ "unit", "Unit", TABLE_TEXT, TABLE_RIGID, 0 },
	{ 0 },
};

static void put_params(struct table *table, const struct fits *fits,
		       enum fit_form form)
{
	const struct fit *fit = &fits->fits[form];

	for (unsigned i = 0; i < fit->n_params; i++) {
		table_row(table, 0);
		table_words(table, formulas[fits->operation].name);
		table_words(table, fit_names[form]);
		table_words(table, fit->params[i].name);
		put(table, fit->params[i].value);
		put(table, fit->params[i].low);
		put(table, fit->params[i].high);
		table_words(table, fit->params[i].unit);
	}
}

struct table *model_fit_params(const struct fits *fits, size_t n)
{
	struct table *table = table_new("parameters",
					"Parameters, with intervals of 95 %",
					param_columns, 0);

	for (size_t i = 0; i < n; i++)
		for (int form = 0; form < FIT_FORMS; form++)
			if (fits[i].has[form])
				put_params(table, &fits[i],
					   (enum fit_form)form);
	return table;
}

static const struct table_column piece_columns[] = {
	{ "operation", "Operation", TABLE_TEXT, TABLE_RIGID, 0 },
	{ "processes", "Processes", TABLE_EXACT, 0, 0 },
	{ "from", "From", TABLE_EXACT, 0, 0 },
	{ "t_us", "T(us)", TABLE_EXACT, 0, 0 },
	{ "k_us", "K(us)", TABLE_EXACT, 0, 0 },
	{ 0 },
};

static void put_row(struct table *table, const char *operation,
		    const struct curve_row *row)
{
	for (unsigned i = 0; i < row->n; i++) {
		table_row(table, 0);
		table_words(table, operation);
		put(table, row->processes > 0 ? row->processes : NAN);
		put(table, row->pieces[i].from);
		put(table, row->pieces[i].t);
		put(table, row->pieces[i].k);
	}
}

struct table *model_fit_pieces(const struct fits *fits, size_t n)
{
	struct table *table = table_new(
		"pieces", "Pieces: T + K x from there on", piece_columns, 0);
	const struct curve *curve;

	for (size_t i = 0; i < n; i++) {
		if (!fits[i].has[FIT_PIECES])
			continue;
		curve = fits[i].fits[FIT_PIECES]
				.system.curves[fits[i].operation];
		for (unsigned r = 0; r < curve->n_rows; r++)
			put_row(table, formulas[fits[i].operation].name,
				&curve->rows[r]);
	}
	return table;
}

static const struct table_column logp_columns[] = {
	{ "bytes", "Bytes", TABLE_EXACT, 0, 0 },
	{ "latency_us", "L(us)", TABLE_EXACT, 0, 0 },
	{ "send_overhead_us", "o_s(us)", TABLE_EXACT, 0, 0 },
	{ "receive_overhead_us", "o_r(us)", TABLE_EXACT, 0, 0 },
	{ "gap_us", "g(us)", TABLE_EXACT, 0, 0 },
	{ "message_us", "L+g(us)", TABLE_EXACT, 0, 0 },
	{ 0 },
};

struct table *model_fit_logp(const struct logp *logp)
{
	struct table *table = table_new("plogp", "PLogP", logp_columns, 0);

	for (double bytes = logp_next(logp, -1); !isnan(bytes);
	     bytes = logp_next(logp, bytes)) {
		table_row(table, 0);
		table_real(table, bytes);
		put(table, logp_latency(logp));
		put(table, logp_median(logp, LOGP_SEND, bytes));
		put(table, logp_median(logp, LOGP_RECV, bytes));
		put(table, logp_gap(logp, bytes));
		put(table, logp_message(logp, bytes));
	}
	return table;
}
