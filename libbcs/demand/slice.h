/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SLICE_H
#define BCS_SLICE_H

/*
 * A slice: its microphases, one after the other.  Where slices are on record
 * (mds/emds/emds.h) it also says what it did.  All with the token.
 */
#include "libbcs/demand/engine.h"

void slice_run(struct engine *engine);

/* No more slices; what is left of their record. */
void slice_end(struct engine *engine);

#endif
