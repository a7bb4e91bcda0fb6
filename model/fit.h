/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FIT_H
#define BCS_FIT_H

#include "model/points.h"

/* The forms of curve that a measured operation can be described by. */
enum fit_form {
	FIT_SQUARES, /* the paper's formula, by least squares */
	/* The paper's formula, by the least mean percentage error. */
	FIT_PERCENT,
	FIT_HOCKNEY, /* latency and bandwidth, without a unit of transfer */
	/* For p2p only. */
	FIT_LOGGP,  /* L + 2o + (d - 1) G */
	FIT_LOGGPS, /* LogGP, and a handshake above S bytes: loggps.h */
	FIT_PIECES, /* piecewise linear; BIC chooses the number of pieces */
	/* For p2p only. */
	FIT_PLOGP, /* interpolated between all sizes: plogp.h */
	FIT_FORMS,
};

extern const char *const fit_names[FIT_FORMS];

struct fit_rules {
	double unit; /* D_tu, the unit of transfer, in bytes */
	double log_base;
	/* Progress: called with the part of the points that is left out next,
	 * and the number of parts.  The first call of each form has 0 of 0.
	 * May be NULL. */
	void (*tell)(enum formula_operation operation, enum fit_form form,
		     unsigned part, unsigned parts);
};

struct fit_param {
	const char *name;
	const char *unit;
	double value;
	double low; /* interval of 95 %; NAN: none */
	double high;
};

/* Errors of predictions, in percent of the measured value. */
struct fit_errors {
	size_t n;
	/* Pearson's correlation, squared; NAN: undefined. */
	double r2;
	double determination; /* 1 - squares left / squares around the mean */
	double mean;
	double max;
	/* 95 % of new measurements differ from the prediction by at most this
	 * factor.  Set in `left_out` only.  0: fewer than 19 points, which
	 * cannot tell. */
	double spread;
};

#define FIT_PARAMS_MAX 8

struct fit {
	enum fit_form form;
	/* Has parameters of this operation only. */
	struct formula_system system;
	struct fit_param params[FIT_PARAMS_MAX];
	unsigned n_params;
	struct fit_errors all;
	/* Cross-validation: each input predicted from the others.  Above 200
	 * inputs or 1000 points, a part at a time is left out: 1 of 200 parts.
	 * More points make fewer parts, at least 20. */
	struct fit_errors left_out;
	/* Every second size predicted from the others.  The largest size is
	 * never predicted. */
	struct fit_errors held_out;
};

/* All fits to one operation. */
struct fits {
	enum formula_operation operation;
	const struct point *points;
	size_t n;
	struct fit fits[FIT_FORMS];
	bool has[FIT_FORMS];
	/* The form with the least mean error of `left_out`, or of `all` where
	 * there is none.  A form later in the list must be better by a
	 * twentieth. */
	enum fit_form best;
};

/*
 * Fits all forms to points of one operation.  The points are sorted and stay
 * the caller's.  Returns 0; -EDOM if no form fits; or -ENOMEM.
 */
int fits_make(struct fits *fits, const struct point *points, size_t n,
	      const struct fit_rules *rules);
void fits_clear(struct fits *fits);

/* Fits one form, for fits_make; with intervals if `whole`. */
int fit_train(struct fit *fit, const struct point *points, size_t n,
	      const struct fit_rules *rules, bool whole);
bool fit_form_suits(enum fit_form form, enum formula_operation operation);

/*
 * Copies the parameters of a fit and its spread into a system, and its curve if
 * `form` is not one of the paper's.  The unit of transfer is that of `rules`.
 * Returns 0 or -ENOMEM.
 */
int fit_save(const struct fits *fits, enum fit_form form,
	     const struct fit_rules *rules, struct formula_system *system);

#endif
