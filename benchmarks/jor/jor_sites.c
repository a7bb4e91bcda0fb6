/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the two sites: by host names, by a list, or by round trips. */
#include "jor_sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"
#include "jor_names.h"
#include "jor_split.h"
#include "jor_trips.h"

/* The state of the search for the sites. */
struct search {
	const struct options *options;
	struct trips trips;
	int *group; /* that the delay is between, or NULL: the sites */
	char **hosts;
};

static int world_rank(void)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

static char **hosts_new(int size)
{
	char *all = kernel_room((uint64_t)size, MPI_MAX_PROCESSOR_NAME);
	char **hosts = kernel_room((uint64_t)size, sizeof(*hosts));
	char mine[MPI_MAX_PROCESSOR_NAME] = "";
	int length;

	MPI_Get_processor_name(mine, &length);
	MPI_Allgather(mine, sizeof(mine), MPI_CHAR, all, sizeof(mine), MPI_CHAR,
		      MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		hosts[i] = all + (size_t)i * sizeof(mine);
	return hosts;
}

static void hosts_free(char **hosts)
{
	free(hosts[0]);
	free(hosts);
}

static bool apart(bool told, const struct split *split)
{
	if (told)
		return true;
	return options_wrong("round trips do not tell two sites apart: %.1f us "
			     "within, %.1f us between; give --sites",
			     split->within * 1e6, split->between * 1e6);
}

static bool by_times(struct search *search, struct sites *sites)
{
	const int n = sites->size;
	double *times = kernel_room((uint64_t)n * (uint64_t)n, sizeof(*times));
	int *ranks = kernel_room((uint64_t)n, sizeof(*ranks));
	struct split split;
	bool told;

	for (int i = 0; i < n; i++)
		ranks[i] = i;
	trips_pairs(&search->trips, n, ranks, times);
	told = split_pairs(n, times, sites->site, &split);
	free(ranks);
	free(times);
	return apart(told, &split);
}

static bool by_hosts(struct search *search, struct sites *sites)
{
	int *first = kernel_room(3 * (uint64_t)sites->size, sizeof(int));
	int *host = first + sites->size;
	int *site = host + sites->size;
	double *times = kernel_room((uint64_t)sites->size, sizeof(*times));
	const int n = names_hosts(sites->size, search->hosts, first, host);
	struct split split;
	bool good = n > 1;

	if (good) {
		trips_first(&search->trips, n, first, times);
		good = apart(split_first(n, times, site, &split), &split);
	} else {
		options_wrong("all processes are on host '%s'; give --sites",
			      search->hosts[0]);
	}
	for (int i = 0; i < sites->size; i++)
		sites->site[i] = site[host[i]];
	free(times);
	free(first);
	return good;
}

/* Rank 0 reads; all have what it found. */
static bool by_file(struct search *search, struct sites *sites,
		    const char *path)
{
	int good = 0;

	if (world_rank() == 0)
		good = names_file(path, sites->size, search->hosts,
				  sites->site);
	MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(sites->site, sites->size, MPI_INT, 0, MPI_COMM_WORLD);
	return good != 0;
}

static bool assign(struct search *search, struct sites *sites)
{
	const char *how = search->options->sites;

	if (strcmp(how, "times") == 0)
		return by_times(search, sites);
	if (strcmp(how, "hosts") == 0)
		return by_hosts(search, sites);
	if (strncmp(how, "mask:", 5) == 0)
		return names_mask(how + 5, sites->size, search->hosts,
				  sites->site);
	if (strncmp(how, "file:", 5) == 0)
		return by_file(search, sites, how + 5);
	return names_groups("sites", how, sites->size, sites->site);
}

/* Whether a rank and one of the other site are the fastest so far. */
static void try(struct search *search, struct sites *sites, int a)
{
	for (int b = 0; b < sites->size; b++) {
		double trip;

		if (sites->site[b] == sites->site[a])
			continue;
		trip = trips_between(&search->trips, a, b);
		if (trip < sites->trip) {
			sites->trip = trip;
			sites->front[sites->site[a]] = a;
			sites->front[sites->site[b]] = b;
		}
	}
}

/*
 * Chooses the front-ends by the round trips of pairs between the sites.  If
 * sites are found by hosts, not all pairs are measured.  The first process is
 * paired with all of the other site.  The best of these is then paired with all
 * of the first's site.
 */
static void choose_fronts(struct search *search, struct sites *sites)
{
	const bool few = strcmp(search->options->sites, "hosts") == 0;

	sites->trip = HUGE_VAL;
	for (int i = 0; i < sites->size; i++)
		if (sites->site[i] == 0 && (!few || i == 0))
			try(search, sites, i);
	if (few)
		try(search, sites, sites->front[1]);
}

static void count(struct sites *sites)
{
	for (int i = 0; i < sites->size; i++)
		sites->ranks[sites->site[i]]++;
}

/* Clocks of two machines are not one. */
static bool may_delay(const struct search *search, int size)
{
	const struct slow *slow = search->trips.slow;

	for (int i = 1; i < size; i++)
		if (strcmp(search->hosts[0], search->hosts[i]) != 0 &&
		    (slow->delay > 0 || slow->bandwidth > 0))
			return options_wrong("--delay and --bandwidth are for "
					     "processes of one machine");
	return true;
}

static bool find(struct search *search, struct sites *sites)
{
	const char *between = search->options->between;

	if (!may_delay(search, sites->size))
		return false;
	if (between) {
		search->group = kernel_room((uint64_t)sites->size, sizeof(int));
		search->trips.group = search->group;
		if (!names_groups("between", between, sites->size,
				  search->group))
			return false;
	}
	if (!assign(search, sites))
		return false;
	if (!between)
		search->trips.group = sites->site;
	count(sites);
	choose_fronts(search, sites);
	return true;
}

bool sites_find(const struct options *options, const struct slow *slow,
		struct sites *sites)
{
	struct search search = { .options = options, .trips.slow = slow };
	bool good;

	*sites = (struct sites){ 0 };
	MPI_Comm_size(MPI_COMM_WORLD, &sites->size);
	if (sites->size < 2)
		return options_wrong("one process has no two sites; start at "
				     "least two, by mpiexec -n 2");
	sites->site = kernel_room((uint64_t)sites->size, sizeof(int));
	search.hosts = hosts_new(sites->size);
	good = find(&search, sites);
	hosts_free(search.hosts);
	free(search.group);
	return good;
}

void sites_free(struct sites *sites)
{
	free(sites->site);
}

static int key(const struct sites *sites, int rank)
{
	const int site = sites->site[rank];

	if (site == 0)
		return rank == sites->front[0] ? sites->size : rank;
	return sites->size + 1 + (rank == sites->front[1] ? 0 : rank + 1);
}

static MPI_Comm split(const struct sites *sites, bool own)
{
	const int rank = world_rank();
	MPI_Comm comm;

	MPI_Comm_split(MPI_COMM_WORLD, own ? sites->site[rank] : 0,
		       key(sites, rank), &comm);
	return comm;
}

MPI_Comm sites_all(const struct sites *sites)
{
	return split(sites, false);
}

MPI_Comm sites_own(const struct sites *sites)
{
	return split(sites, true);
}
