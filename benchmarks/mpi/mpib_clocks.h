/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_CLOCKS_H
#define BCS_MPIB_CLOCKS_H

#include "mpib_options.h"

/*
 * Checks clocks between ranks of one host, which have the same: any offset that
 * messages find is their error.  Prints median, 90 % and maximum of the error
 * and of the bound, in ns, and how often the error exceeded the bound.  Returns
 * 0 or -errno.
 */
int mpib_clocks_compare(const struct mpib_options *options);

#endif
