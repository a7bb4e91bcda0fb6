/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANDLES_H
#define SHIM_HANDLES_H

#include <stdatomic.h>
#include <stddef.h>

#include "abi.h"

/*
 * Maps an MPI handle to an entry of ours without a lock, as mpich/handles.h
 * does.  Handles are addresses, so the map is a tree by their hash: a node has
 * four children, by the hash's next two bits.  Nodes stay: MPI gives an address
 * that was freed to its next object.
 */
#define HANDLES_ROOT 1024

struct handles_node {
	abi_handle handle;
	struct handles_node *_Atomic children[4];
	char entry[]; /* aligned as pointers are */
};

struct handles {
	size_t entry_size;
	struct handles_node *_Atomic root[HANDLES_ROOT];
};

static inline struct handles_node *_Atomic *
handles_root_slot(struct handles *handles, uint64_t hash)
{
	return &handles->root[hash >> 54];
}

/* The zeroed or last written entry of `handle`; NULL if it never had one. */
static inline void *handles_find(struct handles *handles, abi_handle handle)
{
	uint64_t hash = abi_handle_hash(handle);
	struct handles_node *_Atomic *slot = handles_root_slot(handles, hash);
	struct handles_node *node;

	/* Orders the pointer before the node that it points at. */
	while ((node = atomic_load_explicit(slot, memory_order_acquire))) {
		if (node->handle == handle)
			return node->entry;
		slot = &node->children[hash >> 52 & 3];
		hash <<= 2;
	}
	return NULL;
}

/* Makes it where it is not there; NULL if there is no room. */
void *handles_make(struct handles *handles, abi_handle handle);

/*
 * Calls `use` for each entry, whether it was written or not, with the handle's
 * number (abi.h).
 */
void handles_each(const struct handles *handles,
		  void (*use)(void *entry, abi_number number));

static inline void *handles_get(struct handles *handles, abi_handle handle)
{
	void *entry = handles_find(handles, handle);

	return __builtin_expect(entry != NULL, 1)
		       ? entry
		       : handles_make(handles, handle);
}

#endif
