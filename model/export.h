/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_H
#define BCS_EXPORT_H

#include <stdio.h>

#include "model/fit.h"

/*
 * The options of LogGOPSim, from what was fitted to p2p.  Round trips tell
 * L + 2o and G; o is what the caller says (us), and g is no less.  O is 0.  S
 * is the largest message before the greatest step of the line in pieces.  They
 * are whole numbers there, so that the unit of time is a picosecond unless L is
 * longer than 2 ms.  -EDOM if p2p has no LogGP or o is more than half of L +
 * 2o.
 */
int export_loggopsim(const struct fits *p2p, double overhead, FILE *to);

/*
 * Measurements for Extra-P, by what the operations of the first point depend
 * on: its text format, whose points all regions share, so that all are to be of
 * one operation (-EINVAL if they are not); or lines of JSON.
 */
int export_extrap_text(const struct points *points, FILE *to);
void export_extrap_json(const struct points *points, FILE *to);

#endif
