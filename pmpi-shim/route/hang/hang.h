/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_H
#define SHIM_HANG_H

/*
 * Finds ranks that wait for each other only, says so, and does what
 * BCS_DEADLOCK says.  docs/internals/deadlock.md.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libbcs/base/deadlock.h"

/* For struct engine_options: a thread has waited some time. */
void hang_look(bool first, bool (*ready)(void *arg), void *arg);

/* Before and after the board is there; of all processes. */
void hang_start(void);
void hang_stop(void);

/* Where the threads of a process wait, by group; empty if that is unknown. */
#define HANG_PLACE 80
typedef char hang_places[BLOCKED_GROUPS][HANG_PLACE];

/* The sentence about the dead of those processes, by rank. */
void hang_text(const struct deadlock_process *processes, hang_places *places,
	       uint32_t n, char *text, size_t size);

/* Keeps the sentence for the record. */
void hang_text_keep(const char *text);
/* Ends the job, once the record of this node's processes is written. */
void hang_write(void);
void hang_abort(void);

#endif
