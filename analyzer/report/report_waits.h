/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPORT_WAITS_H
#define BCS_REPORT_WAITS_H

#include "analyzer/report/report.h"
#include "analyzer/waits/waits.h"

#define SUM_COLUMNS                                                            \
	{ "count", "Count", TABLE_COUNT, 0, TABLE_BY_COUNT },                  \
		{ "total_ns", "Total", TABLE_TIME, TABLE_UNIT_B,               \
		  TABLE_BY_TIME },                                             \
		{ "share_percent", "Share", TABLE_SHARE, 0, 0 },               \
		{ "average_ns", "Average", TABLE_TIME, TABLE_UNIT_A, 0 },      \
		{ "p50_ns", "p50", TABLE_TIME, TABLE_UNIT_A | TABLE_WIDE, 0 }, \
		{ "p99_ns", "p99", TABLE_TIME, TABLE_UNIT_A | TABLE_WIDE, 0 }, \
	{                                                                      \
		"max_ns", "Max", TABLE_TIME, TABLE_UNIT_A, TABLE_BY_MAX        \
	}

/* All that is shown is of these. */
struct report_waits_showing {
	struct report *report;
	const struct waits *waits;
	uint64_t total; /* of all calls */
};

/* The cells of SUM_COLUMNS, and those of a site and its call. */
void report_waits_sum(const struct report_waits_showing *showing,
		      struct table *table, const struct waits_sum *sum);
void report_waits_place(const struct waits *waits, struct table *table,
			uint32_t place);

/* Add their tables to the section. */
void report_waits_sites(const struct report_waits_showing *showing);
void report_waits_instances(const struct report_waits_showing *showing);

#endif
