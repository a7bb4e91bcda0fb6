/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FIT_H
#define BCS_FIT_H

#include "model/points.h"

/* What a measured operation can be described by. */
enum fit_form {
	FIT_SQUARES, /* the paper's formula, by least squares */
	FIT_PERCENT, /* and by the least mean percentage error */
	FIT_HOCKNEY, /* latency and bandwidth: without a unit of transfer */
	FIT_LOGGP,   /* L + 2o + (d - 1) G, of p2p */
	FIT_PIECES,  /* lines in pieces, as many as BIC finds worth it */
	FIT_FORMS,
};

extern const char *const fit_names[FIT_FORMS];

struct fit_rules {
	double unit; /* D_tu, in bytes */
	double log_base;
	/* Told which part of the points is left out next, of so many; first of
	 * all 0 of 0.  NULL: nobody is told. */
	void (*tell)(enum formula_operation operation, enum fit_form form,
		     unsigned part, unsigned parts);
};

struct fit_param {
	const char *name;
	const char *unit;
	double value;
	double low; /* its interval of 95 %; NAN: none */
	double high;
};

/* Of predictions; errors in percent of what was measured. */
struct fit_errors {
	size_t n;
	double r2;            /* Pearson's, squared; NAN if there is none */
	double determination; /* 1 - squares left / squares around the mean */
	double mean;
	double max;
};

#define FIT_PARAMS_MAX 8

struct fit {
	enum fit_form form;
	struct formula_system system; /* knows this operation alone */
	struct fit_param params[FIT_PARAMS_MAX];
	unsigned n_params;
	struct fit_errors all;
	/* Each input predicted from the others; where there are more than 200
	 * inputs, or 1000 points, a part of them from all others: one of 200,
	 * of fewer the more points there are, and of 20 at least. */
	struct fit_errors left_out;
	/* Every second size predicted from the others, the largest never. */
	struct fit_errors held_out;
};

/* All that describes an operation. */
struct fits {
	enum formula_operation operation;
	const struct point *points;
	size_t n;
	struct fit fits[FIT_FORMS];
	bool has[FIT_FORMS];
	/* The least mean error of `left_out`, else of `all`; a form later in
	 * the list has to be better by a twentieth. */
	enum fit_form best;
};

/*
 * Points are of one operation, sorted and kept by reference.  -EDOM if no form
 * can be fitted to them; or -ENOMEM.
 */
int fits_make(struct fits *fits, const struct point *points, size_t n,
	      const struct fit_rules *rules);
void fits_clear(struct fits *fits);

/* One form alone, for what is above; intervals if `whole`. */
int fit_train(struct fit *fit, const struct point *points, size_t n,
	      const struct fit_rules *rules, bool whole);
bool fit_form_suits(enum fit_form form, enum formula_operation operation);

/*
 * Takes parameters over into a system, and a curve where `form` is more than
 * the paper's; the unit of transfer is the rules'.  -ENOMEM.
 */
int fit_save(const struct fits *fits, enum fit_form form,
	     const struct fit_rules *rules, struct formula_system *system);

#endif
