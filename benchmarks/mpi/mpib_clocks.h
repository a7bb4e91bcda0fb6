/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_CLOCKS_H
#define BCS_MPIB_CLOCKS_H

#include "mpib_options.h"

/*
 * Ranks of one host have the same clock: what messages find is their error.
 * Prints medians, 90 % and the most of the error and of the bound, in ns, and
 * how often the error was beyond the bound.  0 or -errno.
 */
int mpib_clocks_compare(const struct mpib_options *options);

#endif
