/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_SWEEP_H
#define BCS_MPIB_SWEEP_H

#include "mpib_options.h"

/*
 * Calls `measure` for each size of the options.  `of` is what it measures; it
 * tells in seconds what a size took, by which sizes are chosen.  Ends at the
 * first error, and returns it.
 */
typedef int mpib_measure_size(const struct mpib_options *options,
			      const void *of, int bytes, double *seconds);
int mpib_sweep(const struct mpib_options *options, mpib_measure_size *measure,
	       const void *of);

/* Of options->what: each way, or --algorithm, with and without computing. */
int mpib_sweep_patterns(const struct mpib_options *options);
int mpib_sweep_nonblocking(const struct mpib_options *options);

/* PLogP's parameters of ranks 0 and 1. */
int mpib_sweep_plogp(const struct mpib_options *options);

/* Says that wrong bytes arrived, if so; passes the error on. */
int mpib_sweep_checked(int rc, const char *what, const char *by, int bytes);

#endif
