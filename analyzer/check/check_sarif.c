/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Findings as SARIF 2.1.0 (OASIS), which code hosts and editors show beside the
 * source.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/check/check.h"
#include "analyzer/report/report.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

#define BASE "%SRCROOT%"

static void put_message(FILE *to, const char *name, const char *text)
{
	fprintf(to, "\"%s\": {\"text\": ", name);
	table_json_text_to(to, text);
	fputs("}", to);
}

static void put_rule(FILE *to, const struct finding_kind *kind)
{
	fprintf(to, "{\"id\": \"%s\", ", kind->name);
	put_message(to, "shortDescription", kind->name);
	fputs(", ", to);
	put_message(to, "help", kind->mend);
	fprintf(to, ", \"defaultConfiguration\": {\"level\": \"%s\"}}",
		finding_levels[kind->level]);
}

static void put_rules(FILE *to)
{
	fprintf(to,
		"    \"tool\": {\"driver\": {\"name\": \"bcs\", "
		"\"version\": \"%s\", \"rules\": [",
		BCS_VERSION);
	for (size_t i = 0; finding_kinds[i].name; i++) {
		fprintf(to, "%s\n      ", i ? "," : "");
		put_rule(to, &finding_kinds[i]);
	}
	fputs("]}},\n", to);
}

/* The characters of a path that a URI may not have are escaped. */
static void put_path(FILE *to, const char *path)
{
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
			putc(*path, to);
		else
			fprintf(to, "%%%02X", (unsigned char)*path);
}

/*
 * Sources below the current folder, which mostly is that of the sources, are
 * told relative to it: a code host has them elsewhere.
 */
static void put_base(FILE *to)
{
	char *here = getcwd(NULL, 0);

	if (!here)
		return;
	fputs("    \"originalUriBaseIds\": {\"" BASE "\": {\"uri\": "
	      "\"file://",
	      to);
	put_path(to, here);
	fprintf(to, "%s\"}},\n", here[1] ? "/" : "");
	free(here);
}

static void put_artifact(FILE *to, const char *file)
{
	char *here = getcwd(NULL, 0);
	const size_t len = here ? strlen(here) : 0;
	const bool is_below = len > 1 && strncmp(file, here, len) == 0 &&
			      file[len] == '/';

	fprintf(to, "\"artifactLocation\": {\"uri\": \"%s",
		*file == '/' && !is_below ? "file://" : "");
	put_path(to, is_below ? file + len + 1 : file);
	fprintf(to, "\"%s}", is_below ? ", \"uriBaseId\": \"" BASE "\"" : "");
	free(here);
}

static void put_source(FILE *to, const struct check_record *record,
		       uint64_t place)
{
	const char *file;
	unsigned line;

	if (!check_source(record, place, &file, &line))
		return;
	fputs(",\n        \"physicalLocation\": {", to);
	put_artifact(to, file);
	fprintf(to, ", \"region\": {\"startLine\": %u}}", line);
}

static void put_place(FILE *to, const struct check_record *record,
		      const char *site, uint64_t place)
{
	fputs("\"logicalLocations\": [{\"fullyQualifiedName\": ", to);
	table_json_text_to(to, site);
	fputs("}]", to);
	put_source(to, record, place);
}

static void put_locations(FILE *to, const struct check_record *record,
			  const struct finding *f)
{
	fputs("\"locations\": [", to);
	if (*f->site) {
		fputs("{", to);
		put_place(to, record, f->site, f->place);
		fputs("}", to);
	}
	fputs("]", to);
}

/* "sent here by rank 2", or "the call of rank 2" of a mismatch */
static char *related_text(const struct finding *f)
{
	if (f->other == UINT64_MAX)
		return mem_text("sent here");
	return mem_print("%s rank %" PRIu64,
			 strcmp(f->name, "collective-mismatch") == 0
				 ? "the call of"
				 : "sent here by",
			 f->other);
}

/* The other end of a message, or another call of a mismatch. */
static void put_related(FILE *to, const struct check_record *record,
			const struct finding *f)
{
	char *text;

	if (!*f->other_site)
		return;
	text = related_text(f);
	fputs(",\n        \"relatedLocations\": [{\"id\": 1, ", to);
	put_message(to, "message", text);
	fputs(", ", to);
	put_place(to, record, f->other_site, f->other_place);
	fputs("}]", to);
	free(text);
}

static size_t rule_of(const struct finding *f)
{
	size_t i = 0;

	while (finding_kinds[i].name && &finding_kinds[i] != f->kind)
		i++;
	return i;
}

static void put_result(FILE *to, const struct check_record *record,
		       const struct finding *f)
{
	char *text = report_finding_text(f);
	const size_t rule = rule_of(f);

	fputs("{\"ruleId\": ", to);
	table_json_text_to(to, f->name);
	if (finding_kinds[rule].name)
		fprintf(to, ", \"ruleIndex\": %zu", rule);
	fprintf(to, ", \"level\": \"%s\", ", finding_levels[f->kind->level]);
	if (f->count > 0 && f->count <= INT32_MAX)
		fprintf(to, "\"occurrenceCount\": %" PRIu64 ", ", f->count);
	put_message(to, "message", text);
	fputs(",\n        ", to);
	put_locations(to, record, f);
	put_related(to, record, f);
	if (f->suppressed)
		fputs(", \"suppressions\": [{\"kind\": \"external\"}]", to);
	fputs("}", to);
	free(text);
}

static void put_results(FILE *to, const struct check *check)
{
	const char *comma = "\n      ";

	fputs("    \"results\": [", to);
	for (size_t i = 0; i < check->n; i++) {
		const struct check_record *record = &check->records[i];

		for (size_t k = 0; k < record->findings.n; k++) {
			fputs(comma, to);
			put_result(to, record, &record->findings.list[k]);
			comma = ",\n      ";
		}
	}
	fputs("]\n", to);
}

static int say_failed(const char *path, int error)
{
	say_error("cannot write to %s: %s", path, strerror(error));
	return -error;
}

int check_sarif(const struct check *check, const char *path)
{
	FILE *to = fopen(path, "we");
	bool failed;

	if (!to)
		return say_failed(path, errno);
	fprintf(to, "{\n  \"$schema\": \"" SCHEMA
		    "\",\n  \"version\": \"2.1.0\",\n  \"runs\": [{\n");
	put_rules(to);
	put_base(to);
	put_results(to, check);
	fputs("  }]\n}\n", to);
	failed = ferror(to);
	if (fclose(to) != 0)
		failed = true;
	return failed ? say_failed(path, errno ? errno : EIO) : 0;
}
