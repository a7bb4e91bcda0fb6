/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_NODE_H
#define BCS_FABRIC_NODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The fabric of a node: loads, stores and futexes in memory that all members
 * share.  Members are processes, which may map it at different addresses, or
 * threads.  A transfer is complete when core_xfer_and_signal returns.  Other
 * operations wait meanwhile, so large payloads go by copy.h instead.
 */
struct fabric;

/* Bytes of shared memory for `n` members with `bytes` of global memory each. */
size_t fabric_node_size(uint32_t n, uint64_t bytes);

/*
 * Prepares shared memory for `n` members.  One member does it before any other
 * attaches.  The memory left beside the heads is divided equally; its old
 * content does not matter.  Returns 0; -EINVAL if `size` is too small or
 * `region` is not aligned to a cache line; -errno.
 */
int fabric_node_format(void *region, size_t size, uint32_t n);

/*
 * Makes the calling thread member `me`.  When this thread ends without
 * detaching, the others find the member dead; so call it from a thread that
 * lives as long as its process.  Any thread of the process may use the fabric.
 *
 * Returns 0, and sets *fabric_p on success only. -EINVAL: the region was not
 * formatted with this size, or has no member `me`. -EBUSY:  `me` is attached
 * already, or died.  Or -ENOMEM.
 */
int fabric_node_attach(struct fabric **fabric_p, void *region, size_t size,
		       uint32_t me);

/*
 * Leaves the fabric: others find the member gone and no longer write to its
 * memory.  Call it from the thread that attached, before the memory is
 * unmapped, when no other thread uses the fabric.  NULL is fine.
 */
void fabric_node_detach(struct fabric *fabric);

#endif
