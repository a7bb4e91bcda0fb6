/* SPDX-License-Identifier: BSD-3-Clause */

/* Measures round trips between all pairs of processes. */
#include "jor_trips.h"

#include <mpi.h>

#include "jor_batches.h"

#define SECONDS 0.5 /* trips that take longer than all should end early, */
#define LEAST   (2 * BATCHES) /* but not before so many */

struct message {
	double sent;
	double goes_on; /* 0: this was the last trip */
};

static bool take(const struct trips *trips, int me, int peer)
{
	struct message message;

	MPI_Recv(&message, 2, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	if (trips->group && trips->group[me] != trips->group[peer])
		slow_hold(trips->slow, message.sent, sizeof(message));
	return message.goes_on != 0;
}

static void give(int peer, bool goes_on)
{
	const struct message message = { slow_now(), goes_on };

	MPI_Send(&message, 2, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
}

static void answer(const struct trips *trips, int me, int peer)
{
	bool goes_on;

	do {
		goes_on = take(trips, me, peer);
		give(peer, goes_on);
	} while (goes_on);
}

/* How many trips were made. */
static int ask(const struct trips *trips, int me, int peer, double times[])
{
	const double end = slow_now() + SECONDS;
	bool goes_on = true;
	double begin;
	int n = 0;

	while (goes_on) {
		goes_on = n + 1 < LEAST ||
			  (n + 1 < BATCHES_TRIPS && slow_now() < end);
		begin = slow_now();
		give(peer, goes_on);
		take(trips, me, peer);
		times[n++] = slow_now() - begin;
	}
	return n;
}

/* At the first of the two, 0 at the other. */
static double measure(const struct trips *trips, int me, int a, int b)
{
	double times[BATCHES_TRIPS];

	if (me == b) {
		answer(trips, me, a);
		return 0;
	}
	return batches_median(times, ask(trips, me, b, times));
}

static double of(const struct trips *trips, int a, int b)
{
	int me;

	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	return me == a || me == b ? measure(trips, me, a, b) : 0;
}

static void tell(int n, double times[])
{
	MPI_Allreduce(MPI_IN_PLACE, times, n, MPI_DOUBLE, MPI_MAX,
		      MPI_COMM_WORLD);
}

double trips_between(const struct trips *trips, int a, int b)
{
	double seconds = of(trips, a, b);

	tell(1, &seconds);
	return seconds;
}

void trips_pairs(const struct trips *trips, int n, const int ranks[],
		 double times[])
{
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			times[i * n + j] = of(trips, ranks[i], ranks[j]);
	tell(n * n, times);
}

void trips_first(const struct trips *trips, int n, const int ranks[],
		 double times[])
{
	for (int i = 1; i < n; i++)
		times[i] = of(trips, ranks[0], ranks[i]);
	tell(n, times);
}
