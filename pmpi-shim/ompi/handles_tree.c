/* SPDX-License-Identifier: BSD-3-Clause */
#include "handles.h"
#include "mds/base/arena.h"

static struct handles_node *node_new(const struct handles *handles,
				     abi_handle handle)
{
	struct handles_node *node = arena_alloc(sizeof(*node) +
						handles->entry_size);

	if (node)
		node->handle = handle;
	return node;
}

/* If two threads make a node in one place, that of the other stays. */
void *handles_make(struct handles *handles, abi_handle handle)
{
	uint64_t hash = abi_handle_hash(handle);
	struct handles_node *_Atomic *slot = handles_root_slot(handles, hash);
	struct handles_node *fresh = NULL;
	struct handles_node *node;

	for (;;) {
		/* Orders the pointer before the node that it points at. */
		node = atomic_load_explicit(slot, memory_order_acquire);
		if (!node && !fresh && !(fresh = node_new(handles, handle)))
			return NULL;
		if (!node && atomic_compare_exchange_strong(slot, &node, fresh))
			return fresh->entry;
		if (node->handle == handle)
			return node->entry;
		slot = &node->children[hash >> 52 & 3];
		hash <<= 2;
	}
}

static void each_below(struct handles_node *node,
		       void (*use)(void *entry, abi_number number))
{
	if (!node)
		return;
	use(node->entry, (abi_number)node->handle);
	for (int i = 0; i < 4; i++)
		/* Orders the pointer before the node that it points at. */
		each_below(atomic_load_explicit(&node->children[i],
						memory_order_acquire),
			   use);
}

void handles_each(const struct handles *handles,
		  void (*use)(void *entry, abi_number number))
{
	for (int i = 0; i < HANDLES_ROOT; i++)
		/* Orders the pointer before the node that it points at. */
		each_below(atomic_load_explicit(&handles->root[i],
						memory_order_acquire),
			   use);
}
