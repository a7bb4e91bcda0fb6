/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MMDS_FLIGHT_H
#define BCS_MMDS_FLIGHT_H

/*
 * What a call stores in the flight recorder (flight.h): an entry when it
 * begins, and its outcome when it is over.  The time is that of the frame.
 */
#include "mds/mmds.h"

static inline void mmds_flight_enter(struct mmds_thread *thread,
				     const struct mmds_frame *frame,
				     unsigned call, int nobody)
{
	uint64_t *entered = thread->flight.entered;
	const uint64_t n = *entered;
	struct flight_call *entry = &thread->flight
					     .calls[n & thread->flight.mask];
	const uint32_t path = frame->slot->path;

	*entry = (struct flight_call){ .start = frame->start,
				       .path = path,
				       .call = (uint16_t)call,
				       .comm = FLIGHT_NO_COMM,
				       .peer = nobody };
	thread->entry = entry;
	/* Orders the entry before the number that shows it. */
	__atomic_store_n(entered, n + 1, __ATOMIC_RELEASE);
}

/* Whom the call is about, once that is known. */
static inline void mmds_flight_about(const struct mmds_frame *frame)
{
	struct flight_call *entry = frame->thread->entry;

	entry->comm = (uint16_t)frame->comm;
	entry->peer = frame->peer;
	entry->tag = frame->tag;
}

static inline void mmds_flight_leave(const struct mmds_frame *frame)
{
	struct flight_call *entry = frame->thread->entry;
	const uint64_t bytes = frame->sent > frame->received ? frame->sent
							     : frame->received;
	/* A call takes at least a tick, and until then 0. */
	const float took = (float)(int64_t)(mmds_ticks(frame) | 1);

	entry->bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
	entry->took = took;
}

#endif
