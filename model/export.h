/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_H
#define BCS_EXPORT_H

#include <stdio.h>

#include "model/fit.h"

/*
 * Writes the options of LogGOPSim from what was fitted to p2p.
 *
 * Round trips give L + 2o and G. The caller gives o and g, in microseconds.
 * O is 0.  S is the largest message before the
 * greatest step of the piecewise line.
 *
 * LogGOPSim takes ints.  The unit of time is therefore the finest of fs, ps and
 * ns in which L + 2o fits.  Returns -EDOM if p2p has no LogGP fit, or o is more
 * than half of L + 2o.
 */
int export_loggopsim(const struct fits *p2p, double overhead, double gap,
		     FILE *to);

/*
 * Writes measurements for Extra-P, in its text format or as lines of JSON.  In
 * both formats all regions share the points, so -EINVAL if they are of several
 * operations.
 */
int export_extrap_text(const struct points *points, FILE *to);
int export_extrap_json(const struct points *points, FILE *to);

#endif
