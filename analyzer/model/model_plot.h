/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MODEL_PLOT_H
#define BCS_MODEL_PLOT_H

#include "model/fit.h"

/*
 * The best fit of each of n operations against what was measured, both axes by
 * logarithms: to stdout, for people, or as SVG.
 */
void model_plot_text(const struct fits *fits, size_t n, unsigned width);
void model_plot_svg(const struct fits *fits, size_t n);

#endif
