/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The search between nodes, by the first node's thread.  It collects what the
 * nodes say, searches, asks them all once more, and tells them the result.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mds/base/clock.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/hang/hang_first.h"
#include "pmpi-shim/route/hang/hang_net.h"

#define FOUND_NS 90000000  /* so that the last ones are in it */
#define GRACE_NS 200000000 /* for other nodes to write their records */
#define NAP_NS   10000000

/* All of it is used by the first node's thread alone. */
static struct deadlock_process *processes; /* by rank */
static uint32_t *epochs;
static bool *dead;                     /* as found before */
static uint64_t found_ns;              /* since when; 0: none is */
static struct hang_question *question; /* that is being asked; or NULL */
static struct hang_outcome *outcomes;  /* together, by claim */
static int n_answers;
static bool holds;
static bool is_told;

void hang_first_news(const struct hang_news *news)
{
	struct deadlock_process *of;

	for (int rank = 0; rank < process.size; rank++) {
		if (route_net_node(rank) != news->head.node)
			continue;
		processes[rank].is_blocked = false;
		processes[rank].ended = 0;
		epochs[rank] = 0;
	}
	for (uint32_t i = 0; i < news->head.n; i++) {
		of = &processes[news->entries[i].rank];
		of->ended = news->entries[i].ended;
		of->is_blocked = hang_is_blocked(&news->entries[i]);
		of->record = news->entries[i].record;
		epochs[news->entries[i].rank] = news->entries[i].epoch;
	}
}

static void calls_add(struct hang_question *q, const struct blocked_record *r)
{
	const struct blocked_group *group;

	for (uint32_t g = 0; g < r->n_groups && q->head.n_calls < HANG_CALLS;
	     g++) {
		group = &r->groups[g];
		if (group->is_thread)
			continue;
		q->calls[q->head.n_calls++] = (struct hang_call){
			group->context, group->number, group->signature
		};
	}
}

/* About the dead, and those that ended. */
static struct hang_question *question_make(void)
{
	static uint32_t number;
	const size_t n = (size_t)process.size;
	struct hang_question *q = calloc(
		1, sizeof(*q) + n * sizeof(struct hang_claim));

	if (!q)
		return NULL;
	number++;
	q->head = (struct hang_head){ .kind = HANG_ASK, .number = number };
	for (int32_t rank = 0; rank < process.size; rank++) {
		if (!processes[rank].is_dead && !processes[rank].ended)
			continue;
		q->claims[q->head.n++] = (struct hang_claim){
			rank, processes[rank].is_dead ? epochs[rank] : 0
		};
		if (processes[rank].is_dead)
			calls_add(q, &processes[rank].record);
	}
	return q;
}

static void question_end(void)
{
	free(question);
	free(outcomes);
	question = NULL;
	outcomes = NULL;
}

static void ask(void)
{
	question = question_make();
	if (!question)
		return;
	outcomes = calloc(question->head.n, sizeof(*outcomes));
	n_answers = 0;
	holds = outcomes != NULL;
	for (int node = 1; node < hang_n_nodes; node++)
		holds &= hang_wire_send(node, question,
					hang_question_bytes(question));
	if (!holds)
		question_end();
}

static bool all_had_come(void)
{
	for (uint32_t i = 0; i < question->head.n; i++)
		if (outcomes[i].delivered != outcomes[i].sent)
			return false;
	return true;
}

static hang_places *places_of(void)
{
	hang_places *places = calloc((size_t)process.size, sizeof(*places));

	for (uint32_t i = 0; places && i < question->head.n; i++)
		memcpy(places[question->claims[i].rank], outcomes[i].places,
		       sizeof(*places));
	return places;
}

/* Sees to messages meanwhile. */
static void grace(void)
{
	const struct timespec nap = { 0, NAP_NS };
	const uint64_t until = clock_monotonic_ns() + GRACE_NS;

	do {
		hang_wire_is_quiet();
		nanosleep(&nap, NULL);
	} while (clock_monotonic_ns() < until);
}

static void help(void)
{
	const struct deadlock_process *own = &processes[process.rank];

	if (own->is_dead)
		site_help(own->record.groups[0].site);
}

static void tell(void (*act)(const struct hang_told *told))
{
	struct hang_told told = { .head = { .kind = HANG_TOLD } };
	hang_places *places = places_of();

	if (!places)
		return;
	hang_text(processes, places, (uint32_t)process.size, told.text,
		  sizeof(told.text));
	free(places);
	for (int rank = 0; rank < process.size; rank++)
		told.dead[rank] = processes[rank].is_dead;
	is_told = true;
	hang_text_keep(told.text);
	process_warn(told.text);
	help();
	if (process.settings.deadlock == SETTINGS_DEADLOCK_STOP)
		process_warn(HANG_STOPS);
	for (int node = 1; node < hang_n_nodes; node++)
		hang_wire_send(node, &told, sizeof(told));
	grace();
	act(&told);
}

void hang_first_answer(const struct hang_answer *answer)
{
	if (!question || answer->head.number != question->head.number)
		return;
	n_answers++;
	holds = holds && answer->head.yes && !answer->head.differs;
	for (uint32_t i = 0; i < answer->head.n; i++) {
		const struct hang_outcome *o = &answer->outcomes[i];

		outcomes[i].delivered += o->delivered;
		outcomes[i].sent += o->sent;
		if (route_net_node(question->claims[i].rank) ==
		    answer->head.node)
			memcpy(outcomes[i].places, o->places,
			       sizeof(o->places));
	}
}

/* All others have answered: now this node looks again. */
static void conclude(struct hang_answer *(*look)(const struct hang_question *),
		     void (*act)(const struct hang_told *told))
{
	struct hang_answer *own = look(question);

	if (own)
		hang_first_answer(own);
	if (own && holds && all_had_come())
		tell(act);
	free(own);
	question_end();
	found_ns = 0;
}

static bool is_as_before(void)
{
	bool same = true;

	for (int rank = 0; rank < process.size; rank++) {
		same &= dead[rank] == processes[rank].is_dead;
		dead[rank] = processes[rank].is_dead;
	}
	return same;
}

/* Asks once it has been found for some time. */
static void search(void)
{
	const uint64_t now = clock_monotonic_ns();
	const bool any = deadlock_find(processes, (uint32_t)process.size) > 0;
	const bool same = is_as_before();

	if (!any || !same || !found_ns)
		found_ns = any ? now : 0;
	else if (now - found_ns >= FOUND_NS)
		ask();
}

bool hang_first_start(void)
{
	const size_t n = (size_t)process.size;

	processes = calloc(n, sizeof(*processes));
	epochs = calloc(n, sizeof(*epochs));
	dead = calloc(n, sizeof(*dead));
	return processes && epochs && dead;
}

void hang_first_stop(void)
{
	question_end();
	free(processes);
	free(epochs);
	free(dead);
}

void hang_first_turn(struct hang_answer *(*look)(const struct hang_question *),
		     void (*act)(const struct hang_told *told))
{
	if (is_told)
		return;
	if (!question)
		search();
	else if (n_answers == hang_n_nodes - 1)
		conclude(look, act);
}
