/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_TRACE_H
#define BCS_CALLPATH_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#define CALLPATH_DEPTH  32
#define CALLPATH_FRAMES (CALLPATH_DEPTH + 8) /* some are left out */

/* One unwound stack: return addresses, and where each but the first lay. */
struct callpath_trace {
	uintptr_t addresses[CALLPATH_FRAMES];
	const uintptr_t *at[CALLPATH_FRAMES];
	unsigned n;
	bool located; /* all places are known: the path can be found again */
	uint32_t path;
};

/* Unwinds the caller's stack from the frame that `ra` returns to. */
void callpath_trace(struct callpath_trace *trace, uintptr_t ra);

/*
 * Sets how many frames a path has, and the libraries whose frames nearest to
 * MPI are left out: the one that holds the object `self`, and those with `name`
 * in their file name.  Once, before any path is looked up.
 */
void callpath_start(unsigned depth, const void *self, const char *name);

/* For the writer, at any time: the paths, numbered from 1 on. */
struct callpath_frame {
	uint32_t module;
	uint64_t offset;
};

struct callpath_path {
	struct callpath_path *next;
	uint64_t hash;
	uint32_t id;
	unsigned n_frames;
	struct callpath_frame frames[];
};

unsigned callpath_count(void);
const struct callpath_path *callpath_get(uint32_t id);

#endif
