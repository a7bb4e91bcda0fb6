/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>

#include "handles.h"
#include "mds/base/arena.h"

_Static_assert(HANDLES_ROOT == 1 << (ABI_HANDLE_BITS - HANDLES_BRANCH_BITS -
				     HANDLES_LEAF_BITS),
	       "the tree takes all bits of a handle");

/*
 * Returns the object that a slot points to, and makes it if needed. If two
 * threads make one at once, one of the two stays.
 */
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
	const uint32_t number = abi_handle_number(handle);
	void *branch;
	void *leaf;

	branch = slot_fill(handles, handles_root_slot(handles, number),
			   sizeof(void *) << HANDLES_BRANCH_BITS);
	if (!branch)
		return NULL;
	leaf = slot_fill(handles, handles_branch_slot(branch, number),
			 handles->entry_size << HANDLES_LEAF_BITS);
	return leaf ? handles_leaf_entry(handles, leaf, number) : NULL;
}

static void each_of_leaf(const struct handles *handles, void *leaf,
			 uint32_t first,
			 void (*use)(void *entry, uint32_t number))
{
	for (uint32_t i = 0; leaf && i < 1u << HANDLES_LEAF_BITS; i++)
		use(handles_leaf_entry(handles, leaf, i), first + i);
}

static void each_of_branch(const struct handles *handles, void *branch,
			   uint32_t first,
			   void (*use)(void *entry, uint32_t number))
{
	void *_Atomic *leaf = branch;

	for (uint32_t i = 0; branch && i < 1u << HANDLES_BRANCH_BITS; i++)
		/* Orders the pointer before what it points at. */
		each_of_leaf(
			handles,
			atomic_load_explicit(&leaf[i], memory_order_acquire),
			first + (i << HANDLES_LEAF_BITS), use);
}

void handles_each(const struct handles *handles,
		  void (*use)(void *entry, uint32_t number))
{
	const unsigned bits = HANDLES_BRANCH_BITS + HANDLES_LEAF_BITS;

	for (uint32_t i = 0; i < HANDLES_ROOT; i++)
		/* Orders the pointer before what it points at. */
		each_of_branch(handles,
			       atomic_load_explicit(&handles->root[i],
						    memory_order_acquire),
			       i << bits, use);
}
