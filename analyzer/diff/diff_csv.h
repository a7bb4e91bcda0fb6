/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DIFF_CSV_H
#define BCS_DIFF_CSV_H

#include <stdbool.h>

#include "analyzer/show/table.h"

/* Whether all of these are measurements, FILE.csv, and none a record. */
bool diff_csv_is(int argc, char **argv);

/*
 * Compares two groups of files of `mpib_run --csv`, point by point.  A figure
 * that stands several times in a group, of several launches, is tested.  The
 * caller frees the table; NULL after a message.  *slower is the most that B is
 * surely slower at a point, in percent.
 */
struct table *diff_csv(int argc, char **argv, double *slower);

#endif
