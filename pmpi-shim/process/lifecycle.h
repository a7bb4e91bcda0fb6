/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_LIFECYCLE_H
#define SHIM_LIFECYCLE_H

/* Around the call that is the first of all. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pmpi-shim/shim.h"

/* Before it. */
void lifecycle_prepare(void);
/*
 * After it: it took `ticks` and succeeded.  Collective over the world, if it
 * made one.
 */
void lifecycle_begin(enum shim_call call, uint64_t ticks, bool has_world);

/* How many sessions the program has. */
extern _Atomic int lifecycle_sessions;

#endif
