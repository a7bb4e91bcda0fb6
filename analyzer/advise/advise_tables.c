/* SPDX-License-Identifier: BSD-3-Clause */

/* Advice as tables: sentences for people, columns for programs. */
#include <stdlib.h>

#include "analyzer/advise/advise.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"

#define FURTHER                                                      \
	1.0 /* percent of the run that further buffers gain at least \
	     */

static const struct table_column run_columns[] = {
	{ "time_ns", "", TABLE_TIME, 0, 0 },
	{ "replayed_ns", "", TABLE_TIME, 0, 0 },
	{ "gain_ns", "", TABLE_TIME, 0, 0 },
	{ "most_ns", "", TABLE_TIME, 0, 0 },
	{ "apart_ns", "", TABLE_TIME, 0, 0 },
	{ 0 },
};

static const struct table_column call_columns[] = {
	{ "site", "", TABLE_TEXT, 0, 0 },
	{ "call", "", TABLE_TEXT, 0, 0 },
	{ "into", "", TABLE_TEXT, 0, 0 },
	{ "gain_ns", "", TABLE_TIME, 0, 0 },
	{ "gain_percent", "", TABLE_SHARE, 0, 0 },
	{ "most_ns", "", TABLE_TIME, 0, 0 },
	{ "most_percent", "", TABLE_SHARE, 0, 0 },
	{ "total_ns", "", TABLE_TIME, 0, 0 },
	{ "waiting_ns", "", TABLE_TIME, 0, 0 },
	{ "looked_at", "", TABLE_COUNT, 0, 0 },
	{ "reused_after_ns", "", TABLE_TIME, 0, 0 },
	{ "reused_at", "", TABLE_TEXT, 0, 0 },
	{ "sure", "", TABLE_TEXT, 0, 0 },
	{ "what", "", TABLE_TEXT, 0, 0 },
	{ "assumes", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static const struct table_column loss_columns[] = {
	{ "site", "", TABLE_TEXT, 0, 0 },
	{ "call", "", TABLE_TEXT, 0, 0 },
	{ "waiting_ns", "", TABLE_TIME, 0, 0 },
	{ "why", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static void put_place(struct table *table, const struct waits *waits,
		      uint32_t place)
{
	table_words(table, waits_site_text(waits, place));
	table_words(table, waits_call_text(waits, place));
}

static void put_text(struct table *table, char *text)
{
	table_words(table, text);
	free(text);
}

static struct table *run_table(const struct advise *advise)
{
	struct table *table = table_new("run", "", run_columns,
					TABLE_MACHINE | TABLE_ONE);

	table_row(table, 0);
	table_number(table, advise->time);
	table_number(table,
		     advise->whatif.ends[0] > advise->waits.from
			     ? advise->whatif.ends[0] - advise->waits.from
			     : 0);
	table_number(table, advise->gain);
	table_number(table, advise->most);
	table_number(table, advise->apart);
	return table;
}

static struct table *calls_table(const struct advise *advise)
{
	struct table *table = table_new("advice", "", call_columns,
					TABLE_MACHINE);

	for (unsigned i = 0; i < advise->n_calls; i++) {
		const struct advise_call *call = &advise->calls[i];

		if (!advise_is_worth(advise, call))
			continue;
		table_row(table, 0);
		put_place(table, &advise->waits, call->change.place);
		table_words(table, call->into);
		table_number(table, call->gain);
		table_real(table, advise_percent(advise, call->gain));
		table_number(table, call->most);
		table_real(table, advise_percent(advise, call->most));
		table_number(table, call->time);
		table_number(table, call->waiting);
		table_number(table, call->reuse.count);
		table_number(table, call->reuse.computation);
		put_text(table, call->reuse.count
					? advise_reuse_text(advise->reuses,
							    &call->reuse)
					: mem_text(""));
		table_words(table, advise_text_sure(advise, call));
		put_text(table, advise_text_what(advise, call));
		put_text(table, advise_text_assumes(advise, call));
	}
	return table;
}

static struct table *losses_table(const struct advise *advise)
{
	struct table *table = table_new("no_help", "", loss_columns,
					TABLE_MACHINE);

	for (size_t i = 0; i < advise->n_losses; i++) {
		const struct advise_loss *loss = &advise->losses[i];

		table_row(table, 0);
		put_place(table, &advise->waits, loss->place);
		table_number(table, loss->waiting);
		put_text(table, advise_text_loss(advise, loss->place));
	}
	return table;
}

static void call_lines(const struct advise *advise, struct table *table,
		       const struct advise_call *call, unsigned number)
{
	char *place = waits_place_text(&advise->waits, call->change.place);
	char *label = mem_print("%u.", number);

	table_line(table, label, mem_print("%s -> %s", place, call->into));
	table_line(table, "   gain",
		   advise_text_gain(advise, call->gain, call->most));
	table_line(table, "   what", advise_text_what(advise, call));
	table_line(table, "   assumes", advise_text_assumes(advise, call));
	table_line(table, "   sure", mem_text(advise_text_sure(advise, call)));
	free(place);
	free(label);
}

static struct table *advice_shown(const struct advise *advise, size_t top)
{
	struct table *table = table_new("advice", "Advice", table_line_columns,
					TABLE_PLAIN | TABLE_PEOPLE);
	unsigned number = 0;

	for (unsigned i = 0; i < advise->n_calls; i++)
		if (advise_is_worth(advise, &advise->calls[i]) &&
		    (!top || number < top))
			call_lines(advise, table, &advise->calls[i], ++number);
	if (number == 0)
		table_line(
			table, "none",
			mem_text("No blocking call costs as much as 0.5 % of "
				 "the run, or its nonblocking form would "
				 "not gain it."));
	if (number > 1)
		table_line(
			table, "all",
			advise_text_gain(advise, advise->gain, advise->most));
	if (advise_percent(advise, advise->apart - advise->gain) >= FURTHER)
		table_line(table, "buffers",
			   mem_print("with further buffers for what is sent, "
				     "%.2g %%: then no send waits where its "
				     "buffer is written again.",
				     advise_percent(advise, advise->apart)));
	return table;
}

static struct table *losses_shown(const struct advise *advise, size_t top)
{
	struct table *table = table_new("no_help", "What no other call helps",
					table_line_columns,
					TABLE_PLAIN | TABLE_PEOPLE);

	for (size_t i = 0; i < advise->n_losses && (!top || i < top); i++) {
		const uint32_t place = advise->losses[i].place;
		char *text = waits_place_text(&advise->waits, place);
		char *why = advise_text_loss(advise, place);

		table_line(table, "-", mem_print("%s: %s", text, why));
		free(text);
		free(why);
	}
	return table;
}

static struct table *how_shown(const struct advise *advise)
{
	struct table *table = table_new("how", "How it was computed",
					table_line_columns,
					TABLE_PLAIN | TABLE_PEOPLE);

	table_line(
		table, "run",
		mem_print("%s, mode %s", units_time_text(advise->time),
			  run_fact(advise->run, RUN_MODE, &(uint64_t){ 0 })));
	table_line(table, "gain",
		   mem_text("The trace is replayed with the waiting of these "
			    "calls overlapped with the computation that "
			    "follows, or for a receive that comes before. "
			    "Others wait for the calls as they did."));
	table_line(table, "at most",
		   mem_text("The same, and the calls cost nothing: no "
			    "conversion gains more."));
	if (advise->whatif.in_slices)
		table_line(table, "slices",
			   mem_text("What a call takes once the others are "
				    "there passes beside the computation, "
				    "too."));
	if (advise->whatif.cores)
		table_line(table, "cores",
			   mem_text("As there are more ranks than cores, no "
				    "gain is more than cores were idle while "
				    "ranks waited."));
	table_line(table, "buffers",
		   mem_text(advise->run->n_reuses
				    ? "The run looked where they are used "
				      "again."
				    : "It is not known where they are used "
				      "again: bcs run --advise records that."));
	table_line(table, "elsewhere",
		   mem_text("bcs model simulate --trace=DIR "
			    "--nonblocking=FILE:LINE replays it on another "
			    "system."));
	return table;
}

size_t advise_tables(const struct advise *advise,
		     struct table *tables[ADVISE_TABLES], size_t top)
{
	struct table *findings = table_new("findings", "Also seen",
					   table_line_columns, TABLE_PLAIN);
	size_t n = 0;

	advise_findings(advise, findings);
	tables[n++] = run_table(advise);
	tables[n++] = calls_table(advise);
	tables[n++] = losses_table(advise);
	tables[n++] = advice_shown(advise, top);
	tables[n++] = losses_shown(advise, top);
	tables[n++] = findings;
	tables[n++] = how_shown(advise);
	return n;
}
