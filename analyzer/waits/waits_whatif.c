/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Replays the calls with some of them changed.  Times of the run as it was have
 * plain names; those of a case are computed from them and from how far ahead
 * the thread is.
 */
#include "analyzer/waits/waits_whatif.h"
#include "analyzer/base/mem.h"

/* By how much a thread is ahead of the run, in ns; it may be behind. */
struct waits_ahead {
	int64_t begin[WAITS_REMEMBERED][WAITS_CASES]; /* of its calls */
	int64_t end[WAITS_CASES];                     /* of the last one */
	/* When the last changed call will be complete, as a time of the case.
	 */
	int64_t due_next[WAITS_CASES];
	int64_t due_place[WAITS_CHANGES][WAITS_CASES];
	/* Computation until that, in ns; negative: none is to be waited for, or
	 * it is unknown. */
	int64_t left[WAITS_CHANGES];
	uint64_t within[WAITS_CHANGES]; /* this thread's */
	uint64_t last[WAITS_CHANGES];   /* call of the place, its number + 1 */
};

/* The number of the place's change, or -1. */
static int change_of(const struct waits_whatif *whatif, uint32_t place)
{
	for (unsigned i = 0; i < whatif->n_changes; i++)
		if (whatif->changes[i].place == place)
			return (int)i;
	return -1;
}

static bool is_changed(const struct waits_whatif *whatif, unsigned n,
		       int change)
{
	return change >= 0 && (whatif->cases[n].changes >> change & 1);
}

