/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_H
#define SHIM_H

/*
 * The steps of every wrapper:
 *
 *	struct mmds_frame *f;
 *
 *	f = shim_enter(SHIM_MPI_X);
 *	if (!f)
 *		return PMPI_X(…);	nested, or nothing is recorded
 *	shim_about(f, …);		what a hung job's record will say
 *	rc = PMPI_X(…);
 *	shim_stop(f);			the call's time ends here
 *	shim_sent(f, …);		what it moved (transfer.h, requests.h)
 *	shim_leave(f, blocking);
 */
#include <stdatomic.h>

#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_flight.h"
#include "mds/mmds/path.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/calls/events.h"
#include "shim_calls.h" /* generated */

#define SHIM_EXPORT __attribute__((visibility("default")))
#define SHIM_INLINE __attribute__((always_inline)) static inline

#define X(name) SHIM_##name,
enum shim_call { SHIM_CALLS(X) SHIM_N_CALLS };
#undef X
extern const char *const shim_names[]; /* ends with NULL */

/*
 * The long way in; false: pass the call on, it is not recorded.  `ra` and `fa`
 * are the wrapper's return and frame address.
 */
bool shim_enter_slow(enum shim_call call, const void *ra, const void *fa);

SHIM_INLINE struct callpath_slot *shim_path(struct mmds_thread *thread,
					    enum shim_call call)
{
	if (!thread->paths)
		return &thread->flat[call];
	return callpath_find(thread->paths,
			     (uintptr_t)__builtin_return_address(0),
			     (uintptr_t)__builtin_frame_address(0));
}

/* Whether calls that post something do no more than that (route.c). */
extern bool shim_posts_only;

/*
 * A thread of the application enters MPI. Returns NULL if the call is not
 * recorded. Calls that only post something are not all timed.
 */
SHIM_INLINE struct mmds_frame *shim_enter_any(enum shim_call call, bool posts)
{
	struct mmds_thread *thread = mmds_thread;
	struct mmds_frame *frame;

	if (__builtin_expect(
		    !thread || thread->inside ||
			    thread->state !=
				    atomic_load_explicit(&mmds_state,
							 memory_order_relaxed),
		    0)) {
		if (!shim_enter_slow(call, __builtin_return_address(0),
				     __builtin_frame_address(0)))
			return NULL;
		thread = mmds_thread;
	}
	frame = mmds_frame_next(thread);
	frame->sampled = (thread->calls & (MMDS_SAMPLE - 1)) == MMDS_SAMPLE / 2;
	if (__builtin_expect(frame->sampled, 0))
		frame->own = clock_ticks();
	thread->inside = true;
	frame->call = (uint16_t)call;
	frame->comm = MMDS_NONE;
	frame->peer = MPI_PROC_NULL;
	frame->tag = 0;
	frame->n_requests = 0;
	frame->requests = NULL;
	frame->sent = 0;
	frame->received = 0;
	frame->slot = shim_path(thread, call);
	polite_thread.waiting = 0;
	polite_thread.given_up = 0;
	if (posts && shim_posts_only && mmds_may_skip_time(frame)) {
		mmds_flight_post(thread, frame, call);
		return frame;
	}
	frame->start = clock_ticks();
	if (events_are_wanted(frame))
		events_enter(frame);
	mmds_flight_enter(thread, frame, call, MPI_PROC_NULL);
	polite_thread.last = frame->start;
	path_enter(thread, frame->start);
	if (__builtin_expect(frame->sampled, 0))
		frame->own = frame->start - frame->own;
	return frame;
}

SHIM_INLINE struct mmds_frame *shim_enter(enum shim_call call)
{
	return shim_enter_any(call, false);
}

SHIM_INLINE struct mmds_frame *shim_enter_post(enum shim_call call)
{
	return shim_enter_any(call, true);
}

/* The call's work is done. */
SHIM_INLINE void shim_stop(struct mmds_frame *frame)
{
	frame->end = clock_ticks();
	frame->waiting = polite_thread.waiting;
	frame->thread->yielded += polite_thread.given_up;
}

SHIM_INLINE void shim_stop_post(struct mmds_frame *frame)
{
	if (mmds_is_timed(frame))
		shim_stop(frame);
	else
		frame->waiting = 0;
}

/* Back to the application. */
SHIM_INLINE void shim_leave(struct mmds_frame *frame, bool blocking)
{
	if (events_are_wanted(frame))
		events_call(frame);
	mmds_flight_leave(frame);
	path_leave(frame->thread, mmds_ticks(frame));
	mmds_record(frame, blocking);
	frame->thread->inside = false;
}

SHIM_INLINE void shim_leave_post(struct mmds_frame *frame)
{
	struct mmds_frame *past = frame->thread->past;

	if (events_are_wanted(frame))
		events_call(frame);
	mmds_flight_leave_post(frame);
	path_leave(frame->thread, mmds_ticks(frame));
	if (!frame->sampled && mmds_is_more(past, frame))
		past->n++;
	else
		mmds_record_post(frame);
	frame->thread->inside = false;
}

#endif
