/* SPDX-License-Identifier: BSD-3-Clause */

/* The last calls of a thread, and what they waited for. */
#include "analyzer/waits/waits_thread.h"

struct waits_ref waits_thread_call(struct waits_thread *thread, uint64_t begin,
				   uint64_t end, uint32_t place)
{
	thread->calls[thread->n % WAITS_REMEMBERED] = (struct waits_call){
		.begin = begin,
		.end = end,
		.wait_to = begin,
		.complete_from = end,
		.place = place,
	};
	return (struct waits_ref){ thread, thread->n++, begin };
}

struct waits_call *waits_call_at(const struct waits_ref *ref)
{
	struct waits_thread *thread = ref->thread;

	if (!thread || ref->number + WAITS_REMEMBERED < thread->n)
		return NULL;
	return &thread->calls[ref->number % WAITS_REMEMBERED];
}

struct waits_call *waits_call_open(const struct waits_ref *ref)
{
	return ref->thread && ref->number >= ref->thread->added
		       ? waits_call_at(ref)
		       : NULL;
}

/* A send needs a receive only if it waited for it: it may be buffered. */
static void call_needs(struct waits_call *call, enum waits_state state,
		       const struct waits_ref *other)
{
	if (call->needs.thread && other->begin <= call->needs.begin)
		return;
	if (state == WAITS_LATE_RECEIVER && other->begin <= call->begin)
		return;
	call->needs = *other;
	call->needs_state = state;
}

void waits_call_waits(const struct waits_ref *ref, enum waits_state state,
		      const struct waits_ref *other)
{
	struct waits_call *call = waits_call_open(ref);
	uint64_t to = other->begin;

	if (!call)
		return;
	call_needs(call, state, other);
	if (to <= call->wait_to)
		return;
	call->state = state;
	call->other = *other;
	call->wait_to = to < call->end ? to : call->end;
	if (state == WAITS_LATE_SENDER && to > ref->thread->latest_late)
		ref->thread->latest_late = to;
}

void waits_call_got(const struct waits_ref *ref, const struct waits_ref *send)
{
	struct waits_thread *thread = ref->thread;

	if (!thread || send->begin >= thread->latest_late)
		return;
	for (uint64_t i = thread->added; i < ref->number; i++) {
		struct waits_call *call = &thread->calls[i % WAITS_REMEMBERED];

		if (call->wait_to == call->begin ||
		    call->state != WAITS_LATE_SENDER ||
		    call->other.begin <= send->begin)
			continue;
		call->state = call->other.thread == send->thread
				      ? WAITS_WRONG_ORDER_SAME
				      : WAITS_WRONG_ORDER_OTHER;
	}
}
