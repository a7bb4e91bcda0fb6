/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Windows of nonblocking sends between pairs, as OSU's benchmarks have them:
 * all sends have one buffer.  Receives have one each, since MPI forbids two
 * that overlap.
 */
#include "benchmarks/mpib/pattern/pattern.h"
#include "benchmarks/mpib/verify.h"

#define TAG 4

static void send_window(struct pattern_run *run, MPI_Request *requests)
{
	for (int i = 0; i < run->window; i++)
		MPI_Isend(run->from, run->bytes, MPI_BYTE, run->peer, TAG,
			  run->comm, &requests[i]);
}

static void recv_window(struct pattern_run *run, MPI_Request *requests)
{
	char *to = run->to;

	for (int i = 0; i < run->window; i++, to += run->bytes)
		MPI_Irecv(to, run->bytes, MPI_BYTE, run->peer, TAG, run->comm,
			  &requests[i]);
}

static void wait_for(struct pattern_run *run, int n)
{
	MPI_Waitall(n, run->requests, run->statuses);
}

void pattern_stream(void *argument)
{
	struct pattern_run *run = argument;

	if (run->peer < 0)
		return;
	(run->first ? send_window : recv_window)(run, run->requests);
	wait_for(run, run->window);
	if (run->first)
		MPI_Recv(NULL, 0, MPI_BYTE, run->peer, TAG, run->comm,
			 MPI_STATUS_IGNORE);
	else
		MPI_Send(NULL, 0, MPI_BYTE, run->peer, TAG, run->comm);
}

void pattern_both_ways(void *argument)
{
	struct pattern_run *run = argument;

	if (run->peer < 0)
		return;
	recv_window(run, run->requests);
	send_window(run, run->requests + run->window);
	wait_for(run, 2 * run->window);
}

void pattern_round_trip(void *argument)
{
	struct pattern_run *run = argument;

	if (run->peer < 0)
		return;
	for (int i = 0; i < run->window; i++) {
		if (run->first)
			MPI_Send(run->from, run->bytes, MPI_BYTE, run->peer,
				 TAG, run->comm);
		MPI_Recv(run->to + (size_t)i * (size_t)run->bytes, run->bytes,
			 MPI_BYTE, run->peer, TAG, run->comm,
			 MPI_STATUS_IGNORE);
		if (!run->first)
			MPI_Send(run->from, run->bytes, MPI_BYTE, run->peer,
				 TAG, run->comm);
	}
}

bool pattern_both_are_right(const struct pattern_run *run, int times)
{
	const char *to = run->to;

	for (int i = 0; i < times; i++, to += run->bytes)
		if (!verify_holds(to, run->peer, run->rank, run->bytes))
			return false;
	return true;
}

bool pattern_stream_is_right(const struct pattern_run *run, int times)
{
	return run->first || pattern_both_are_right(run, times);
}
