/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts the rows of all processes together into slices, in order. */
#include <string.h>

#include "analyzer/slices/slices.h"

int slices_open(struct slices *slices, const char *path, const char *ranks,
		uint64_t from, uint64_t to)
{
	*slices = (struct slices){ .from = from, .to = to };
	return lanes_open(&slices->lanes, path, ranks);
}

void slices_close(struct slices *slices)
{
	lanes_close(&slices->lanes);
}

static struct lane *next_wanted(struct slices *slices)
{
	struct lane *lane;
	uint64_t number;

	while ((lane = lanes_next(&slices->lanes))) {
		number = lane->row.value[EMDS_SLICE];
		if (number >= slices->from && number <= slices->to)
			return lane;
	}
	return NULL;
}

bool slices_are_left(struct slices *slices)
{
	if (!slices->next)
		slices->next = next_wanted(slices);
	return slices->next != NULL;
}

struct lane *slices_row(struct slices *slices)
{
	struct lane *lane = slices->next ? slices->next : next_wanted(slices);

	slices->next = NULL;
	return lane;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void slice_begin(struct slice *slice, const struct lanes *lanes,
			const struct lane *lane)
{
	*slice = (struct slice){
		.number = lanes_number(lanes, lane),
		.begin = lane->row.value[EMDS_BEGIN],
	};
}

static void add_row(struct slice *slice, const struct emds_row *row)
{
	for (int i = 0; i < EMDS_COLUMNS; i++) {
		slice->sum.value[i] += row->value[i];
		slice->max.value[i] = greater(slice->max.value[i],
					      row->value[i]);
	}
}

static void slice_add(struct slice *slice, const struct lane *lane)
{
	const struct emds_row *row = &lane->row;
	const uint64_t begin = row->value[EMDS_BEGIN];

	if (slice->n_lanes == 0 ||
	    row->value[EMDS_TIME] > slice->max.value[EMDS_TIME])
		slice->slowest = lane->rank;
	if (slice->n_lanes == 0 || begin > slice->max.value[EMDS_BEGIN])
		slice->latest = lane->rank;
	add_row(slice, row);
	if (begin < slice->begin)
		slice->begin = begin;
	/* A row of several slices does not say when they ended. */
	slice->end = greater(slice->end,
			     row->value[EMDS_SLICES] > 1
				     ? begin
				     : begin + row->value[EMDS_TIME]);
	if (row->value[EMDS_GTTS])
		slice->strobe = begin;
	slice->own_since = greater(slice->own_since, lane->since);
	slice->n_lanes++;
}

static void slice_finish(struct slices *slices, struct slice *slice)
{
	const uint64_t begin = slice->strobe ? slice->strobe : slice->begin;

	if (slices->begun && begin > slices->before)
		slice->since = begin - slices->before;
	slice->steps = slices->begun && slices->lanes.by_time
			       ? slice->number - slices->number_before
			       : 1;
	slices->before = begin;
	slices->number_before = slice->number;
	slices->begun = true;
}

bool slices_next(struct slices *slices, struct slice *slice)
{
	struct lane *lane = slices_row(slices);

	if (!lane)
		return false;
	slice_begin(slice, &slices->lanes, lane);
	do {
		slice_add(slice, lane);
		lane = next_wanted(slices);
	} while (lane && slices->lanes.by_time &&
		 lanes_number(&slices->lanes, lane) == slice->number);
	slices->next = lane;
	slice_finish(slices, slice);
	return true;
}

static uint64_t of_getts(const struct slice *slice,
			 const struct slices_metric *metric)
{
	(void)metric;
	return slice->steps ? slice->since / slice->steps : slice->since;
}

static uint64_t of_letts(const struct slice *slice,
			 const struct slices_metric *metric)
{
	(void)metric;
	return slice->own_since;
}

static uint64_t of_sum(const struct slice *slice,
		       const struct slices_metric *metric)
{
	return slice->sum.value[metric->column];
}

static uint64_t of_max(const struct slice *slice,
		       const struct slices_metric *metric)
{
	return slice->max.value[metric->column];
}

/* clang-format off */
const struct slices_metric slices_metrics[] = {
	{ "getts", "from begin to begin of two slices",
	  TABLE_TIME, SLICES_GLOBAL, -1, of_getts },
	{ "gtdem", "until all nodes exchanged descriptors",
	  TABLE_TIME, SLICES_GLOBAL, EMDS_GTDEM, of_max },
	{ "gtmsm", "from then until all nodes scheduled",
	  TABLE_TIME, SLICES_GLOBAL, EMDS_GTMSM, of_max },
	{ "gtts", "until all nodes ended the slice",
	  TABLE_TIME, SLICES_GLOBAL, EMDS_GTTS, of_max },
	{ "usrsts", "looks before the last slice was over", TABLE_COUNT,
	  SLICES_GLOBAL, EMDS_USRSTS, of_sum },
	{ "usrdem", "looks before the exchange was over",
	  TABLE_COUNT, SLICES_GLOBAL, EMDS_USRDEM, of_sum },
	{ "usrmsm", "looks before the scheduling was over", TABLE_COUNT,
	  SLICES_GLOBAL, EMDS_USRMSM, of_sum },
	{ "polls", "looks while another thread ran a slice", TABLE_COUNT,
	  SLICES_DEMAND, EMDS_POLLS, of_sum },
	{ "batches", "full batches of descriptors", TABLE_COUNT,
	  SLICES_DEMAND, EMDS_BATCHES, of_sum },
	{ "left", "messages without a receive so far", TABLE_COUNT,
	  SLICES_DEMAND, EMDS_LEFT, of_sum },
	{ "letts", "from begin to begin, in one process", TABLE_TIME, SLICES_LOCAL, -1,
	  of_letts },
	{ "ltdem", "descriptor exchange", TABLE_TIME, SLICES_LOCAL, EMDS_DEM, of_max },
	{ "ltmsm", "message scheduling", TABLE_TIME, SLICES_LOCAL, EMDS_MSM, of_max },
	{ "ltp2p", "point-to-point", TABLE_TIME, SLICES_LOCAL, EMDS_P2P, of_max },
	{ "ltbbm", "broadcast and barrier", TABLE_TIME, SLICES_LOCAL, EMDS_BBM,
	  of_max },
	{ "ltrm", "reduce", TABLE_TIME, SLICES_LOCAL, EMDS_RM, of_max },
	{ "ltts", "longest slice of a process", TABLE_TIME, SLICES_LOCAL,
	  EMDS_TIME, of_max },
	{ "copy", "large copies after the slice", TABLE_TIME, SLICES_LOCAL, EMDS_COPY,
	  of_sum },
	{ "fold", "large reductions after the slice",
	  TABLE_TIME, SLICES_LOCAL, EMDS_FOLD, of_sum },
	{ "poke", "MPI's own progress after the slice",
	  TABLE_TIME, SLICES_LOCAL, EMDS_POKE, of_sum },
	{ "late", "delay of the latest process", TABLE_TIME, SLICES_STROBE,
	  EMDS_LATE, of_max },
	{ "np2pdem", "descriptors of messages exchanged", TABLE_COUNT, SLICES_LOCAL,
	  EMDS_P2P_DEM, of_sum },
	{ "np2pmsm", "messages scheduled", TABLE_COUNT, SLICES_LOCAL, EMDS_P2P_MSM,
	  of_sum },
	{ "ncolldem", "collectives taken in", TABLE_COUNT,
	  SLICES_LOCAL, EMDS_COLL_DEM, of_sum },
	{ "ncollmsm", "collectives that made progress", TABLE_COUNT, SLICES_LOCAL,
	  EMDS_COLL_MSM, of_sum },
	{ "bytes", "bytes moved", TABLE_BYTES, SLICES_LOCAL, EMDS_BYTES, of_sum },
	{ "carried", "pieces left for the next slice", TABLE_COUNT, SLICES_LOCAL,
	  EMDS_CARRIED, of_sum },
	{ "bpts", "blocked processes", TABLE_COUNT, SLICES_LOCAL, EMDS_BLOCKED,
	  of_max },
	{ "helper", "slices run by a helper thread",
	  TABLE_COUNT, SLICES_LOCAL, EMDS_HELPER, of_sum },
	{ NULL, NULL, TABLE_COUNT, SLICES_LOCAL, -1, NULL },
};
/* clang-format on */

const struct slices_metric *slices_metric_find(const char *name)
{
	for (const struct slices_metric *m = slices_metrics; m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

bool slices_metric_exists(const struct slices_metric *metric, bool by_time)
{
	return metric->whose == SLICES_LOCAL ||
	       (metric->whose == SLICES_DEMAND) != by_time;
}

bool slices_metric_is_there(const struct slices_metric *metric,
			    uint32_t columns)
{
	return metric->column < 0 || columns >> metric->column & 1;
}

bool slices_metric_is_known(const struct slices_metric *metric,
			    const struct slice *slice)
{
	return metric->column >= 0 || metric->of(slice, metric) != 0;
}
