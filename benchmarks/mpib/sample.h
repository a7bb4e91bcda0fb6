/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_SAMPLE_H
#define BCS_MPIB_SAMPLE_H

#include "mpib.h"

double sample_mean(const double *samples, int n);

/* Half the width of the mean's interval, by Student's t; infinite for n = 1. */
double sample_error(const double *samples, int n, double confidence);

/*
 * Fills in median, low, high, least and most.  The interval is the bootstrap's,
 * the same for the same samples and seed.
 */
int sample_median(const double *samples, int n, double confidence,
		  uint64_t seed, struct mpib_result *result);

#endif
