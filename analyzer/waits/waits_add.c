/* SPDX-License-Identifier: BSD-3-Clause */

/* Adds up calls: what they waited for, and what the others did meanwhile. */
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/waits/waits_add.h"
#include "analyzer/waits/waits_look.h"
#include "analyzer/waits/waits_severest.h"

uint32_t waits_add_place(struct waits *waits, const char *call,
			 const char *site)
{
	const struct waits_place place = {
		.call = (uint32_t)intern_text(&waits->texts, call ? call : ""),
		.site = (uint32_t)intern_text(&waits->texts, site ? site : ""),
	};
	const size_t n = waits->places.n;
	const size_t at = intern_add(&waits->places, &place, sizeof(place));

	if (at < n)
		return (uint32_t)at;
	waits->calls = mem_grow(waits->calls, &waits->calls_room, n,
				sizeof(*waits->calls));
	waits->calls[n] = (struct waits_calls){ 0 };
	return (uint32_t)n;
}

static void gap_add(struct waits *waits, const struct waits_gap_key *key,
		    uint64_t time)
{
	const size_t n = waits->gap_keys.n;
	const size_t at = intern_add(&waits->gap_keys, key, sizeof(*key));

	if (at == n) {
		waits->gaps = mem_grow(waits->gaps, &waits->gaps_room, n,
				       sizeof(*waits->gaps));
		waits->gaps[n] = (struct waits_gap){ 0 };
	}
	waits->gaps[at].count++;
	waits->gaps[at].time += time;
	waits->gaps[at].n_short += time < WAITS_SHORT;
}

static void first_look(struct waits *waits, const struct waits_thread *thread)
{
	const struct waits_call *call = &thread->calls[0];
	const char *name = waits_call_text(waits, call->place);
	const bool starts = strncmp(name, "MPI_Init", 8) == 0;
	const uint64_t from = starts ? call->end : call->begin;

	if (!waits->has_from || from < waits->from)
		waits->from = from;
	waits->has_from = true;
}

