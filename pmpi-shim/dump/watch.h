/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_WATCH_H
#define SHIM_WATCH_H

/* The flight recorder of this process (mds/flight/flight.h). */
#include <stdbool.h>

#include "mds/base/slice_tally.h"

/* How often threads are looked at: what a killed process loses of a wait. */
#define WATCH_MS 500

/* Before watch_start: the slices of the node are shown, too; it stays. */
void watch_slices(const struct slice_tally *slices);
/* Once, before the first call is recorded. */
void watch_start(void);
/* Whether there is one. */
bool watch_is_on(void);
/* Shows what each thread has done, and waits for.  From one thread. */
void watch_look(void);
/* The record is complete, so the file goes. */
void watch_end(void);

#endif
