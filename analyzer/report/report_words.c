/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Phrases that the report uses: ranges of ranks, and which ranks share a fact.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

#define RANGES_MAX 8
#define WORDS_MAX  6

static void put_range(FILE *to, uint64_t first, uint64_t last)
{
	const char *mark = first >= RUN_UNRANKED ? "#" : "";
	const uint64_t from = first >= RUN_UNRANKED ? RUN_UNRANKED : 0;

	fprintf(to, "%s%" PRIu64, mark, first - from);
	if (last > first)
		fprintf(to, "-%s%" PRIu64, mark, last - from);
}

char *report_rank_list(const uint64_t *ranks, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	size_t ranges = 0;
	size_t i = 0;
	size_t first;

	for (; to && i < n && ranges < RANGES_MAX; i++, ranges++) {
		first = i;
		while (i + 1 < n && ranks[i + 1] == ranks[i] + 1)
			i++;
		fputs(ranges ? "," : "", to);
		put_range(to, ranks[first], ranks[i]);
	}
	if (to && i < n)
		fprintf(to, " and %zu more", n - i);
	if (to)
		fclose(to);
	return text ? text : mem_text("");
}

char *report_ranks(const uint64_t *ranks, size_t n)
{
	char *list = report_rank_list(ranks, n);
	char *text = mem_print("rank%s %s", n == 1 ? "" : "s", list);

	free(list);
	return text;
}

/* How many ranks have each word; `order` lists those that are used. */
static size_t count_words(const struct run *run, enum run_fact fact,
			  uint64_t *counts, size_t *order)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_ranks; i++) {
		const size_t word = run->ranks[i].facts[fact];

		if (counts[word]++ == 0)
			order[n++] = word;
	}
	return n;
}

char *report_fact_list(const struct run *run, enum run_fact fact, size_t *n)
{
	uint64_t *counts = mem_alloc(run->words.n, sizeof(*counts));
	size_t *order = mem_alloc(run->words.n, sizeof(*order));
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	*n = count_words(run, fact, counts, order);
	for (size_t i = 0; to && i < *n && i < WORDS_MAX; i++) {
		fprintf(to, "%s%s", i ? ", " : "",
			(const char *)intern_key(&run->words, order[i]));
		if (*n > 1)
			fprintf(to, " (%" PRIu64 ")", counts[order[i]]);
	}
	if (to && *n > WORDS_MAX)
		fprintf(to, " and %zu more", *n - WORDS_MAX);
	if (to)
		fclose(to);
	free(counts);
	free(order);
	return text ? text : mem_text("");
}

static char *ranks_with(const struct run *run, enum run_fact fact, size_t word)
{
	uint64_t *ranks = mem_alloc(run->n_ranks, sizeof(*ranks));
	size_t n = 0;
	char *text;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].facts[fact] == word)
			ranks[n++] = run->ranks[i].rank;
	text = report_ranks(ranks, n);
	free(ranks);
	return text;
}

static const char *shown(enum run_fact fact, const char *word)
{
	return fact == RUN_REASON ? report_end_word(word) : word;
}

char *report_fact_ranks(const struct run *run, enum run_fact fact,
			const char *usual)
{
	uint64_t *counts = mem_alloc(run->words.n, sizeof(*counts));
	size_t *order = mem_alloc(run->words.n, sizeof(*order));
	const size_t n = count_words(run, fact, counts, order);
	char *list = NULL;
	size_t listed = 0;

	for (size_t i = 0; i < n && listed < WORDS_MAX; i++) {
		const char *word = intern_key(&run->words, order[i]);
		char *before = list;
		char *ranks;

		if (*word == '\0' || strcmp(word, usual) == 0)
			continue;
		ranks = ranks_with(run, fact, order[i]);
		list = mem_print("%s%s%s on %s", before ? before : "",
				 listed++ ? ", " : "", shown(fact, word),
				 ranks);
		free(before);
		free(ranks);
	}
	free(counts);
	free(order);
	return list;
}
