/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts together what several ranks have alike, and orders it. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/findings/finding_list.h"
#include "analyzer/findings/finding_text.h"

/* Of a record that a later version wrote. */
static const struct finding_kind unknown = {
	.name = "unknown",
	.level = FINDING_WARNING,
	.one = "finding",
	.many = "findings",
	.fate = "of a kind that this version does not know",
	.mend = "See the documentation of the version that made the record.",
};

static const struct finding_kind *kind_of(const char *name)
{
	const struct finding_kind *kind = finding_kinds;

	while (kind->name && strcmp(kind->name, name) != 0)
		kind++;
	return kind->name ? kind : &unknown;
}

/*
 * A loop may be unrolled: calls of one line are one place.  Where there is no
 * place, peer and tag tell what it is about.
 */
struct row {
	const struct run_finding *of;
	uint64_t place; /* where it is: the sender's, if there is no other */
	bool is_sent;
	size_t site; /* in findings.sites */
	size_t other_site;
	/* What the ranks have to have in common; of a deadlock its text alone,
	 * and of a mismatch which call of the communicator it is. */
	size_t text;
	size_t what;
	size_t call;
	size_t peer; /* 0: it does not matter */
	size_t tag;
	size_t said; /* with lines for addresses, in findings.sites */
};

static int compare_what(const struct row *x, const struct row *y)
{
	const uint64_t a[] = { x->of->name, x->call, x->what, x->of->comm,
			       x->text,     x->peer, x->tag };
	const uint64_t b[] = { y->of->name, y->call, y->what, y->of->comm,
			       y->text,     y->peer, y->tag };

	for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a;
	const struct row *y = b;
	const int what = compare_what(x, y);

	if (what)
		return what;
	return (x->of->rank > y->of->rank) - (x->of->rank < y->of->rank);
}

static const char *word(const struct run *run, size_t number)
{
	return intern_key(&run->words, number);
}

static const char *comm_name(const struct run *run, size_t comm)
{
	if (comm == INTERN_NONE)
		return "";
	return *run->comms[comm].name ? run->comms[comm].name
				      : "a communicator";
}

static struct finding begin(const struct findings *findings,
			    const struct run *run, const struct row *row)
{
	const struct run_finding *of = row->of;

	return (struct finding){
		.kind = kind_of(word(run, of->name)),
		.name = word(run, of->name),
		.call = word(run, of->call),
		.comm = comm_name(run, of->comm),
		.peer = word(run, of->peer),
		.tag = word(run, of->tag),
		.text = intern_key(&findings->sites, row->said),
		.detail = word(run, of->detail),
		.site = intern_key(&findings->sites, row->site),
		.place = row->place,
		.is_sent = row->is_sent,
		.other = of->other,
		.other_site = intern_key(&findings->sites, row->other_site),
		.other_place = row->is_sent ? UINT64_MAX : of->other_place,
		.ranks = mem_alloc(run->n_ranks, sizeof(uint64_t)),
	};
}

/* A rank that is in no call of the program's has no place to show. */
static void place(struct finding *f, const struct findings *findings,
		  const struct run *run, const struct row *row)
{
	if (f->place != UINT64_MAX || row->place == UINT64_MAX)
		return;
	f->place = row->place;
	f->site = intern_key(&findings->sites, row->site);
	f->call = word(run, row->of->call);
}

static bool is_mismatch(const char *name)
{
	return strcmp(name, "collective-mismatch") == 0;
}

/* Each rank tells of the same two calls: that of another is the other end. */
static void add_call(struct finding *f, const struct findings *findings,
		     const struct row *row)
{
	if (f->other_place != UINT64_MAX || row->place == UINT64_MAX ||
	    strcmp(f->site, intern_key(&findings->sites, row->site)) == 0)
		return;
	f->other = row->of->rank;
	f->other_place = row->place;
	f->other_site = intern_key(&findings->sites, row->site);
}

/* Messages of several senders, or places, have none in common. */
static void add_other(struct finding *f, const struct findings *findings,
		      const struct run *run, const struct row *row)
{
	if (is_mismatch(f->name)) {
		add_call(f, findings, row);
		return;
	}
	if (f->other != row->of->other)
		f->other = UINT64_MAX;
	if (strcmp(f->detail, word(run, row->of->detail)) != 0)
		f->detail = "";
	if (f->other_place == UINT64_MAX || row->is_sent ||
	    strcmp(f->other_site,
		   intern_key(&findings->sites, row->other_site)) == 0)
		return;
	f->other_place = UINT64_MAX;
	f->other_site = "";
}

