/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Where threads lie for Paraver: a process is a task, and each of its threads
 * has a processor of its own, numbered host by host.  The head of a trace lists
 * them.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/export_paraver.h"

static bool same_process(const struct timeline_lane *a,
			 const struct timeline_lane *b)
{
	return a->ranked == b->ranked && a->rank == b->rank &&
	       a->host == b->host;
}

static void place_lane(struct paraver_places *places, size_t i)
{
	const struct timeline_lane *lane = &places->timeline->lanes[i];
	struct paraver_place *place = &places->list[i];

	place->thread = 1;
	if (i > 0 && same_process(lane - 1, lane))
		place->thread = place[-1].thread + 1;
	else
		places->n_tasks++;
	place->task = places->n_tasks;
	if (lane->host >= places->n_hosts)
		places->n_hosts = lane->host + 1;
}

/* How many threads each host has; the caller frees it. */
static size_t *host_sizes(const struct paraver_places *places)
{
	size_t *sizes = mem_alloc(places->n_hosts, sizeof(*sizes));

	for (size_t i = 0; i < places->timeline->n_lanes; i++)
		sizes[places->timeline->lanes[i].host]++;
	return sizes;
}

static void number_cpus(struct paraver_places *places)
{
	size_t *next = host_sizes(places);
	size_t first = 1;

	for (size_t i = 0; i < places->n_hosts; i++) {
		const size_t n = next[i];

		next[i] = first;
		first += n;
	}
	for (size_t i = 0; i < places->timeline->n_lanes; i++)
		places->list[i].cpu = next[places->timeline->lanes[i].host]++;
	free(next);
}

void paraver_places_make(struct paraver_places *places,
			 const struct timeline *timeline)
{
	*places = (struct paraver_places){
		.timeline = timeline,
		.list = mem_alloc(timeline->n_lanes, sizeof(*places->list)),
	};
	for (size_t i = 0; i < timeline->n_lanes; i++)
		place_lane(places, i);
	number_cpus(places);
}

static void put_hosts(FILE *to, const struct paraver_places *places)
{
	size_t *sizes = host_sizes(places);

	fprintf(to, "%zu(", places->n_hosts);
	for (size_t i = 0; i < places->n_hosts; i++)
		fprintf(to, "%s%zu", i ? "," : "", sizes[i]);
	fputs(")", to);
	free(sizes);
}

/* One application; of each task its threads and its host. */
static void put_tasks(FILE *to, const struct paraver_places *places)
{
	const size_t n = places->timeline->n_lanes;
	const struct paraver_place *list = places->list;

	fprintf(to, ":1:%zu(", places->n_tasks);
	for (size_t i = 0; i < n; i++)
		if (i + 1 == n || list[i + 1].thread == 1)
			fprintf(to, "%zu:%zu%s", list[i].thread,
				places->timeline->lanes[i].host + 1,
				i + 1 == n ? ")\n" : ",");
}

void paraver_head(FILE *to, const struct paraver_places *places, time_t when)
{
	char text[32];
	struct tm local;

	strftime(text, sizeof(text), "%d/%m/%Y at %H:%M",
		 localtime_r(&when, &local));
	fprintf(to, "#Paraver (%s):%" PRIu64 "_ns:", text,
		places->timeline->end);
	put_hosts(to, places);
	put_tasks(to, places);
}
