/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_NO_CORE_H
#define SHIM_NO_CORE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How long the thread that called MPI_Init was ready to run but had no core,
 * while it was recorded.
 */

/* From now on; once more after a reset.  Call it in that thread. */
void no_core_begin(void);
/* Not after this moment. */
void no_core_end(void);
/* False if Linux does not tell.  Is async-signal-safe. */
bool no_core_get(uint64_t *ns);

#endif
