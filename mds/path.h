/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PATH_H
#define BCS_PATH_H

#include "mds/mmds.h"

/*
 * The path clock: how far a thread would be on a network that takes no time.
 * It advances while the thread computes, stands still in MPI, and is raised to
 * the sender's when a message is received.  In ticks.
 */

/* The thread's computation up to the call that it is in. */
static inline uint64_t path_computation(const struct mmds_thread *thread)
{
	const struct mmds_frame *past = thread->past;
	uint64_t computation = thread->computation;
	uint64_t last = thread->last;
	uint64_t before;

	if (past) {
		before = mmds_before(last, past);
		computation += before;
		last += before + past->n * mmds_ticks(past);
	}
	if (thread->inside)
		computation += mmds_before(last, thread->now);
	return computation;
}

/* The calling thread's path clock; 0 if messages do not carry it. */
static inline uint64_t path_now(void)
{
	const struct mmds_thread *thread = path_carried ? mmds_thread : NULL;

	return thread ? path_computation(thread) + thread->ahead : 0;
}

/* The calling thread received what was sent at that path. */
static inline void path_join(uint64_t path)
{
	uint64_t now;

	if (!path_carried || !mmds_thread)
		return;
	now = path_now();
	if (path > now)
		mmds_thread->ahead += path - now;
}

#endif
