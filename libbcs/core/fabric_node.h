/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_NODE_H
#define BCS_FABRIC_NODE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The fabric of a node: loads, stores and futexes in memory that all members
 * share, be they processes, which may have it at different addresses, or
 * threads.  A transfer is complete when core_xfer_and_signal returns; until
 * then other operations wait, so that what is large goes by copy.h.
 */
struct fabric;

/* Bytes of shared memory for `n` members with `bytes` of global memory each. */
size_t fabric_node_size(uint32_t n, uint64_t bytes);

/*
 * Prepares shared memory for `n` members.  One of them does it, before all
 * others attach.  Each gets an equal part of what `size` leaves for global
 * memory; what was there is of no matter.  Returns 0; -EINVAL if there is no
 * room or `region` is not aligned to a cache line; -errno.
 */
int fabric_node_format(void *region, size_t size, uint32_t n);

/*
 * Makes the calling thread member `me`, until it detaches or ends: when it ends
 * in whatever way, the others find the member dead, so that it should be a
 * thread that lives as long as its process.  Any thread of the process may use
 * the fabric.
 *
 * Returns 0; -EINVAL if the region is not a formatted one of this size, or `me`
 * no member of it; -EBUSY if there is such a member, or was one that died;
 * -ENOMEM.  *fabric_p is set on success only.
 */
int fabric_node_attach(struct fabric **fabric_p, void *region, size_t size,
		       uint32_t me);

/*
 * By the thread that attached, before the memory is unmapped, when no other of
 * the process uses the fabric any more.  NULL is fine.  Others find the member
 * gone, and write nothing to its memory from now on.
 */
void fabric_node_detach(struct fabric *fabric);

#endif
