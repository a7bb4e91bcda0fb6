/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Matches call sites that moved to another line since code above them changed.
 * Within one function and call, it takes the places that only A has and those
 * that only B has.  If both are equally many, it pairs them in the order of
 * their lines.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff.h"

struct place {
	size_t row;
	enum diff_side side; /* the side that has it */
	const char *text;    /* "solve app.c:120" */
	const char *call;
	size_t head; /* length of the text up to the colon */
	unsigned long line;
};

/* Splits a key; false if the place has no line. */
static bool parse(const char *key, struct place *place)
{
	const char *colon = strrchr(key, ':');

	place->text = key;
	place->call = key + strlen(key) + 1;
	if (!colon || !isdigit((unsigned char)colon[1]))
		return false;
	place->head = (size_t)(colon - key);
	place->line = strtoul(colon + 1, NULL, 10);
	return true;
}

static size_t find_places(const struct diff *diff, struct place *places)
{
	size_t n = 0;

	for (size_t i = 0; i < diff->sites.keys.n; i++) {
		const enum diff_verdict verdict =
			diff_change_of_row(diff, &diff->sites.rows[i]).verdict;
		struct place *place = &places[n];

		if ((verdict != DIFF_ONLY_A && verdict != DIFF_ONLY_B) ||
		    !parse(intern_key(&diff->sites.keys, i), place))
			continue;
		place->row = i;
		place->side = verdict == DIFF_ONLY_A ? DIFF_A : DIFF_B;
		n++;
	}
	return n;
}

static int compare_groups(const struct place *a, const struct place *b)
{
	const int by_call = strcmp(a->call, b->call);

	if (by_call != 0)
		return by_call;
	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	return memcmp(a->text, b->text, a->head);
}

/* Orders by group, A first, then by line. */
static int compare_places(const void *x, const void *y)
{
	const struct place *a = x;
	const struct place *b = y;
	const int by_group = compare_groups(a, b);

	if (by_group != 0)
		return by_group;
	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Counts A's times at B's place. */
static void move(struct diff *diff, const struct place *a,
		 const struct place *b)
{
	struct diff_row *from = &diff->sites.rows[a->row];
	struct diff_row *to = &diff->sites.rows[b->row];
	const size_t n_a = diff->n[DIFF_A];

	memcpy(to->times, from->times, n_a * sizeof(*to->times));
	memcpy(to->calls, from->calls, n_a * sizeof(*to->calls));
	to->was = a->text;
	from->moved = true;
}

static void match_group(struct diff *diff, const struct place *places, size_t n)
{
	size_t n_a = 0;

	while (n_a < n && places[n_a].side == DIFF_A)
		n_a++;
	if (n_a * 2 != n)
		return;
	for (size_t i = 0; i < n_a; i++)
		move(diff, &places[i], &places[n_a + i]);
}

void diff_match(struct diff *diff)
{
	struct place *places = mem_alloc(diff->sites.keys.n, sizeof(*places));
	const size_t n = find_places(diff, places);
	size_t first = 0;

	qsort(places, n, sizeof(*places), compare_places);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && compare_groups(&places[first], &places[i]) == 0)
			continue;
		match_group(diff, places + first, i - first);
		first = i;
	}
	free(places);
}
