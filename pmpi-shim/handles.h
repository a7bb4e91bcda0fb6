/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANDLES_H
#define SHIM_HANDLES_H

#include <stddef.h>

/*
 * Something of ours for each MPI handle of a kind, found in three loads and
 * without a lock: handles are numbers, so the map is a tree of arrays that are
 * made when first needed.  Two threads may use the map at once, but not the
 * same handle: MPI does not let them either.
 */
#define HANDLES_ROOT 1024

struct handles {
	size_t entry_size;
	/* Zeroed memory, which stays; NULL: the record's, as it lasts. */
	void *(*alloc)(size_t bytes);
	void *_Atomic root[HANDLES_ROOT];
};

/* The zeroed or last written entry of `handle`; NULL if it never had one. */
void *handles_find(struct handles *handles, int handle);
/* Makes it where it is not there; NULL if there is no room. */
void *handles_make(struct handles *handles, int handle);

#endif
