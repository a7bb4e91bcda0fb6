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

static void put_finding(const struct check_record *record,
			const struct finding *f)
{
	const char *file = "";
	unsigned line = 0;

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
	if (check_source(record, f, &file, &line))
		printf(", \"line\": %u", line);
	put("file", file);
	put("text", f->text);
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
