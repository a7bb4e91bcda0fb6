/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_PEER_COLUMNS_H
#define SHIM_PEER_COLUMNS_H

/* The columns `peer`, `tag` and `communicator` of a record's tables. */
#include <stdbool.h>

#include "mds/mmds/mmds.h"
#include "mds/record/record.h"

/* Peer or tag; nothing unless it is `there`. */
static inline void peer_columns_rank_or_tag(struct record_writer *writer,
					    bool there, int value)
{
	if (!there)
		record_put_str(writer, "");
	else if (value < 0)
		record_put_str(writer, "any");
	else
		record_put_u64(writer, (uint64_t)value);
}

/* Its row; MMDS_NONE: nothing. */
static inline void peer_columns_comm(struct record_writer *writer, uint32_t row)
{
	if (row == MMDS_NONE)
		record_put_str(writer, "");
	else
		record_put_u64(writer, row);
}

#endif
