/* SPDX-License-Identifier: BSD-3-Clause */

/* Findings as one JSON document. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/check/check.h"
#include "analyzer/show/table_show.h"

static void put(const char *name, const char *text)
{
	printf(", \"%s\": ", name);
	table_json_text(text);
}

static void put_ranks(const struct finding *f)
{
	printf(", \"ranks\": [");
	for (size_t i = 0; i < f->n_ranks; i++)
		printf("%s%" PRIu64, i ? ", " : "", f->ranks[i]);
	printf("]");
}

/* `prefix` is that of the names. */
static void put_source(const struct check_record *record, uint64_t place,
		       const char *prefix)
{
	const char *file = "";
	unsigned line = 0;

	if (check_source(record, place, &file, &line))
		printf(", \"%sline\": %u", prefix, line);
	printf(", \"%sfile\": ", prefix);
	table_json_text(file);
}

static void put_sender(const struct check_record *record,
		       const struct finding *f)
{
	if (f->other != UINT64_MAX)
		printf(", \"sender\": %" PRIu64, f->other);
	put("sender_site", f->other_site);
	put_source(record, f->other_place, "sender_");
}

static void put_finding(const struct check_record *record,
			const struct finding *f)
{
	printf("{\"finding\": ");
	table_json_text(f->name);
	put("level", finding_levels[f->kind->level]);
	printf(", \"count\": %" PRIu64, f->count);
	put_ranks(f);
	put("call", f->call);
	put("peer", f->peer);
	put("tag", f->tag);
	put("communicator", f->comm);
	put("site", f->site);
	put_source(record, f->place, "");
	put("text", f->text);
	put("detail", f->detail);
	put_sender(record, f);
	put("mend", f->kind->mend);
	printf(", \"suppressed\": %s}", f->suppressed ? "true" : "false");
}

static void put_record(const struct check_record *record)
{
	printf("  {\"record\": ");
	table_json_text(record->run->path);
	printf(", \"findings\": [");
	for (size_t i = 0; i < record->findings.n; i++) {
		printf("%s\n    ", i ? "," : "");
		put_finding(record, &record->findings.list[i]);
	}
	printf("]}");
}

void check_json(const struct check *check)
{
	printf("{\"format\": 1, \"bcs\": \"%s\", \"runs\": [\n", BCS_VERSION);
	for (size_t i = 0; i < check->n; i++) {
		printf("%s", i ? ",\n" : "");
		put_record(&check->records[i]);
	}
	printf("\n]}\n");
}
