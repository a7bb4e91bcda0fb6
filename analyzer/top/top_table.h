/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TOP_TABLE_H
#define BCS_TOP_TABLE_H

#include "analyzer/show/table.h"
#include "analyzer/top/top_job.h"

/*
 * Tables of a picture: of people a head, then the threads.  They refer to the
 * picture; table_free.
 */
struct table *top_table_head(const struct top_picture *picture);
struct table *top_table_rows(const struct top_picture *picture, bool machine);

#endif