/* Whether a use of its buffer may come before the thread's next call. */
static bool is_bound(const struct waits_whatif *whatif, unsigned n,
		     const struct waits_ahead *ahead, unsigned change)
{
	return ahead->within[change] != WAITS_UNKNOWN &&
	       !(whatif->cases[n].apart &&
		 whatif->changes[change].kind == WAITS_CHANGE_SEND);
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* When a receive is posted that a change posts earlier. */
static int64_t posted(unsigned n, struct waits_thread *thread,
		      const struct waits_call *call)
{
	const uint64_t next = call->row_after;
	const struct waits_ref before = { thread, next - 1, 0 };
	const struct waits_call *last = next ? waits_call_at(&before) : NULL;

	return last ? (int64_t)last->end -
			       thread->ahead->begin[next % WAITS_REMEMBERED][n]
		    : INT64_MIN;
}

/* When the call that this one needs begins; INT64_MIN: it needs none. */
static int64_t needs(const struct waits_whatif *whatif, unsigned n,
		     const struct waits_call *call)
{
	const struct waits_call *other = waits_call_at(&call->needs);
	const struct waits_ahead *ahead;
	int change;

	if (!other || !call->needs.thread->ahead)
		return INT64_MIN;
	change = change_of(whatif, other->place);
	if (call->needs_state == WAITS_LATE_RECEIVER &&
	    is_changed(whatif, n, change) &&
	    whatif->changes[change].kind == WAITS_CHANGE_RECEIVE)
		return posted(n, call->needs.thread, other);
	ahead = call->needs.thread->ahead;
	return (int64_t)other->begin -
	       ahead->begin[call->needs.number % WAITS_REMEMBERED][n];
}

/*
 * When a call of a run in slices is complete.  A receive that is posted earlier
 * waits for nothing but the message from then on.
 */
static int64_t sliced(const struct waits_whatif *whatif, unsigned n,
		      struct waits_thread *thread,
		      const struct waits_call *call, int64_t begin)
{
	const int change = change_of(whatif, call->place);
	const int64_t from = whatif->changes[change].kind ==
					     WAITS_CHANGE_RECEIVE
				     ? posted(n, thread, call)
				     : begin;
	const int64_t ready = most(from, needs(whatif, n, call));

	return ready == INT64_MIN
		       ? begin
		       : ready + (int64_t)(call->end - call->wait_to);
}

static void keep_due(struct waits_ahead *ahead, int change, unsigned n,
		     int64_t ready)
{
	ahead->due_place[change][n] = most(ahead->due_place[change][n], ready);
}

/*
 * When a changed call ends, whose work the thread does itself, and what is left
 * to wait for is kept.
 */
static int64_t end_changed(const struct waits_whatif *whatif, unsigned n,
			   struct waits_ahead *ahead, int change, int64_t begin,
			   int64_t ready, int64_t work)
{
	const bool free = whatif->cases[n].free;

	if (is_bound(whatif, n, ahead, (unsigned)change)) {
		if (!free || whatif->changes[change].kind != WAITS_CHANGE_SEND)
			keep_due(ahead, change, n, ready);
		return free ? begin : begin + work;
	}
	switch (whatif->changes[change].kind) {
	case WAITS_CHANGE_RECEIVE:
		return most(begin, ready) + (free ? 0 : work);
	case WAITS_CHANGE_SEND:
		if (!free)
			keep_due(ahead, change, n, ready);
		break;
	case WAITS_CHANGE_ALL:
		if (!free)
			ahead->due_next[n] = ready;
		break;
	}
	return free ? begin : begin + work;
}

static void end_case(const struct waits_whatif *whatif, unsigned n,
		     struct waits_thread *thread, const struct waits_call *call,
		     uint64_t number)
{
	struct waits_ahead *ahead = thread->ahead;
	const int change = change_of(whatif, call->place);
	const int64_t begin = (int64_t)call->begin -
			      ahead->begin[number % WAITS_REMEMBERED][n];
	int64_t ready = most(begin, needs(whatif, n, call));
	int64_t work = (int64_t)(call->end - call->wait_to);
	int64_t end = ready + work;

	if (is_changed(whatif, n, change)) {
		if (whatif->in_slices && !whatif->cases[n].free) {
			ready = sliced(whatif, n, thread, call, begin);
			work = 0;
		}
		end = end_changed(whatif, n, ahead, change, begin, ready, work);
	}
	ahead->end[n] = (int64_t)call->end - end;
}

/* Of several calls the first use counts. */
static void left_begin(struct waits_ahead *ahead, int change)
{
	const uint64_t within = change < 0 ? WAITS_UNKNOWN
					   : ahead->within[change];
	int64_t left;

	if (within == WAITS_UNKNOWN)
		return;
	left = within < INT64_MAX ? (int64_t)within : INT64_MAX;
	if (ahead->left[change] < 0 || left < ahead->left[change])
		ahead->left[change] = left;
}

/* The call is complete: what it needs is known. */
static void call_end(const struct waits_whatif *whatif,
		     struct waits_thread *thread)
{
	const uint64_t number = thread->n - 1;
	const struct waits_call
		*call = &thread->calls[number % WAITS_REMEMBERED];

	for (unsigned n = 0; n < whatif->n_cases; n++)
		end_case(whatif, n, thread, call, number);
	left_begin(thread->ahead, change_of(whatif, call->place));
}

/* Whether the call before it is of the same place, without computation. */
static bool goes_on(struct waits_thread *thread, uint64_t number)
{
	const struct waits_call *calls = thread->calls;
	const struct waits_call *call = &calls[number % WAITS_REMEMBERED];
	const struct waits_call
		*before = &calls[(number - 1) % WAITS_REMEMBERED];

	return number && before->place == call->place &&
	       call->begin < before->end + WAITS_SHORT;
}

/* Finds the last call of the row that was before the call's own. */
static void row_find(struct waits_thread *thread, uint64_t number, int change)
{
	struct waits_call *call = &thread->calls[number % WAITS_REMEMBERED];

	call->row_after =
		goes_on(thread, number)
			? thread->calls[(number - 1) % WAITS_REMEMBERED]
				  .row_after
			: thread->ahead->last[change];
	thread->ahead->last[change] = number + 1;
}

/* The wait stands at a use of the buffer, not before the next call. */
static bool is_left(const struct waits_ahead *ahead, int change)
{
	return ahead->left[change] >= 0;
}

/* `change` is -1 for a call without one, and in a row but for its first. */
static void begin_case(const struct waits_whatif *whatif, unsigned n,
		       struct waits_ahead *ahead, const struct waits_call *call,
		       uint64_t number, int change)
{
	int64_t begin = (int64_t)call->begin - ahead->end[n];

	begin = most(begin, ahead->due_next[n]);
	ahead->due_next[n] = INT64_MIN;
	if (change >= 0 && !(is_left(ahead, change) &&
			     is_bound(whatif, n, ahead, (unsigned)change))) {
		begin = most(begin, ahead->due_place[change][n]);
		ahead->due_place[change][n] = INT64_MIN;
	}
	ahead->begin[number % WAITS_REMEMBERED][n] = (int64_t)call->begin -
						     begin;
}

/* Waits where the computation until then is over, and goes on with the rest. */
static void due_take(struct waits_ahead *ahead, unsigned change, unsigned n,
		     const struct waits_call *call, uint64_t number,
		     int64_t rest)
{
	int64_t *ahead_by = &ahead->begin[number % WAITS_REMEMBERED][n];
	const int64_t due = ahead->due_place[change][n];

	ahead->due_place[change][n] = INT64_MIN;
	if (due != INT64_MIN && (int64_t)call->begin - *ahead_by < due + rest)
		*ahead_by = (int64_t)call->begin - due - rest;
}

/* The thread computed for `gap` ns before the call. */
static void compute(const struct waits_whatif *whatif,
		    struct waits_ahead *ahead, const struct waits_call *call,
		    uint64_t number, int64_t gap)
{
	for (unsigned i = 0; i < whatif->n_changes; i++) {
		const int64_t rest = gap - ahead->left[i];

		if (ahead->left[i] < 0)
			continue;
		ahead->left[i] -= gap;
		if (rest < 0)
			continue;
		ahead->left[i] = -1;
		for (unsigned n = 0; n < whatif->n_cases; n++)
			if (is_bound(whatif, n, ahead, i))
				due_take(ahead, i, n, call, number, rest);
	}
}

static uint64_t within_of(const struct waits_whatif *whatif, unsigned i,
			  uint64_t rank)
{
	const struct waits_change *change = &whatif->changes[i];

	return i < whatif->n_changes && rank < change->n_ranks
		       ? change->within[rank]
		       : WAITS_UNKNOWN;
}

static struct waits_ahead *ahead_make(const struct waits_whatif *whatif,
				      uint64_t rank)
{
	struct waits_ahead *ahead = mem_alloc(1, sizeof(*ahead));

	for (unsigned n = 0; n < WAITS_CASES; n++) {
		ahead->due_next[n] = INT64_MIN;
		for (unsigned i = 0; i < WAITS_CHANGES; i++)
			ahead->due_place[i][n] = INT64_MIN;
	}
	for (unsigned i = 0; i < WAITS_CHANGES; i++) {
		ahead->left[i] = -1;
		ahead->within[i] = within_of(whatif, i, rank);
	}
	return ahead;
}

void waits_whatif_open(struct waits_whatif *whatif)
{
	if (!whatif || !whatif->cores)
		return;
	whatif->idle = waits_idle_new(whatif->cores);
	whatif->idle_free = waits_idle_new(whatif->cores);
}

void waits_whatif_close(struct waits_whatif *whatif)
{
	if (!whatif)
		return;
	whatif->most = whatif->most_free = UINT64_MAX;
	if (whatif->idle) {
		whatif->most = waits_idle_gain(whatif->idle);
		whatif->most_free = waits_idle_gain(whatif->idle_free);
	}
	waits_idle_free(whatif->idle);
	waits_idle_free(whatif->idle_free);
	whatif->idle = whatif->idle_free = NULL;
}

void waits_whatif_before(struct waits_whatif *whatif,
			 struct waits_thread *thread)
{
	if (!whatif)
		return;
	if (!thread->ahead)
		thread->ahead = ahead_make(whatif, thread->rank);
	if (!thread->n)
		return;
	call_end(whatif, thread);
	if (whatif->idle) {
		waits_idle_call(whatif->idle, thread, whatif->in_slices);
		waits_idle_call(whatif->idle_free, thread, true);
	}
}

static int64_t gap_before(const struct waits_ref *ref)
{
	const struct waits_call *calls = ref->thread->calls;
	const uint64_t end = calls[(ref->number - 1) % WAITS_REMEMBERED].end;
	const uint64_t begin = calls[ref->number % WAITS_REMEMBERED].begin;

	return begin > end ? (int64_t)(begin - end) : 0;
}

void waits_whatif_call(struct waits_whatif *whatif, const struct waits_ref *ref)
{
	const struct waits_call *call = waits_call_at(ref);
	int change;

	if (!whatif)
		return;
	change = change_of(whatif, call->place);
	if (change >= 0)
		row_find(ref->thread, ref->number, change);
	if (goes_on(ref->thread, ref->number))
		change = -1;
	for (unsigned n = 0; n < whatif->n_cases; n++)
		begin_case(whatif, n, ref->thread->ahead, call, ref->number,
			   change);
	if (ref->number)
		compute(whatif, ref->thread->ahead, call, ref->number,
			gap_before(ref));
}

/* The time of a run ends where MPI_Finalize begins. */
void waits_whatif_end(struct waits_whatif *whatif, struct waits_thread *thread,
		      bool finalized)
{
	const uint64_t last = (thread->n - 1) % WAITS_REMEMBERED;
	const struct waits_call *call = &thread->calls[last];
	const uint64_t end = finalized ? call->begin : call->end;

	if (!whatif || !thread->n)
		return;
	call_end(whatif, thread);
	if (whatif->idle) {
		waits_idle_end(whatif->idle, thread);
		waits_idle_end(whatif->idle_free, thread);
	}
	if (end > whatif->end)
		whatif->end = end;
	for (unsigned n = 0; n < whatif->n_cases; n++) {
		const int64_t ahead = finalized ? thread->ahead->begin[last][n]
						: thread->ahead->end[n];
		const int64_t then = (int64_t)end - ahead;

		if (then > 0 && (uint64_t)then > whatif->ends[n])
			whatif->ends[n] = (uint64_t)then;
	}
}
