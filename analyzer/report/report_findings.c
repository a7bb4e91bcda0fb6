/* SPDX-License-Identifier: BSD-3-Clause */

/* Faults of the program, a sentence each. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/findings/finding_list.h"
#include "analyzer/report/report.h"

static const struct table_column sentence[] = {
	{ "text", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "finding", "", TABLE_TEXT, 0, 0 },
	{ "level", "", TABLE_TEXT, 0, 0 },
	{ "count", "", TABLE_COUNT, 0, TABLE_BY_COUNT },
	{ "ranks", "", TABLE_TEXT, 0, 0 },
	{ "call", "", TABLE_TEXT, 0, 0 },
	{ "peer", "", TABLE_TEXT, 0, 0 },
	{ "tag", "", TABLE_TEXT, 0, 0 },
	{ "communicator", "", TABLE_TEXT, 0, 0 },
	{ "site", "", TABLE_TEXT, 0, 0 },
	{ "text", "", TABLE_TEXT, 0, 0 },
	{ "detail", "", TABLE_TEXT, 0, 0 },
	{ "sender", "", TABLE_RANK, 0, 0 },
	{ "sender_site", "", TABLE_TEXT, 0, 0 },
	{ 0 },
};

/* " from rank 2, tag 7, on halo" */
static char *partner_text(const struct finding *f)
{
	const char *way = strcasestr(f->call, "send") ? "to" : "from";
	const bool is_world = strcmp(f->comm, "MPI_COMM_WORLD") == 0;
	const bool is_any = strcmp(f->peer, "any") == 0;

	return mem_print(
		"%s%s%s%s%s%s%s%s", *f->peer ? " " : "", *f->peer ? way : "",
		!*f->peer ? ""
		: is_any  ? " any rank"
			  : " rank ",
		is_any ? "" : f->peer, *f->tag ? ", tag " : "", f->tag,
		*f->comm && !is_world ? ", on " : "", is_world ? "" : f->comm);
}

/* "2 requests of MPI_Irecv from rank 1, tag 7, never completed" */
static char *fault_text(const struct finding *f)
{
	char *partner = partner_text(f);
	char *text = mem_print("%" PRIu64 " %s%s%s%s%s %s", f->count,
			       f->count == 1 ? f->kind->one : f->kind->many,
			       *f->call ? " of " : "", f->call, partner,
			       *partner ? "," : "", f->kind->fate);

	free(partner);
	return text;
}

/* "; sent by rank 2 at solve.c:17" */
static char *sender_text(const struct finding *f)
{
	const bool is_race = strcmp(f->name, "message-race") == 0;
	const char *sent = is_race ? "another one sent" : "sent";
	char *rank;
	char *text;

	/* Its text has both places. */
	if (strcmp(f->name, "collective-mismatch") == 0)
		return mem_text("");
	if (!*f->other_site && (f->other == UINT64_MAX || f->is_sent))
		return mem_text("");
	rank = f->other == UINT64_MAX
		       ? mem_text("")
		       : mem_print(" by rank %" PRIu64, f->other);
	text = mem_print("; %s%s%s%s", sent, rank, *f->other_site ? " at " : "",
			 f->other_site);
	free(rank);
	return text;
}

/* ", sent by rank 2 at solve.c:17" */
static char *at_text(const struct finding *f)
{
	if (!*f->site)
		return mem_text("");
	if (!f->is_sent || f->other == UINT64_MAX)
		return mem_print(", %sat %s", f->is_sent ? "sent " : "",
				 f->site);
	return mem_print(", sent by rank %" PRIu64 " at %s", f->other, f->site);
}

char *report_finding_text(const struct finding *f)
{
	char *ranks = report_ranks(f->ranks, f->n_ranks);
	char *fault = *f->text ? mem_text(f->text) : fault_text(f);
	char *at = at_text(f);
	char *sender = sender_text(f);
	char *text = mem_print("%s: %s%s%s%s%s", ranks, fault,
			       *f->detail ? ": " : "", f->detail, at, sender);

	free(sender);
	free(at);
	free(fault);
	free(ranks);
	return text;
}

static void put_finding(struct table *table, const struct finding *f)
{
	char *ranks = report_rank_list(f->ranks, f->n_ranks);

	table_row(table, 0);
	table_words(table, f->name);
	table_words(table, finding_levels[f->kind->level]);
	table_number(table, f->count);
	table_words(table, ranks);
	table_words(table, f->call);
	table_words(table, f->peer);
	table_words(table, f->tag);
	table_words(table, f->comm);
	table_words(table, f->site);
	table_words(table, f->text);
	table_words(table, f->detail);
	table_number_if(table, f->other != UINT64_MAX, f->other);
	table_words(table, f->other_site);
	free(ranks);
}

static void findings_for_people(struct report *report,
				const struct findings *findings)
{
	struct table *table = report_table(report, "findings", "Findings",
					   sentence,
					   TABLE_PEOPLE | TABLE_PLAIN);

	for (size_t i = 0; i < findings->n; i++)
		report_note(table, report_finding_text(&findings->list[i]));
	table->alarm = true;
	table_cut(table, report->options->top);
}

void report_findings(struct report *report)
{
	struct findings findings;
	struct table *table;

	finding_list_get(&findings, report->run, report->symbols);
	if (findings.n > 0)
		findings_for_people(report, &findings);
	table = report_table(report, "findings", "", columns, TABLE_MACHINE);
	for (size_t i = 0; i < findings.n; i++)
		put_finding(table, &findings.list[i]);
	finding_list_clear(&findings);
}
