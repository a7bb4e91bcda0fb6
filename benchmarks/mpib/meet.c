/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Repeats messages between a root and others until the mean is known well
 * enough.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "meet.h"
#include "repeat.h"
#include "timing.h"

#define TAG      3
#define READINGS 100 /* in a row */
#define TIMES    10

void meet_send(const struct meet *meet, int bytes, int to)
{
	MPI_Send(meet->buf, bytes, MPI_BYTE, to, TAG, meet->comm);
}

void meet_recv(const struct meet *meet, int bytes, int from)
{
	MPI_Recv(meet->buf, bytes, MPI_BYTE, from, TAG, meet->comm,
		 MPI_STATUS_IGNORE);
}

double meet_since(int64_t begin)
{
	return (double)(mpib_clock_now() - begin) * 1e-9;
}

/*
 * The part of a round trip that the clock itself adds: one of its two readings.
 * Many are read in a row, since the clock may step by as long as a reading
 * takes.
 */
static double reading(void)
{
	double least = INFINITY;
	int64_t begin;

	for (int i = 0; i < TIMES; i++) {
		begin = mpib_clock_now();
		for (int k = 1; k < READINGS; k++)
			mpib_clock_now();
		least = fmin(least, meet_since(begin) / READINGS);
	}
	return least;
}

static double trip(const struct meet *meet, const int *others, int n)
{
	int64_t begin;

	if (meet->trip)
		return meet->trip(meet, others[0]);
	for (int i = 0; i < n; i++)
		meet_recv(meet, 0, others[i]);
	begin = mpib_clock_now();
	for (int i = 0; i < n; i++)
		meet_send(meet, meet->out, others[i]);
	for (int i = 0; i < n; i++)
		meet_recv(meet, meet->back, others[i]);
	return fmax(0, meet_since(begin) - meet->reading);
}

/* So many round trips follow; none: it is over. */
static void announce(const struct meet *meet, const int *others, int n,
		     int trips)
{
	for (int i = 0; i < n; i++)
		MPI_Send(&trips, 1, MPI_INT, others[i], TAG, meet->comm);
}

static void answer(const struct meet *meet, int root)
{
	meet_send(meet, 0, root);
	meet_recv(meet, meet->out, root);
	meet_send(meet, meet->back, root);
}

void meet_root(struct meet *meet, int root)
{
	int n;

	for (;;) {
		MPI_Recv(&n, 1, MPI_INT, root, TAG, meet->comm,
			 MPI_STATUS_IGNORE);
		if (n == 0)
			return;
		for (int i = 0; i < n; i++)
			(meet->answer ? meet->answer : answer)(meet, root);
	}
}

static void repeat_trips(const struct meet *meet, const int *others, int n,
			 struct repeat *repeat, int64_t begin)
{
	int trips;

	do {
		trips = repeat_next(repeat, meet_since(begin));
		announce(meet, others, n, trips);
		for (int i = 0; i < trips; i++)
			repeat_add(repeat, trip(meet, others, n));
	} while (trips > 0);
}

/* Without memory there are no trips, of which the others have to know. */
static int decide(const struct meet *meet, const int *others, int n,
		  struct mpib_result *result)
{
	struct mpib_rules rules = *meet->rules;
	const int64_t begin = mpib_clock_now();
	struct repeat repeat = { 0 };
	int rc;

	rules.samples = NULL;
	rc = repeat_begin(&repeat, &rules);
	if (rc < 0) {
		announce(meet, others, n, 0);
		return rc;
	}
	repeat_trips(meet, others, n, &repeat, begin);
	rc = repeat_result(&repeat, meet_since(begin), result);
	repeat_end(&repeat);
	return rc;
}

void meet_others(struct meet *meet, const int *others, int n,
		 struct mpib_result *result)
{
	const int rc = decide(meet, others, n, result);

	if (rc < 0)
		meet->rc = rc;
}

static int make_room(struct meet *meet)
{
	const int most = meet->out > meet->back ? meet->out : meet->back;

	meet->results = calloc((size_t)meet->n_results + 1,
			       sizeof(*meet->results));
	meet->buf = calloc(1, (size_t)most + 1);
	return meet->results && meet->buf ? 0 : -ENOMEM;
}

int meet_begin(struct meet *meet, MPI_Comm comm, int (*count)(int n))
{
	int rc = timing_agree(comm,
			      meet->out < 0 || meet->back < 0 ? -EINVAL : 0);

	if (rc < 0)
		return rc;
	MPI_Comm_dup(comm, &meet->comm);
	MPI_Comm_rank(comm, &meet->rank);
	MPI_Comm_size(comm, &meet->size);
	mpib_crowded(comm, &meet->crowded);
	meet->n_results = count(meet->size);
	meet->reading = reading();
	meet->rc = timing_agree(meet->comm, make_room(meet));
	return meet->rc < 0 ? meet_end(meet, NULL) : 0;
}

/* Results of pairs that others measured are zero here. */
int meet_end(struct meet *meet, struct mpib_result *results)
{
	const int rc = timing_agree(meet->comm, meet->rc);

	if (rc == 0)
		MPI_Allreduce(meet->results, results,
			      meet->n_results * (int)sizeof(*results), MPI_BYTE,
			      MPI_BOR, meet->comm);
	free(meet->buf);
	free(meet->results);
	MPI_Comm_free(&meet->comm);
	return rc;
}
