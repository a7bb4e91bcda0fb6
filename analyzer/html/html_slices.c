/* SPDX-License-Identifier: BSD-3-Clause */

/* The slices of a run: their microphases over time, and a summary. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_run.h"
#include "analyzer/slices/series.h"
#include "analyzer/slices/slices_summary.h"

#define BINS 200
#define TOP  10 /* of the longest and the latest slices */

static const int parts[] = {
	EMDS_SR,  EMDS_DEM, EMDS_MSM,  EMDS_GET,  EMDS_P2P,
	EMDS_BBM, EMDS_RM,  EMDS_COPY, EMDS_FOLD, EMDS_POKE
};
#define N_PARTS (sizeof(parts) / sizeof(parts[0]))

static const struct table_column of_bins[] = {
	{ "from_ns", "", TABLE_TIME, 0, 0 },
	{ "to_ns", "", TABLE_TIME, 0, 0 },
	{ "slices", "", TABLE_COUNT, 0, 0 },
	{ "sr_ns", "", TABLE_EXACT, 0, 0 },
	{ "dem_ns", "", TABLE_EXACT, 0, 0 },
	{ "msm_ns", "", TABLE_EXACT, 0, 0 },
	{ "get_ns", "", TABLE_EXACT, 0, 0 },
	{ "p2p_ns", "", TABLE_EXACT, 0, 0 },
	{ "bbm_ns", "", TABLE_EXACT, 0, 0 },
	{ "rm_ns", "", TABLE_EXACT, 0, 0 },
	{ "copy_ns", "", TABLE_EXACT, 0, 0 },
	{ "fold_ns", "", TABLE_EXACT, 0, 0 },
	{ "poke_ns", "", TABLE_EXACT, 0, 0 },
	{ 0 },
};

static const struct table_column of_processes[] = {
	{ "processes", "", TABLE_COUNT, 0, 0 },
	{ 0 },
};

/* All series have the same bins: their values come at the same times. */
static void add_bins(struct html_run *r, const struct series *series)
{
	struct table *table = table_new("bins", "", of_bins, 0);

	for (size_t i = 0; i < series[0].n; i++) {
		const struct series_bin *bin = &series[0].bins[i];

		if (bin->n == 0)
			continue;
		table_row(table, 0);
		table_number(table, bin->from);
		table_number(table, bin->to);
		table_number(table, bin->n);
		for (size_t p = 0; p < N_PARTS; p++)
			table_real(table, series[p].bins[i].sum);
	}
	html_put_data(r, table);
}

static void take(struct slices *slices, struct slices_summary *summary,
		 struct series *series)
{
	struct slice slice;

	slices_summary_begin(summary);
	while (slices_next(slices, &slice)) {
		slices_summary_add(summary, &slice);
		for (size_t p = 0; p < N_PARTS; p++)
			series_add(&series[p], slice.begin,
				   slice.sum.value[parts[p]]);
	}
}

static void put(struct html_run *r, struct slices *slices)
{
	struct slices_summary summary = { .slices = slices, .top = TOP };
	struct series series[N_PARTS];
	struct table *tables[SLICES_TABLES_MAX];
	struct table *processes = table_new("slices", "", of_processes,
					    TABLE_ONE);
	size_t n;

	for (size_t p = 0; p < N_PARTS; p++)
		series_begin(&series[p], BINS);
	take(slices, &summary, series);
	add_bins(r, series);
	table_row(processes, 0);
	table_number(processes, slices->lanes.n);
	html_put_data(r, processes);
	html_put_chart(r, "slices", "Microphases over time");
	n = slices_summary_tables(&summary, tables);
	html_put_tables(r, tables, n);
	for (size_t i = 0; i < n; i++)
		table_free(tables[i]);
	for (size_t p = 0; p < N_PARTS; p++)
		series_end(&series[p]);
	slices_summary_clear(&summary);
}

int html_slices(struct html_run *r, bool *any)
{
	struct slices slices;
	int rc;

	*any = false;
	if (!lanes_are_there(r->report.run->path))
		return 0;
	rc = slices_open(&slices, r->report.run->path, NULL, 0, UINT64_MAX);
	if (rc != 0)
		return rc;
	*any = slices_are_left(&slices);
	if (*any)
		put(r, &slices);
	slices_close(&slices);
	return 0;
}
