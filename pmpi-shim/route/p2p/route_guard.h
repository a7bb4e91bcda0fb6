/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_GUARD_H
#define SHIM_ROUTE_GUARD_H

/*
 * BCS_STRICT=pages: closes the buffers of nonblocking receives until the
 * program completes these.
 */
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"

/* Called in MPI_Init, before the first message. */
void route_guard_start(void);

/* Before a nonblocking receive is posted: closes its buffer. */
void route_guard_begin(struct route_request *r);

/* Whether it did: an access to the buffer will be told of. */
bool route_guard_has(const struct route_request *r);

/* The program completed the receive, or freed it: opens the buffer. */
void route_guard_end(const struct route_request *r);

/* A call was given this memory; `tells` unless another finding does. */
void route_guard_open(const void *at, uint64_t bytes, bool tells);

/* Likewise, of a collective. */
static inline void route_guard_given(const void *at, uint64_t bytes)
{
	if (__builtin_expect(route_strict, 0))
		route_guard_open(at, bytes, true);
}

#endif