void waits_add_begin(struct waits *waits, struct waits_thread *thread,
		     uint64_t bytes)
{
	const uint64_t n = thread->n;
	const struct waits_call
		*call = &thread->calls[(n - 1) % WAITS_REMEMBERED];
	const struct waits_call
		*before = &thread->calls[(n - 2) % WAITS_REMEMBERED];
	const struct waits_gap_key key = { before->place, call->place };

	if (bytes > waits->calls[call->place].bytes)
		waits->calls[call->place].bytes = bytes;
	if (n == 1) {
		first_look(waits, thread);
	} else if (call->begin > before->end) {
		thread->computed += call->begin - before->end;
		gap_add(waits, &key, call->begin - before->end);
	} else {
		gap_add(waits, &key, 0);
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void waits_add_core(struct waits_thread *thread, uint64_t time)
{
	const uint64_t n = thread->n;
	const struct waits_call
		*call = &thread->calls[(n - 1) % WAITS_REMEMBERED];
	const struct waits_call
		*before = &thread->calls[(n - 2) % WAITS_REMEMBERED];

	if (n > 1 && call->begin > before->end)
		thread->no_core += least(time, call->begin - before->end);
}

void waits_add_thread(struct waits *waits, const struct waits_thread *thread)
{
	waits->threads = mem_grow(waits->threads, &waits->threads_room,
				  waits->n_threads, sizeof(*waits->threads));
	waits->threads[waits->n_threads++] = (struct waits_of_thread){
		.rank = thread->rank,
		.thread = thread->thread,
		.computed = thread->computed,
		.no_core = thread->no_core,
	};
}

static void sum_add(struct waits_sum *sum, uint64_t time)
{
	sum->count++;
	sum->time += time;
	if (time > sum->max)
		sum->max = time;
	dist_add(&sum->times, time, time, 1);
}

static uint32_t row_of(struct waits *waits, const struct waits_row_key *key)
{
	const size_t n = waits->row_keys.n;
	const size_t at = intern_add(&waits->row_keys, key, sizeof(*key));

	if (at == n) {
		waits->rows = mem_grow(waits->rows, &waits->rows_room, n,
				       sizeof(*waits->rows));
		waits->rows[n] = (struct waits_row){ 0 };
	}
	return (uint32_t)at;
}

static uint32_t place_of(const struct waits_ref *ref)
{
	const struct waits_call *call = waits_call_at(ref);

	return call ? call->place : WAITS_NOWHERE;
}

/* A wait of the call, from `begin` to `end`. */
static void wait_add(struct waits *waits, const struct waits_thread *thread,
		     const struct waits_call *call, enum waits_state state,
		     uint64_t begin, uint64_t end)
{
	const bool has_other = waits_is_for_call(state);
	const struct waits_row_key key = { state, call->place,
					   has_other ? place_of(&call->other)
						     : WAITS_NOWHERE };
	struct waits_instance instance = {
		.row = row_of(waits, &key),
		.since = begin,
		.time = end - begin,
		.rank = thread->rank,
		.has_other = has_other,
		.other_rank = has_other ? call->other.thread->rank : 0,
		.cause = { .doing = WAITS_FORGOTTEN },
	};

	sum_add(&waits->states[state], instance.time);
	sum_add(&waits->rows[instance.row].sum, instance.time);
	waits->calls[call->place].parts[state] += instance.time;
	if (has_other)
		waits_look(waits, &instance, &call->other);
	waits_severest_add(waits, &instance);
}

/* When the first slice begins that can do something for the call. */
static uint64_t slice_after(const struct waits_thread *thread, uint64_t at)
{
	const int64_t length = (int64_t)thread->slice_ns;
	const int64_t over = ((int64_t)at - thread->slice_zero) % length;

	return at + (uint64_t)(over ? length - over : 0);
}

static void part_add(struct waits *waits, const struct waits_thread *thread,
		     const struct waits_call *call, enum waits_state state,
		     uint64_t begin, uint64_t end)
{
	if (begin < end)
		wait_add(waits, thread, call, state, begin, end);
}

/*
 * Between its waits for others, the call waited for slices, worked, or was
 * ready.  It wakes when the slices have done it, so its core came last.
 */
static void middle_add(struct waits *waits, const struct waits_thread *thread,
		       const struct waits_call *call)
{
	const uint64_t begin = call->wait_to;
	const uint64_t end = call->complete_from;
	const uint64_t woken = end - least(call->core, end - begin);
	const uint64_t slice = thread->slice_ns && call->communicates
				       ? slice_after(thread, begin)
				       : end;

	part_add(waits, thread, call, WAITS_CORE, woken, end);
	if (slice >= woken) {
		waits->calls[call->place].work += woken - begin;
		return;
	}
	part_add(waits, thread, call, WAITS_SLICE, begin, slice);
	part_add(waits, thread, call, WAITS_IN_SLICES, slice, woken);
}

static void call_add(struct waits *waits, const struct waits_thread *thread,
		     struct waits_call *call)
{
	struct waits_calls *calls = &waits->calls[call->place];

	if (call->complete_from < call->wait_to)
		call->complete_from = call->wait_to;
	calls->count++;
	calls->time += call->end - call->begin;
	part_add(waits, thread, call, call->state, call->begin, call->wait_to);
	middle_add(waits, thread, call);
	part_add(waits, thread, call, call->complete_state, call->complete_from,
		 call->end);
}

void waits_add_calls(struct waits *waits, struct waits_thread *thread,
		     uint64_t keep)
{
	for (; thread->added + keep < thread->n; thread->added++) {
		struct waits_call *call =
			&thread->calls[thread->added % WAITS_REMEMBERED];

		if (thread->wanted && !waits_is_off(waits, call) &&
		    !run_is_outside(waits_call_text(waits, call->place)))
			call_add(waits, thread, call);
	}
}
