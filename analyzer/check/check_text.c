/* SPDX-License-Identifier: BSD-3-Clause */

/* Findings for people. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/check/check.h"
#include "analyzer/report/report.h"

static void show(const struct finding *f)
{
	char *text = report_finding_text(f);
	char *shown = mem_shown(text);

	printf("%s: %s [%s]\n    %s\n", finding_levels[f->kind->level], shown,
	       f->name, f->kind->mend);
	free(shown);
	free(text);
}

static void show_record(const struct check_record *record, bool several)
{
	char *path = mem_shown(record->run->path);

	if (several)
		printf("%s:\n", path);
	free(path);
	for (size_t i = 0; i < record->findings.n; i++)
		if (!record->findings.list[i].suppressed)
			show(&record->findings.list[i]);
}

static void show_count(size_t n, const char *what, const char **comma)
{
	if (n == 0)
		return;
	printf("%s%zu %s%s", *comma, n, what, n == 1 ? "" : "s");
	*comma = ", ";
}

void check_text(const struct check *check)
{
	const size_t suppressed = check_count_suppressed(check);
	const char *comma = "";
	size_t n = 0;

	for (size_t i = 0; i < check->n; i++)
		show_record(&check->records[i], check->n > 1);
	for (unsigned level = 0; level <= FINDING_NOTE; level++) {
		n += check_count(check, level);
		show_count(check_count(check, level), finding_levels[level],
			   &comma);
	}
	if (n == 0)
		printf("nothing was found");
	if (suppressed)
		printf(", %zu suppressed", suppressed);
	printf("\n");
}
