/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_STRICT_H
#define SHIM_ROUTE_STRICT_H

/* BCS_STRICT: faults of messages that mostly do no harm. */
#include "pmpi-shim/route/p2p/route_request.h"

/*
 * In MPI_Init, after route_start(): standard sends become synchronous ones if
 * that is wanted.
 */
void route_strict_start(void);

/* The slow sides of what follows; only if route_strict is not 0. */
void route_strict_look_begin(const struct route_op *op,
			     struct route_request *r);
void route_strict_look_end(const struct route_op *op, struct route_request *r);
void route_strict_look_send(const struct route_buffer *out);
void route_strict_look_exchange(const struct route_buffer *out,
				const struct route_buffer *in);

/* A message is about to be posted; it is done.  `r` is its request, or NULL. */
static inline void route_strict_begin(const struct route_op *op,
				      struct route_request *r)
{
	if (__builtin_expect(route_strict, 0))
		route_strict_look_begin(op, r);
}

static inline void route_strict_end(const struct route_op *op,
				    struct route_request *r)
{
	if (__builtin_expect(route_strict, 0))
		route_strict_look_end(op, r);
}

/* A buffer is about to be sent from. */
static inline void route_strict_send(const struct route_buffer *out)
{
	if (__builtin_expect(route_strict, 0))
		route_strict_look_send(out);
}

/* A call sends from one buffer and receives into the other. */
static inline void route_strict_exchange(const struct route_buffer *out,
					 const struct route_buffer *in)
{
	if (__builtin_expect(route_strict, 0))
		route_strict_look_exchange(out, in);
}

#endif
