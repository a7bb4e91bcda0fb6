/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Measures PLogP's parameters between processes 0 and 1, after Kielmann, Bal
 * and Verstoep ("Fast Measurement of LogP Parameters for Message Passing
 * Platforms", 2000).
 */
#include <errno.h>
#include <math.h>

#include "meet.h"
#include "timing.h"

/* Messages in a row, beside which one answer is short. */
#define SATURATED 1024
/* How much later than a message may need its receiver asks for it. */
#define LATER 2.0
#define LEAST 20e-6

/* The answer to a send, and to a window of them. */
static void take(const struct meet *meet, int from, int messages)
{
	meet_send(meet, 0, from);
	for (int i = 0; i < messages; i++)
		meet_recv(meet, meet->out, from);
	meet_send(meet, 0, from);
}

static void take_one(const struct meet *meet, int from)
{
	take(meet, from, 1);
}

static void take_many(const struct meet *meet, int from)
{
	take(meet, from, SATURATED);
}

static double time_send(const struct meet *meet, int to)
{
	double seconds;
	int64_t begin;

	meet_recv(meet, 0, to);
	begin = mpib_clock_now();
	meet_send(meet, meet->out, to);
	seconds = meet_since(begin);
	meet_recv(meet, 0, to);
	return fmax(0, seconds - meet->reading);
}

static double time_many(const struct meet *meet, int to)
{
	int64_t begin;

	meet_recv(meet, 0, to);
	begin = mpib_clock_now();
	for (int i = 0; i < SATURATED; i++)
		meet_send(meet, meet->out, to);
	meet_recv(meet, 0, to);
	return fmax(0, meet_since(begin) - meet->reading) / SATURATED;
}

/*
 * The message has arrived when its receiver asks for it.  It waits outside MPI,
 * so that nothing is received meanwhile.
 */
static double time_recv(const struct meet *meet, int from)
{
	int64_t begin = mpib_clock_now();

	meet_send(meet, 0, from);
	while (meet_since(begin) < meet->delay)
		;
	begin = mpib_clock_now();
	meet_recv(meet, meet->out, from);
	return fmax(0, meet_since(begin) - meet->reading);
}

static void give_one(const struct meet *meet, int to)
{
	meet_recv(meet, 0, to);
	meet_send(meet, meet->out, to);
}

static int count(int n)
{
	(void)n;
	return 1;
}

/* Repeats `meet->trip` at process 0; the others wait for the result. */
static int measure(MPI_Comm comm, struct meet *meet, struct mpib_result *result)
{
	const int other = 1;
	int size;
	int rc;

	MPI_Comm_size(comm, &size);
	rc = timing_agree(comm, size < 2 ? -EINVAL : 0);
	if (rc == 0)
		rc = meet_begin(meet, comm, count);
	if (rc < 0)
		return rc;
	if (meet->rank == 0)
		meet_others(meet, &other, 1, meet->results);
	else if (meet->rank == other)
		meet_root(meet, 0);
	return meet_end(meet, result);
}

int mpib_measure_gap(MPI_Comm comm, int bytes, const struct mpib_rules *rules,
		     struct mpib_result *result)
{
	struct meet meet = { .out = bytes,
			     .rules = rules,
			     .trip = time_many,
			     .answer = take_many };

	return measure(comm, &meet, result);
}

int mpib_measure_plogp(MPI_Comm comm, int bytes, const struct mpib_rules *rules,
		       struct mpib_plogp *plogp)
{
	struct meet trip = { .out = bytes, .rules = rules };
	struct meet send = { .out = bytes,
			     .rules = rules,
			     .trip = time_send,
			     .answer = take_one };
	struct meet recv = { .out = bytes,
			     .rules = rules,
			     .trip = time_recv,
			     .answer = give_one };
	struct mpib_plogp made;
	int rc = measure(comm, &trip, &made.round_trip);

	if (rc == 0)
		rc = measure(comm, &send, &made.send);
	if (rc < 0)
		return rc;
	recv.delay = LATER * made.round_trip.median + LEAST;
	rc = measure(comm, &recv, &made.recv);
	if (rc == 0)
		*plogp = made;
	return rc;
}
