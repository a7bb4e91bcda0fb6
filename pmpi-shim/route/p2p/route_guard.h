/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_GUARD_H
#define SHIM_ROUTE_GUARD_H

/*
 * BCS_STRICT=pages: the buffers of receives are closed until the program
 * completes them.
 */
#include "pmpi-shim/route/p2p/route_request.h"

/* In MPI_Init, before the first message. */
void route_guard_start(void);

/* A receive that does not block is about to be posted. */
void route_guard_begin(struct route_request *r);

/* The program completed it, or will never do so: the buffer is open again. */
void route_guard_end(const struct route_request *r);

#endif
