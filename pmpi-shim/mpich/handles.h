/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANDLES_H
#define SHIM_HANDLES_H

#include <stdatomic.h>
#include <stddef.h>

#include "abi.h"

/*
 * Maps an MPI handle to an entry of ours, in three loads and without a lock.
 * Handles are numbers, so the map is a tree of arrays, made when first needed.
 * Two threads may use the map at once, but not the same handle: MPI does not
 * allow that either.
 */
/* 28 bits: 10 for the root, 10 for a branch, 8 for a leaf. */
#define HANDLES_ROOT        1024
#define HANDLES_BRANCH_BITS 10
#define HANDLES_LEAF_BITS   8

struct handles {
	size_t entry_size;
	/* Zeroed memory, which stays; NULL: the record's, as it lasts. */
	void *(*alloc)(size_t bytes);
	void *_Atomic root[HANDLES_ROOT];
};

static inline void *_Atomic *handles_root_slot(struct handles *handles,
					       uint32_t number)
{
	return &handles->root[number >>
			      (HANDLES_BRANCH_BITS + HANDLES_LEAF_BITS)];
}

static inline void *_Atomic *handles_branch_slot(void *branch, uint32_t number)
{
	return (void *_Atomic *)branch + (number >> HANDLES_LEAF_BITS &
					  ((1u << HANDLES_BRANCH_BITS) - 1));
}

static inline void *handles_leaf_entry(const struct handles *handles,
				       void *leaf, uint32_t number)
{
	return (char *)leaf +
	       (number & ((1u << HANDLES_LEAF_BITS) - 1)) * handles->entry_size;
}

/* The zeroed or last written entry of `handle`; NULL if it never had one. */
static inline void *handles_find(struct handles *handles, int handle)
{
	const uint32_t number = abi_handle_number(handle);
	void *branch;
	void *leaf;

	/* Orders the pointers before the zeroes that they point at. */
	branch = atomic_load_explicit(handles_root_slot(handles, number),
				      memory_order_acquire);
	if (!branch)
		return NULL;
	leaf = atomic_load_explicit(handles_branch_slot(branch, number),
				    memory_order_acquire);
	return leaf ? handles_leaf_entry(handles, leaf, number) : NULL;
}

/* Makes it where it is not there; NULL if there is no room. */
void *handles_make(struct handles *handles, int handle);

/*
 * Calls `use` for each entry that there is room for, whether it was written or
 * not, with the handle's number (abi.h).
 */
void handles_each(const struct handles *handles,
		  void (*use)(void *entry, uint32_t number));

static inline void *handles_get(struct handles *handles, int handle)
{
	void *entry = handles_find(handles, handle);

	return __builtin_expect(entry != NULL, 1)
		       ? entry
		       : handles_make(handles, handle);
}

#endif
