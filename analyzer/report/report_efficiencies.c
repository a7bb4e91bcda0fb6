/* SPDX-License-Identifier: BSD-3-Clause */

/* The section on efficiencies: of the run, and of each of its phases. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"
#include "analyzer/run/run_efficiency.h"
#include "analyzer/run/run_mpi.h"

#define ISSUE   0.8 /* POP's rule of thumb: below it something is wrong */
#define NO_CORE 0.1 /* a smaller share of the time gets no sentence */
/* A phase with a smaller share of the run's time gets no sentence, */
#define LONG 0.05
/* nor does one with a larger share, which is the run. */
#define NEARLY    0.95
#define WHOLE_RUN "(all)"

/* Where all ranks are on one node people are not told of nodes. */
#define COLUMNS(of_nodes)                                                      \
	{                                                                      \
		{ "part", "Part", TABLE_TEXT, 0, 0 },                          \
			{ "parallel_percent", "Parallel", TABLE_SHARE, 0, 0 }, \
			{ "balance_percent", "Balance", TABLE_SHARE, 0, 0 },   \
			{ "balance_in_nodes_percent", "In nodes", TABLE_SHARE, \
			  of_nodes, 0 },                                       \
			{ "balance_between_nodes_percent", "Between",          \
			  TABLE_SHARE, of_nodes, 0 },                          \
			{ "communication_percent", "Commun.", TABLE_SHARE, 0,  \
			  0 },                                                 \
			{ "serialisation_percent", "Serialis.", TABLE_SHARE,   \
			  0, 0 },                                              \
			{ "transfer_percent", "Transfer", TABLE_SHARE, 0, 0 }, \
			{ "elapsed_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },    \
			{ "ideal_ns", "", TABLE_TIME, TABLE_MACHINE, 0 },      \
			{ "most_computation_ns", "", TABLE_TIME,               \
			  TABLE_MACHINE, 0 },                                  \
			{ "most_rank", "", TABLE_RANK, TABLE_MACHINE, 0 },     \
			{ "computation_ns", "", TABLE_TIME, TABLE_MACHINE,     \
			  0 },                                                 \
			{ "ranks", "", TABLE_COUNT, TABLE_MACHINE, 0 },        \
			{ "nodes", "", TABLE_COUNT, TABLE_MACHINE, 0 },        \
			{ "computation_scaling_percent", "", TABLE_SHARE,      \
			  TABLE_MACHINE, 0 },                                  \
			{ "global_percent", "", TABLE_SHARE, TABLE_MACHINE,    \
			  0 },                                                 \
			{ "notes", "", TABLE_TEXT, TABLE_MACHINE, 0 }, { 0 },  \
	}

static const struct table_column columns[] = COLUMNS(TABLE_WIDE);
static const struct table_column columns_one[] = COLUMNS(TABLE_MACHINE);

static const struct table_column text_columns[] = {
	{ "text", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

/* Sentences on the numbers of a part. */
#define NOTES_MAX 6

struct notes {
	char *texts[NOTES_MAX];
	size_t n;
};

/* Against the reference, of the whole run. */
struct scaling {
	bool known;
	double computation;
	double global;
};

static void real_if(struct table *table, bool is, double real)
{
	if (is)
		table_real(table, real);
	else
		table_none(table);
}

/* The sentences in one. */
static char *joined(const struct notes *notes)
{
	char *all = mem_text("");
	char *before;

	for (size_t i = 0; i < notes->n; i++) {
		before = all;
		all = mem_print("%s%s%s", before, i ? " " : "",
				notes->texts[i]);
		free(before);
	}
	return all;
}

static void add_row(struct table *table, const char *part,
		    const struct run_efficiency *e,
		    const struct scaling *scaling, const struct notes *notes)
{
	char *text = joined(notes);

	table_row(table, 0);
	table_words(table, part);
	table_real(table, 100 * e->parallel);
	table_real(table, 100 * e->balance);
	table_real(table, 100 * e->balance_in);
	table_real(table, 100 * e->balance_out);
	table_real(table, 100 * e->communication);
	real_if(table, e->ideal_known, 100 * e->serialisation);
	real_if(table, e->ideal_known, 100 * e->transfer);
	table_number(table, e->elapsed);
	table_number_if(table, e->ideal_known, e->ideal);
	table_number(table, e->most);
	table_number(table, e->rank);
	table_number(table, e->total);
	table_number(table, e->n_ranks);
	table_number(table, e->n_hosts);
	real_if(table, scaling->known, 100 * scaling->computation);
	real_if(table, scaling->known, 100 * scaling->global);
	table_words(table, text);
	free(text);
}

static char *remark(const struct run *run, const struct run_efficiency *e)
{
	if (e->ideal_known)
		return mem_text("Parallel efficiency is load balance x "
				"communication efficiency, which is "
				"serialisation x transfer.");
	if (!run->some_ranks && run_missing(run, NULL, 0))
		return mem_text("Serialisation and transfer are not known: "
				"some ranks left no record.");
	if (run_is_open_mpi(run))
		return mem_text("Serialisation and transfer are told apart for "
				"programs of MPICH only (BCS_MODE=demand).");
	return mem_text("BCS_MODE=demand tells serialisation from transfer.");
}

/* A rank of those that have none in the world has no number to be told. */
static char *balance_text(const struct run_efficiency *e)
{
	const char *where = "";

	if (e->n_hosts > 1)
		where = e->balance_in < e->balance_out
				? " Ranks of a node differ more than nodes do."
				: " Nodes differ more than the ranks of a node "
				  "do.";
	return mem_print("rank %" PRIu64 " computes for %s, a rank on average "
			 "for %s, and the others wait. --ranks shows the "
			 "computation of each.%s",
			 e->rank % RUN_UNRANKED, units_time_text(e->most),
			 units_time_text(e->total / e->n_ranks), where);
}

static char *communication_text(const struct run_efficiency *e)
{
	return mem_print("the rank that computes most is in MPI for %s of %s.",
			 units_time_text(e->elapsed - e->most),
			 units_time_text(e->elapsed));
}

static char *serialisation_text(const struct run_efficiency *e)
{
	return mem_print("without a network the run would still take %s, the "
			 "rank that computes most %s: ranks work in turn, or "
			 "now one and now another is late. --section=sites "
			 "shows where they wait.",
			 units_time_text(e->ideal), units_time_text(e->most));
}

static char *transfer_text(const struct run_efficiency *e)
{
	return mem_print("on a network that takes no time %s would be %s. "
			 "Fewer or shorter messages, or computing while they "
			 "move, would help: --section=sizes shows them.",
			 units_time_text(e->elapsed),
			 units_time_text(e->ideal));
}

/* Takes the text over. */
static void add_note(struct notes *notes, const char *number, double value,
		     char *text)
{
	notes->texts[notes->n++] = mem_print("%s %.1f %%: %s", number,
					     100 * value, text);
	free(text);
}

/* Only a low efficiency gets a sentence. */
static void take_notes(struct notes *notes, const struct run_efficiency *e)
{
	notes->n = 0;
	if (e->parallel < ISSUE)
		add_note(notes, "Parallel efficiency", e->parallel,
			 mem_text("so much of the ranks' time is "
				  "computation."));
	if (e->balance < ISSUE)
		add_note(notes, "Load balance", e->balance, balance_text(e));
	if (!e->ideal_known && e->communication < ISSUE)
		add_note(notes, "Communication efficiency", e->communication,
			 communication_text(e));
	if (e->ideal_known && e->serialisation < ISSUE)
		add_note(notes, "Serialisation", e->serialisation,
			 serialisation_text(e));
	if (e->ideal_known && e->transfer < ISSUE)
		add_note(notes, "Transfer", e->transfer, transfer_text(e));
}

/* They are the table's from here on. */
static void move_notes(struct table *table, const char *part,
		       struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++) {
		report_note(table, mem_print("%s%s%s", part, *part ? ": " : "",
					     notes->texts[i]));
		free(notes->texts[i]);
	}
	notes->n = 0;
}

static const char *phase_name(const struct run *run, size_t phase)
{
	const char *name = intern_key(&run->phase_names, phase);

	return *name ? name : "(no phase)";
}

static void add_phase(const struct run *run, struct table *numbers,
		      struct table *texts, size_t phase, uint64_t elapsed)
{
	const char *name = phase_name(run, phase);
	const struct scaling none = { 0 };
	struct notes notes = { 0 };
	struct run_efficiency e;

	if (!run_efficiency(run, phase, &e))
		return;
	if ((double)e.elapsed >= LONG * (double)elapsed &&
	    (double)e.elapsed < NEARLY * (double)elapsed)
		take_notes(&notes, &e);
	add_row(numbers, name, &e, &none, &notes);
	move_notes(texts, name, &notes);
}

static struct scaling scaling_of(const struct report *report,
				 const struct run_efficiency *e)
{
	struct run_efficiency reference;
	struct scaling scaling = { 0 };

	if (!report->reference || e->total == 0 ||
	    !run_efficiency(report->reference, RUN_WHOLE, &reference))
		return scaling;
	scaling.known = true;
	scaling.computation = (double)reference.total / (double)e->total;
	scaling.global = scaling.computation * e->parallel;
	return scaling;
}

static void note_scaling(const struct report *report, struct notes *notes,
			 const struct scaling *scaling)
{
	if (scaling->known)
		add_note(notes, "Global efficiency", scaling->global,
			 mem_print("parallel efficiency x computation scaling, "
				   "which is %.1f %%: all ranks of %s together "
				   "computed so much of what these did.",
				   100 * scaling->computation,
				   report->reference->path));
}

/* The efficiencies take waits for a core for computation, or for MPI. */
static void note_no_core(const struct run *run, struct notes *notes)
{
	uint64_t no_core = 0;
	uint64_t wall = 0;

	for (size_t i = 0; i < run->n_ranks; i++) {
		no_core = sat_add(no_core, run->ranks[i].no_core);
		wall = sat_add(wall, run->ranks[i].wall);
	}
	if (!no_core || (double)no_core < NO_CORE * (double)wall)
		return;
	add_note(notes, "Without a core", (double)no_core / (double)wall,
		 mem_text("for so much of their time ranks were ready to run, "
			  "but other ranks or programs had the cores. It is "
			  "part of the times above."));
}

void report_efficiencies(struct report *report)
{
	const struct run *run = report->run;
	struct notes notes = { 0 };
	struct scaling scaling;
	struct table *numbers;
	struct table *texts;
	struct run_efficiency e;

	if (!run_efficiency(run, RUN_WHOLE, &e))
		return;
	numbers = report_table(report, "efficiencies", "Efficiencies",
			       e.n_hosts > 1 ? columns : columns_one, 0);
	texts = report_table(report, "efficiency_notes", "What they say",
			     text_columns, TABLE_PLAIN | TABLE_PEOPLE);
	numbers->remark = remark(run, &e);
	scaling = scaling_of(report, &e);
	take_notes(&notes, &e);
	note_scaling(report, &notes, &scaling);
	note_no_core(run, &notes);
	add_row(numbers, WHOLE_RUN, &e, &scaling, &notes);
	move_notes(texts, "", &notes);
	for (size_t i = 0; run->phase_names.n > 1 && i < run->phase_names.n;
	     i++)
		add_phase(run, numbers, texts, i, e.elapsed);
}
