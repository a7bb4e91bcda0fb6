/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_H
#define BCS_EXPORT_H

#include <stdio.h>

#include "model/fit.h"

/*
 * The options of LogGOPSim, from what was fitted to p2p.  Round trips tell
 * L + 2o and G; o is what the caller says (us), and g is no less.  O is 0.  S
 * is the largest message before the greatest step of the line in pieces.  They
 * are whole numbers there, ints; so the unit of time is the finest of fs, ps
 * and ns in which these hold L + 2o.  -EDOM if p2p has no LogGP or o is more
 * than half of L + 2o.
 */
int export_loggopsim(const struct fits *p2p, double overhead, FILE *to);

/*
 * Measurements for Extra-P, as its text format or as lines of JSON.  In either
 * all regions share the points; so -EINVAL if they are not of one operation.
 */
int export_extrap_text(const struct points *points, FILE *to);
int export_extrap_json(const struct points *points, FILE *to);

#endif
