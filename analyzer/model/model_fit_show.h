/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MODEL_FIT_SHOW_H
#define BCS_MODEL_FIT_SHOW_H

#include "model/fit.h"

/*
 * Show, save or export the result of `bcs model fit`.  Each returns the exit
 * status; if it is not 0, the error was printed.
 */
/* With the parameters of PLogP, if `logp` has any. */
int model_fit_show(const struct fits *fits, size_t n, const struct logp *logp);
int model_fit_show_points(const struct points *points);

#endif
