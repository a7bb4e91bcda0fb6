/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_TRACE_H
#define BCS_CALLPATH_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "mds/callpath_rule.h"

#define CALLPATH_DEPTH 32

/*
 * The paths of the process: each is the path of the frames nearer to MPI, and
 * one frame more.  0 is the empty one.
 */
struct callpath_step {
	uint32_t path;
	bool outside; /* of the libraries that are left out */
	struct callpath_rule rule;
};

/*
 * Goes on from a path that is, or is not, outside by the frame that `ra`
 * returns to.  False if there is no room for a new path.
 */
bool callpath_go_on(struct callpath_step *step, uintptr_t ra);

/* The same for a path that ends before it is outside. */
uint32_t callpath_inside(uintptr_t ra);

/* Calls were made from a path, so that it is written. */
void callpath_use(uint32_t path);

/*
 * Sets how many frames a path has, and the libraries whose frames nearest to
 * MPI are left out: the one that holds the object `self`, and those with `name`
 * in their file name.  Once, before any path is looked up.
 */
void callpath_start(unsigned depth, const void *self, const char *name);
extern unsigned callpath_depth;

/* For the writer, at any time: the paths, numbered from 1 on. */
struct callpath_frame {
	uint32_t module;
	uint64_t offset;
};

uint32_t callpath_count(void);
/* Its frames, nearest to MPI first; 0 if nothing was called from it. */
unsigned callpath_get(uint32_t path,
		      struct callpath_frame frames[CALLPATH_DEPTH]);

#endif
