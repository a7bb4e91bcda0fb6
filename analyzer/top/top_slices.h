/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TOP_SLICES_H
#define BCS_TOP_SLICES_H

#include "analyzer/show/table.h"
#include "analyzer/top/top_job.h"
#include "mds/flight/flight_read.h"

/* Adds the slices of the process's node, if its file has them. */
void top_slices_add(struct top_picture *picture,
		    const struct top_picture *before,
		    const struct flight *flight);
void top_slices_clear(struct top_picture *picture);
/* A row for each node; table_free. */
struct table *top_slices_table(const struct top_picture *picture);

#endif
