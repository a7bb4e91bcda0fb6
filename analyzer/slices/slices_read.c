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
	{ "getts", "from begin to begin of two slices", NULL,
	  TABLE_TIME, -1, of_getts },
	{ "gtdem", "until all nodes exchanged descriptors", NULL,
	  TABLE_TIME, EMDS_GTDEM, of_max },
	{ "gtmsm", "from then until all nodes scheduled", NULL,
	  TABLE_TIME, EMDS_GTMSM, of_max },
	{ "gtts", "until all nodes ended the slice", NULL,
	  TABLE_TIME, EMDS_GTTS, of_max },
	{ "usrsts", "looks before all ended the slice", NULL,
	  TABLE_COUNT, EMDS_USRSTS, of_sum },
	{ "usrdem", "looks before all had exchanged", NULL,
	  TABLE_COUNT, EMDS_USRDEM, of_sum },
	{ "usrmsm", "looks before all had scheduled", NULL,
	  TABLE_COUNT, EMDS_USRMSM, of_sum },
	{ "polls", NULL, "looks while another thread ran a turn",
	  TABLE_COUNT, EMDS_POLLS, of_sum },
	{ "batches", NULL, "full batches of descriptors",
	  TABLE_COUNT, EMDS_BATCHES, of_sum },
	{ "left", "messages that wait for a receive",
	  "messages without a receive so far", TABLE_COUNT, EMDS_LEFT, of_sum },
	{ "letts", "from begin to begin, on one node",
	  "from begin to begin, in one process", TABLE_TIME, -1, of_letts },
	{ "ltsr", "seal, and results shown", NULL, TABLE_TIME, EMDS_SR, of_max },
	{ "ltdem", "descriptor exchange", "descriptors are taken in",
	  TABLE_TIME, EMDS_DEM, of_max },
	{ "ltmsm", "message scheduling", "messages are matched",
	  TABLE_TIME, EMDS_MSM, of_max },
	{ "ltget", "messages leave for other nodes", NULL,
	  TABLE_TIME, EMDS_GET, of_max },
	{ "ltp2p", "point-to-point", "small messages are copied",
	  TABLE_TIME, EMDS_P2P, of_max },
	{ "ltbbm", "broadcast and barrier", "collectives make progress",
	  TABLE_TIME, EMDS_BBM, of_max },
	{ "ltrm", "reduce", NULL, TABLE_TIME, EMDS_RM, of_max },
	{ "ltdh", "DMA Helpers copied messages", NULL, TABLE_TIME, EMDS_DH,
	  of_sum },
	{ "ltch", "Collective Helpers fetched", NULL, TABLE_TIME, EMDS_CH,
	  of_sum },
	{ "ltrh", "Reduce Helpers folded", NULL, TABLE_TIME, EMDS_RH, of_sum },
	{ "ltts", "longest slice of a node", "a turn", TABLE_TIME, EMDS_TIME,
	  of_max },
	{ "copy", NULL, "large copies after the turn", TABLE_TIME, EMDS_COPY,
	  of_sum },
	{ "fold", NULL, "large reductions after the turn", TABLE_TIME,
	  EMDS_FOLD, of_sum },
	{ "poke", NULL, "MPI's own progress after the turn", TABLE_TIME,
	  EMDS_POKE, of_sum },
	{ "late", "delay of the latest node", NULL, TABLE_TIME, EMDS_LATE,
	  of_max },
	{ "np2pdem", "sends, receives, probes taken in",
	  "messages that came", TABLE_COUNT, EMDS_P2P_DEM, of_sum },
	{ "np2pmsm", "messages scheduled", "messages that met receives",
	  TABLE_COUNT, EMDS_P2P_MSM, of_sum },
	{ "ncolldem", "collectives that a node called",
	  "messages of collectives that came", TABLE_COUNT, EMDS_COLL_DEM,
	  of_sum },
	{ "ncollmsm", "collectives scheduled",
	  "collectives that made progress", TABLE_COUNT, EMDS_COLL_MSM, of_sum },
	{ "bytes", "bytes moved", NULL, TABLE_BYTES, EMDS_BYTES, of_sum },
	{ "carried", "messages not moved as a whole",
	  "pieces left for later", TABLE_COUNT, EMDS_CARRIED, of_sum },
	{ "bpts", "blocked processes", NULL, TABLE_COUNT, EMDS_BLOCKED,
	  of_max },
	{ "helper", "slices run by a helper thread",
	  "turns run by a helper thread", TABLE_COUNT, EMDS_HELPER, of_sum },
	{ NULL, NULL, NULL, TABLE_COUNT, -1, NULL },
};
/* clang-format on */

const struct slices_metric *slices_metric_find(const char *name)
{
	for (const struct slices_metric *m = slices_metrics; m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

const char *slices_metric_what(const struct slices_metric *metric, bool by_time)
{
	return by_time || !metric->turn ? metric->what : metric->turn;
}

bool slices_metric_exists(const struct slices_metric *metric, bool by_time)
{
	return metric->column < 0
		       ? by_time || metric->of != of_getts
		       : emds_columns_of(by_time, true) >> metric->column & 1;
}

bool slices_metric_is_there(const struct slices_metric *metric,
			    uint64_t columns)
{
	return metric->column < 0 || columns >> metric->column & 1;
}

bool slices_metric_is_known(const struct slices_metric *metric,
			    const struct slice *slice)
{
	return metric->column >= 0 || metric->of(slice, metric) != 0;
}
