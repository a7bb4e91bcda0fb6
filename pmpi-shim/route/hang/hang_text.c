/* SPDX-License-Identifier: BSD-3-Clause */

/* A deadlock in words: who waits where, for what, and who is the odd one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/route/hang/hang_coll.h"
#include "pmpi-shim/route/hang/hang_words.h"

#define CLAUSE       512
#define CLAUSES_MOST 8

/* A clause about ranks in the same state. */
struct clause {
	char text[CLAUSE];
	bool ends;
	int32_t *ranks;
	int n;
};

static void say_comm(struct hang_words *words,
		     const struct blocked_group *group)
{
	if (group->world)
		hang_say(words, " on MPI_COMM_WORLD");
	else if (group->size)
		hang_say(words, " on a communicator of %d", group->size);
}

static void say_place(struct hang_words *words, const char *place)
{
	if (*place)
		hang_say(words, " at %s", place);
}

static void say_tag(struct hang_words *words, int32_t tag)
{
	if (tag < 0)
		hang_say(words, ", any tag");
	else
		hang_say(words, ", tag %d", tag);
}

static void say_near(struct hang_words *words, const struct blocked_want *want)
{
	if (!want->near)
		return;
	hang_say(words, " (one from %d with tag %d is there%s)",
		 want->near_rank, want->near_tag,
		 want->near == BLOCKED_NEAR_COMM ? ", on another communicator"
						 : "");
}

/* Says one want: a message, or a receive. */
static void say_want(struct hang_words *words, const struct blocked_want *want)
{
	if (want->by == BLOCKED_SEND)
		hang_say(words, " to %d", want->rank);
	else if (want->rank < 0)
		hang_say(words, " from any");
	else
		hang_say(words, " from %d", want->rank);
	say_tag(words, want->tag);
}

static void say_message(struct hang_words *words,
			const struct blocked_want *want)
{
	hang_say(words, want->by == BLOCKED_SEND
				? ", for a receive that nobody has posted"
				: ", for a message that nobody has sent");
	say_near(words, want);
}

/* The first of them is enough to understand it. */
static void say_lack(struct hang_words *words, const struct hang_graph *graph,
		     uint32_t rank, uint32_t group)
{
	const struct blocked_record *r = &graph->processes[rank].record;

	for (uint32_t i = 0; i < r->n_wants; i++) {
		const struct blocked_want *want = &r->wants[i];

		if (want->group != group)
			continue;
		if (want->by != BLOCKED_COLL) {
			say_message(words, want);
			return;
		}
		if (hang_say_coll(words, graph, rank, want))
			return;
	}
}

#define WANTS_MOST 4

static void say_wants(struct hang_words *words, const struct blocked_record *r,
		      uint32_t group)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_wants; i++) {
		const struct blocked_want *want = &r->wants[i];

		if (want->group != group || want->by == BLOCKED_COLL)
			continue;
		if (n == WANTS_MOST) {
			hang_say(words, " and more");
			return;
		}
		if (n)
			hang_say(words, r->groups[group].any ? " or" : " and");
		say_want(words, want);
		n++;
	}
}

static void say_thread(struct hang_words *words, const struct hang_graph *graph,
		       uint32_t rank, uint32_t group)
{
	const struct blocked_record *r = &graph->processes[rank].record;
	const struct blocked_group *g = &r->groups[group];

	hang_say(words, "in %s", hang_call_name(g->call));
	say_wants(words, r, group);
	say_comm(words, g);
	say_place(words, graph->places[rank][group]);
	say_lack(words, graph, rank, group);
}

static void clause_make(const struct hang_graph *graph, uint32_t rank,
			char *text, size_t size)
{
	const struct deadlock_process *of = &graph->processes[rank];
	struct hang_words words = { text, size };
	bool more = false;

	if (of->ended & BLOCKED_FINAL) {
		hang_say(&words, "in MPI_Finalize");
		return;
	}
	if (of->ended) {
		hang_say(&words, "gone without MPI_Finalize");
		return;
	}
	for (uint32_t g = 0; g < of->record.n_groups; g++) {
		if (!of->record.groups[g].is_thread)
			continue;
		if (more)
			hang_say(&words, ", ");
		say_thread(&words, graph, rank, g);
		more = true;
	}
}

/* A rank that ended is told of if a dead one waits for it. */
static bool is_part(const struct deadlock_process *processes, uint32_t n,
		    uint32_t rank)
{
	const struct blocked_record *r;

	if (processes[rank].is_dead || !processes[rank].ended)
		return processes[rank].is_dead;
	for (uint32_t i = 0; i < n; i++) {
		r = &processes[i].record;
		for (uint32_t w = 0; processes[i].is_dead && w < r->n_wants;
		     w++)
			if (blocked_peer_is(&r->wants[w], rank))
				return true;
	}
	return false;
}

static void clause_add(struct clause *clauses, int *n_clauses,
		       const struct clause *one, int32_t rank, int32_t *ranks,
		       uint32_t n)
{
	int i = 0;

	while (i < *n_clauses && strcmp(clauses[i].text, one->text) != 0)
		i++;
	if (i == *n_clauses) {
		if (i == CLAUSES_MOST)
			return;
		clauses[i] = *one;
		clauses[i].ranks = ranks + (size_t)i * n;
		(*n_clauses)++;
	}
	clauses[i].ranks[clauses[i].n++] = rank;
}

/* Most are in one place, and one is not. */
static void say_odd(struct hang_words *words, const struct clause *clauses,
		    int n)
{
	int most = 0;
	int total = 0;
	int odd = -1;

	for (int i = 0; i < n; i++) {
		total += clauses[i].n;
		if (clauses[i].n > clauses[most].n)
			most = i;
	}
	if (n != 2 || total - clauses[most].n != 1 || clauses[most].n < 2)
		return;
	odd = 1 - most;
	hang_say(words, ": rank %d is the odd one", clauses[odd].ranks[0]);
}

static const char *verb(const struct clause *c)
{
	if (c->ends)
		return c->n > 1 ? "are" : "is";
	return c->n > 1 ? "wait" : "waits";
}

void hang_text(const struct deadlock_process *processes, hang_places *places,
	       uint32_t n, char *text, size_t size)
{
	const struct hang_graph graph = { processes, places, n };
	struct clause *clauses = calloc(CLAUSES_MOST, sizeof(*clauses));
	int32_t *ranks = calloc((size_t)CLAUSES_MOST * n, sizeof(*ranks));
	struct hang_words words = { text, size };
	struct clause one = { .n = 0 };
	int n_clauses = 0;

	hang_say(&words, "deadlock: ");
	for (uint32_t i = 0; clauses && ranks && i < n; i++) {
		if (!is_part(processes, n, i))
			continue;
		clause_make(&graph, i, one.text, sizeof(one.text));
		one.ends = processes[i].ended;
		clause_add(clauses, &n_clauses, &one, (int32_t)i, ranks, n);
	}
	for (int i = 0; i < n_clauses; i++) {
		hang_say(&words, i ? "; " : "");
		hang_say_ranks(&words, clauses[i].ranks, clauses[i].n);
		hang_say(&words, " %s %s", verb(&clauses[i]), clauses[i].text);
	}
	say_odd(&words, clauses, n_clauses);
	free(ranks);
	free(clauses);
}
