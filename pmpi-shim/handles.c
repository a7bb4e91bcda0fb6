/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>

#include "mds/arena.h"
#include "pmpi-shim/handles.h"
#include "pmpi-shim/mpich.h"

/* 28 bits: 10 for the root, 10 for a branch, 8 for a leaf. */
#define LEAF_BITS   8
#define BRANCH_BITS 10

_Static_assert(HANDLES_ROOT ==
		       1 << (MPICH_HANDLE_BITS - BRANCH_BITS - LEAF_BITS),
	       "the tree takes all bits of a handle");

static void *_Atomic *branch_slot(void *branch, uint32_t number)
{
	return (void *_Atomic *)branch +
	       (number >> LEAF_BITS & ((1u << BRANCH_BITS) - 1));
}

static void *leaf_entry(const struct handles *handles, void *leaf,
			uint32_t number)
{
	return (char *)leaf +
	       (number & ((1u << LEAF_BITS) - 1)) * handles->entry_size;
}

void *handles_find(struct handles *handles, int handle)
{
	const uint32_t number = mpich_handle_number(handle);
	void *branch;
	void *leaf;

	/* Orders the pointers before the zeroes that they point at. */
	branch = atomic_load_explicit(
		&handles->root[number >> (BRANCH_BITS + LEAF_BITS)],
		memory_order_acquire);
	if (!branch)
		return NULL;
	leaf = atomic_load_explicit(branch_slot(branch, number),
				    memory_order_acquire);
	return leaf ? leaf_entry(handles, leaf, number) : NULL;
}

/* What the slot points at, made if need be; of two that make it one stays. */
static void *slot_fill(const struct handles *handles, void *_Atomic *slot,
		       size_t size)
{
	void *there = atomic_load_explicit(slot, memory_order_acquire);
	void *fresh;

	if (there)
		return there;
	fresh = handles->alloc ? handles->alloc(size) : arena_alloc(size);
	if (fresh && atomic_compare_exchange_strong(slot, &there, fresh))
		return fresh;
	return there;
}

void *handles_make(struct handles *handles, int handle)
{
	const uint32_t number = mpich_handle_number(handle);
	void *branch;
	void *leaf;

	branch = slot_fill(handles,
			   &handles->root[number >> (BRANCH_BITS + LEAF_BITS)],
			   sizeof(void *) << BRANCH_BITS);
	if (!branch)
		return NULL;
	leaf = slot_fill(handles, branch_slot(branch, number),
			 handles->entry_size << LEAF_BITS);
	return leaf ? leaf_entry(handles, leaf, number) : NULL;
}
