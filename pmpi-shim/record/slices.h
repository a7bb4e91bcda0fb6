/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_SLICES_H
#define SHIM_SLICES_H

#include <stdbool.h>
#include <stdint.h>

struct emds;

/*
 * The record of slices (mds/emds/emds.h), if it is wanted here; else NULL.  By
 * time those of a node are its leader's.
 */
struct emds *slices_start(uint64_t zero_ns, uint64_t first_ns, bool leads,
			  uint64_t budget);
/* There are no slices in this mode; says so to who wants them on record. */
void slices_none(void);
/*
 * Writes to the file what was done so far.  A signal handler may call it, too.
 */
void slices_flush(void);
void slices_stop(void);

#endif
