/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_OVERLAP_H
#define SHIM_ROUTE_OVERLAP_H

/*
 * Whether buffers share bytes, whatever their datatypes leave out.  For
 * BCS_STRICT only: it may take as long as several copies.
 */
#include <stdbool.h>

#include "pmpi-shim/route/base/route_op.h"

#define ROUTE_OVERLAP_MOST   \
	(                    \
		UINT64_C(64) \
		<< 20) /* bytes; of larger ones with gaps nothing is told */

bool route_buffers_overlap(const struct route_buffer *a,
			   const struct route_buffer *b);
/* Whether two of them do; puts them in another order. */
bool route_blocks_overlap(struct route_buffer blocks[], size_t n);

#endif
