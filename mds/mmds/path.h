/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PATH_H
#define BCS_PATH_H

#include "mds/mmds/mmds.h"

/*
 * The path clock: how far a thread would be on a network that takes no time.
 * It advances while the thread computes, stands still in MPI, and is raised to
 * the sender's when a message is received.  In ticks.
 *
 * Two words of the thread hold it.  `path` is the clock in the current call.
 * `path_ahead` is what to add to a reading of the clock outside of calls.  So a
 * call costs two additions, a send a load, and a receive a maximum.
 */

/* The thread, outside of calls, computes until that moment. */
static inline uint64_t path_at(const struct mmds_thread *thread, uint64_t ticks)
{
	const uint64_t path = ticks + thread->path_ahead;

	/* Untimed calls may have counted as longer than they were. */
	return (int64_t)(path - thread->path) > 0 ? path : thread->path;
}

/* A timed call begins. */
static inline void path_enter(struct mmds_thread *thread, uint64_t ticks)
{
	thread->path = path_at(thread, ticks);
}

/* A call of so many ticks ends. */
static inline void path_leave(struct mmds_thread *thread, uint64_t ticks)
{
	thread->path_ahead -= ticks;
}

/* The calling thread's path clock in this call; 0 if nothing is recorded. */
static inline uint64_t path_now(void)
{
	const struct mmds_thread *thread = mmds_thread;

	return thread ? thread->path : 0;
}

/*
 * The number of the call path of the call that the calling thread is in, as
 * messages carry it, for findings to tell their sender's place.  0: unknown, or
 * too large a number.
 */
#define PATH_SITE_MOST UINT16_MAX

static inline uint16_t path_site(void)
{
	const struct mmds_thread *thread = mmds_thread;
	uint32_t path;

	if (!thread || !thread->inside)
		return 0;
	path = thread->now->slot->path;
	return path <= PATH_SITE_MOST ? (uint16_t)path : 0;
}

/*
 * The calling thread received what was sent at that path.  Without a branch,
 * since which of two ranks is further is often a matter of chance.
 */
static inline void path_join(uint64_t path)
{
	struct mmds_thread *thread = mmds_thread;
	int64_t more;

	if (!thread)
		return;
	more = (int64_t)(path - thread->path);
	more = more > 0 ? more : 0;
	thread->path += (uint64_t)more;
	thread->path_ahead += (uint64_t)more;
}

#endif
