/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_OUTCOMES_H
#define SHIM_OUTCOMES_H

/*
 * The file of this process's schedule (mds/schedule/schedule.h): what calls of
 * the program came to, where the program does not determine it. One thread at a
 * time calls these, but for outcomes_flush.
 */
#include <stdbool.h>
#include <stdint.h>

#include "pmpi-shim/record/again_calls.h"

/* After process_join.  False if nothing is recorded. */
bool outcomes_start(void);
void outcomes_stop(void);

/* Records the outcome of a call of the program. */
void outcomes_tell(enum shim_call call, uint64_t value);
void outcomes_tell_list(enum shim_call call, const int *list, int n);
void outcomes_tell_source(uint64_t source);
void outcomes_tell_slice(uint64_t slice);

/* Writes what there is; in a signal handler, too. */
void outcomes_flush(void);

#endif