static void add(struct finding *f, const struct run *run,
		const struct run_finding *row)
{
	f->count = sat_add(f->count, row->count);
	if (strcmp(f->peer, word(run, row->peer)) != 0)
		f->peer = "";
	if (strcmp(f->tag, word(run, row->tag)) != 0)
		f->tag = "";
	if (f->n_ranks == 0 || f->ranks[f->n_ranks - 1] != row->rank)
		f->ranks[f->n_ranks++] = row->rank;
}

static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a;
	const struct finding *y = b;

	if (x->kind->level != y->kind->level)
		return x->kind->level < y->kind->level ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->ranks[0] != y->ranks[0])
		return x->ranks[0] < y->ranks[0] ? -1 : 1;
	return strcmp(x->site, y->site);
}

static size_t site_of(struct findings *findings, uint64_t place,
		      struct symbols *symbols)
{
	char *text = place == UINT64_MAX ? mem_text("")
					 : symbols_text(symbols, place);
	const size_t site = intern_text(&findings->sites, text);

	free(text);
	return site;
}

/* "mismatched collectives: call 3 on a communicator of 4" */
static size_t mismatch_of(struct findings *findings, const char *text)
{
	const char *end = strstr(text, ": rank");
	char *call = mem_print("%.*s", end ? (int)(end - text) : 0, text);
	const size_t number = intern_text(&findings->sites, call);

	free(call);
	return number;
}

/* The ranks mostly tell the same. */
static size_t said_by(struct findings *findings, const struct run *run,
		      const struct row *before, const struct run_finding *of,
		      struct symbols *symbols)
{
	char *text;
	size_t number;

	if (before && before->of->text == of->text)
		return before->said;
	text = finding_text(run, symbols, word(run, of->text));
	number = intern_text(&findings->sites, text);
	free(text);
	return number;
}

static struct row row_of(struct findings *findings, const struct run *run,
			 const struct run_finding *of, struct symbols *symbols)
{
	const bool is_sent = of->place == UINT64_MAX &&
			     of->other_place != UINT64_MAX;
	const uint64_t place = is_sent ? of->other_place : of->place;
	const bool has_place = *word(run, of->call) != '\0' || is_sent;
	const bool mismatch = is_mismatch(word(run, of->name));
	const bool is_one = mismatch ||
			    strcmp(word(run, of->name), "deadlock") == 0;
	const size_t site = site_of(findings, place, symbols);

	return (struct row){
		.of = of,
		.place = place,
		.is_sent = is_sent,
		.site = site,
		.other_site = is_sent ? site_of(findings, UINT64_MAX, symbols)
				      : site_of(findings, of->other_place,
						symbols),
		.text = mismatch ? mismatch_of(findings, word(run, of->text))
				 : of->text,
		.what = is_one ? 0 : site,
		.call = is_one ? 0 : of->call,
		.peer = has_place || is_one ? 0 : of->peer,
		.tag = has_place || is_one ? 0 : of->tag,
	};
}

static struct row *rows_of(struct findings *findings, const struct run *run,
			   struct symbols *symbols)
{
	struct row *rows = mem_alloc(run->n_findings, sizeof(*rows));

	for (size_t i = 0; i < run->n_findings; i++) {
		rows[i] = row_of(findings, run, &run->findings[i], symbols);
		rows[i].said = said_by(findings, run, i ? &rows[i - 1] : NULL,
				       &run->findings[i], symbols);
	}
	qsort(rows, run->n_findings, sizeof(*rows), compare_rows);
	return rows;
}

void finding_list_get(struct findings *findings, const struct run *run,
		      struct symbols *symbols)
{
	const size_t n = run->n_findings;
	struct row *rows;

	*findings = (struct findings){
		.list = mem_alloc(n, sizeof(*findings->list)),
	};
	rows = rows_of(findings, run, symbols);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || compare_what(&rows[i - 1], &rows[i]) != 0)
			findings->list[findings->n++] = begin(findings, run,
							      &rows[i]);
		place(&findings->list[findings->n - 1], findings, run,
		      &rows[i]);
		add_other(&findings->list[findings->n - 1], findings, run,
			  &rows[i]);
		add(&findings->list[findings->n - 1], run, rows[i].of);
	}
	free(rows);
	qsort(findings->list, findings->n, sizeof(*findings->list),
	      compare_findings);
}

void finding_list_clear(struct findings *findings)
{
	for (size_t i = 0; i < findings->n; i++)
		free(findings->list[i].ranks);
	free(findings->list);
	intern_clear(&findings->sites);
	*findings = (struct findings){ 0 };
}
