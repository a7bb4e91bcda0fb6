/* SPDX-License-Identifier: BSD-3-Clause */
#include "jor_trips.h"

#include <math.h>
#include <mpi.h>

#define TRIPS 20

static void take(const struct trips *trips, int me, int peer)
{
	double sent;

	MPI_Recv(&sent, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	if (trips->group && trips->group[me] != trips->group[peer])
		slow_hold(trips->slow, sent, sizeof(sent));
}

static void give(int peer)
{
	const double now = slow_now();

	MPI_Send(&now, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
}

/* At the first of the two, 0 at the other. */
static double measure(const struct trips *trips, int me, int a, int b)
{
	double least = HUGE_VAL;

	for (int i = 0; i < TRIPS; i++) {
		const double begin = slow_now();

		if (me == b)
			take(trips, me, a);
		give(me == a ? b : a);
		if (me == a)
			take(trips, me, b);
		least = fmin(least, slow_now() - begin);
	}
	return me == a ? least : 0;
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
