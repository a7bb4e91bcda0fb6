/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MMDS_FLIGHT_H
#define BCS_MMDS_FLIGHT_H

/*
 * A call stores an entry in the flight recorder (flight.h) when it begins, and
 * its outcome when it is over.  The time is that of the frame.
 */
#include "mds/mmds/mmds.h"

static inline struct flight_call *mmds_flight_next(struct mmds_thread *thread)
{
	struct flight_call *next = thread->entry + 1;

	if (__builtin_expect(next == thread->flight.end, 0))
		next = thread->flight.calls;
	return thread->entry = next;
}

static inline void mmds_flight_enter(struct mmds_thread *thread,
				     const struct mmds_frame *frame,
				     unsigned call, int nobody)
{
	const uint32_t path = frame->slot->path;

	*mmds_flight_next(
		thread) = (struct flight_call){ .start = frame->start,
						.path = path,
						.call = (uint16_t)call,
						.comm = FLIGHT_NO_COMM,
						.peer = nobody };
	flight_ring_show(&thread->flight);
}

/*
 * The entry of a call that only posts and is not timed.  Readers see it when
 * the call is over, or turns out to take time (mmds_time).
 */
static inline void mmds_flight_post(struct mmds_thread *thread,
				    const struct mmds_frame *frame,
				    unsigned call)
{
	const uint32_t path = frame->slot->path;
	struct flight_call *entry = mmds_flight_next(thread);

	entry->start = 0;
	entry->path = path;
	entry->call = (uint16_t)call;
}

/* Whom the call is about, once that is known. */
static inline void mmds_flight_about(const struct mmds_frame *frame)
{
	struct flight_call *entry = frame->thread->entry;

	entry->comm = (uint16_t)frame->comm;
	entry->peer = frame->peer;
	entry->tag = frame->tag;
}

static inline uint32_t mmds_flight_bytes(uint64_t bytes)
{
	return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static inline void mmds_flight_leave(const struct mmds_frame *frame)
{
	struct flight_call *entry = frame->thread->entry;
	const uint64_t bytes = frame->sent > frame->received ? frame->sent
							     : frame->received;
	/* A call takes at least a tick, and until then 0. */
	const float took = (float)(int64_t)(mmds_ticks(frame) | 1);

	entry->bytes = mmds_flight_bytes(bytes);
	entry->took = took;
	/* The next entry's line must not hold up a message in the next call. */
	__builtin_prefetch(entry + 1, 1);
}

static inline void mmds_flight_leave_post(const struct mmds_frame *frame)
{
	struct flight_call *entry = frame->thread->entry;

	if (mmds_is_timed(frame)) {
		mmds_flight_leave(frame);
		return;
	}
	entry->bytes = mmds_flight_bytes(frame->sent);
	entry->took = FLIGHT_UNTIMED;
	flight_ring_show(&frame->thread->flight);
}

#endif
