/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_H
#define SHIM_HANG_H

/*
 * Finds ranks of this node that wait for each other only, says so, and does
 * what BCS_DEADLOCK says.  docs/internals/deadlock.md.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libbcs/base/deadlock.h"

/* For struct engine_options: a thread has waited some time. */
void hang_look(bool first, bool (*ready)(void *arg), void *arg);

/* Before and after the board is there. */
void hang_start(void);
void hang_stop(void);

/* The sentence about the dead of those processes, by rank. */
void hang_text(const struct deadlock_process *processes, uint32_t n, char *text,
	       size_t size);

#endif
