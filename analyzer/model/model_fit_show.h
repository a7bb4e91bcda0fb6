/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MODEL_FIT_SHOW_H
#define BCS_MODEL_FIT_SHOW_H

#include "model/fit.h"

/* What `bcs model fit` shows, saves or exports; each returns the exit status,
 * and has said why that is not 0. */
int model_fit_show(const struct fits *fits, size_t n);
int model_fit_show_points(const struct points *points);

#endif
