/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include <stdbool.h>

#include "model/points.h"

/* Whether a path is a record, or a file of one, rather than measurements. */
bool model_record_is(const char *path);

/*
 * Adds the points of a record: one for each operation and size.  Returns 0, or
 * 2 after it has printed the error.  Cells that are left out are warned of.
 */
int model_record_read(struct points *points, const char *path);

#endif
