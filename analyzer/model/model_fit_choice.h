/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MODEL_FIT_CHOICE_H
#define BCS_MODEL_FIT_CHOICE_H

#include "analyzer/cli/options.h"
#include "model/fit.h"

enum model_fit_export {
	EXPORT_NONE,
	EXPORT_LOGGOPSIM,
	EXPORT_TEXT,
	EXPORT_JSON,
};

/* The options of `bcs model fit`, beside those of report_choice. */
struct model_fit_choice {
	const char *algorithm;
	enum formula_operation operation; /* FORMULA_OPERATIONS: all */
	struct fit_rules rules;
	const char *save; /* NULL: nothing is; - is stdout */
	const char *name;
	enum fit_form form; /* FIT_FORMS: the best */
	enum model_fit_export export;
	double overhead;
	bool plot;
	bool svg;
};

extern struct model_fit_choice model_fit_choice;

const struct option_spec *model_fit_choice_options(void);
/* Whether they go together; if not, it has said which do not. */
bool model_fit_choice_suits(void);

#endif
