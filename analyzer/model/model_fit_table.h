/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MODEL_FIT_TABLE_H
#define BCS_MODEL_FIT_TABLE_H

#include "analyzer/show/table.h"
#include "model/fit.h"

/* Tables of n operations; the caller frees each. */
struct table *model_fit_errors(const struct fits *fits, size_t n);
struct table *model_fit_params(const struct fits *fits, size_t n);
struct table *model_fit_pieces(const struct fits *fits, size_t n);
/* PLogP's parameters, a row for each size. */
struct table *model_fit_logp(const struct logp *logp);

#endif
