/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads records for their findings, and counts these. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/check/check.h"
#include "analyzer/findings/finding_buffers.h"
#include "analyzer/report/report.h"

/* What is never freed is known of ranks that came to their end only. */
static void warn_of_ends(const struct run *run)
{
	uint64_t *ranks = mem_alloc(run->n_ranks, sizeof(*ranks));
	char *text;
	size_t n = 0;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (strcmp(run_rank_fact(run, &run->ranks[i], RUN_REASON),
			   "finalize") != 0)
			ranks[n++] = run->ranks[i].rank;
	if (n > 0) {
		text = report_ranks(ranks, n);
		say_warning("%s did not come to the end of MPI_Finalize: what "
			    "was never freed or completed there is not known",
			    text);
		free(text);
	}
	free(ranks);
}

int check_add(struct check *check, const char *path)
{
	struct check_record *record;
	struct run *run;
	const int rc = run_load(&run, path, NULL);

	if (rc != 0)
		return rc;
	check->records = mem_grow(check->records, &check->room, check->n,
				  sizeof(*check->records));
	record = &check->records[check->n++];
	record->run = run;
	record->symbols = symbols_new(&run->code);
	finding_buffers_look(run, record->symbols);
	finding_list_get(&record->findings, run, record->symbols);
	warn_of_ends(run);
	return 0;
}

void check_clear(struct check *check)
{
	for (size_t i = 0; i < check->n; i++) {
		finding_list_clear(&check->records[i].findings);
		symbols_free(check->records[i].symbols);
		run_free(check->records[i].run);
	}
	free(check->records);
	*check = (struct check){ 0 };
}

static size_t count(const struct check *check, bool suppressed,
		    enum finding_level level)
{
	size_t n = 0;

	for (size_t i = 0; i < check->n; i++) {
		const struct findings *all = &check->records[i].findings;

		for (size_t k = 0; k < all->n; k++)
			n += all->list[k].suppressed == suppressed &&
			     (suppressed || all->list[k].kind->level == level);
	}
	return n;
}

size_t check_count(const struct check *check, enum finding_level level)
{
	return count(check, false, level);
}

size_t check_count_suppressed(const struct check *check)
{
	return count(check, true, FINDING_ERROR);
}

bool check_source(const struct check_record *record, uint64_t place,
		  const char **file, unsigned *line)
{
	const struct symbol *symbol;
	size_t n = 0;

	if (place == UINT64_MAX)
		return false;
	symbol = symbols_get(record->symbols, place, &n);
	if (n == 0 || !symbol->file || symbol->line == 0)
		return false;
	*file = symbol->file;
	*line = symbol->line;
	return true;
}
