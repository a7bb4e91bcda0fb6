/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The window of a member holds its global memory, the words of the order, which
 * are in use at member 0, and a byte for each member, whether that has left.
 *
 * Order.  Tickets: an operation draws the next one at member 0 and waits until
 * that one is served; the end of an operation serves one more.  That is fair,
 * and costs one round trip at the beginning; it leaves nothing in a member, so
 * that threads of one wait for each other as members do.
 *
 * Compare-and-write goes down a tree (fabric_tree.h), and so does a transfer of
 * one word: log n levels down and up, once for the comparison and once more for
 * what is written.  No one-sided operation adds up what members say, so those
 * in between have to pass it on: in whatever of the fabric's they wait, in
 * fabric_net_poke, and where MPI allows it by a thread.  A member that computes
 * holds up those below it; flat, all would be waited for at once, but who asks
 * would send and take n messages one after the other.
 *
 * Transfers of blocks, and their signals, are flat: all members are written to
 * at once, and all answers are waited for together.  So they need of a member
 * that it is in MPI, but grow with n.
 *
 * Waiting.  MPI_Win_flush spins within MPI, with its lock held, until the
 * target comes to MPI.  So all that is done is, or is followed by, a question
 * to each target, and the answers are polled for, giving up the core.  When
 * they have come the targets have been to MPI, and the flush, by which alone
 * MPI promises that what was done is there, finds little left to wait for.
 *
 * Words.  Blocks are put by MPI_Accumulate, which replaces whole words; MPI_Put
 * was seen to leave words half written.  Between nodes it costs no more; within
 * one 64 KiB take 100 us instead of 4, but there is fabric_node.h for that.
 *
 * Events.  What is in the window counts all signals there ever were, and is
 * written by MPI alone; a counter of the member's own says how many are taken.
 * MPI's atomic operations need not be atomic to a processor's.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/core/fabric.h"
#include "libbcs/core/fabric_net.h"
#include "libbcs/core/fabric_tree.h"
#include "mds/clock.h"

#define HOME       0 /* the member that keeps the order */
#define CACHE_LINE 64
#define SPINS      128 /* looks before the core is given up */

/* In the window, behind the global memory; a byte for each member follows. */
struct head {
	int64_t drawn;
	int64_t served;
};

struct far {
	struct fabric fabric; /* first: a fabric is one */
	MPI_Comm comm;
	MPI_Win win;
	MPI_Aint head; /* its place in the window */
	struct fabric_tree *tree;
	_Atomic uint32_t *taken; /* signals, by event */
	struct core_set all;

	/* Of the operation that has its turn. */
	MPI_Request *requests; /* by member */
	int64_t *answers;
};

static struct far *far_of(struct fabric *fabric)
{
	return (struct far *)fabric;
}

static MPI_Aint place_of_drawn(const struct far *far)
{
	return far->head + (MPI_Aint)offsetof(struct head, drawn);
}

static MPI_Aint place_of_served(const struct far *far)
{
	return far->head + (MPI_Aint)offsetof(struct head, served);
}

static uint64_t place_of_gone(const struct far *far, uint32_t member)
{
	return (uint64_t)far->head + sizeof(struct head) + member;
}

void fabric_net_poke(struct fabric *fabric)
{
	fabric_tree_serve(far_of(fabric)->tree);
}

/* MPI's own waiting never gives up the core, and does not serve. */
static void await(struct far *far, MPI_Request *request)
{
	int done = 0;

	for (unsigned i = 1; !done; i++) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (!done)
			fabric_tree_serve(far->tree);
		if (!done && i % SPINS == 0)
			sched_yield();
	}
}

static const int64_t one = 1;

/* Begins to read a word of a member's window, before `op` is done to it. */
static void fetch_begin(struct far *far, uint32_t member, MPI_Aint place,
			MPI_Op op, const int64_t *operand, int64_t *word,
			MPI_Request *request)
{
	MPI_Rget_accumulate(operand, 1, MPI_INT64_T, word, 1, MPI_INT64_T,
			    (int)member, place, 1, MPI_INT64_T, op, far->win,
			    request);
}

static void await_all(struct far *far, const struct core_set *set)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		await(far, &far->requests[i]);
	}
}

/* Asks all of the set for a word, until all have answered. */
static void look(struct far *far, const struct core_set *set)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		fetch_begin(far, i, far->head, MPI_NO_OP, &one,
			    &far->answers[i], &far->requests[i]);
	}
	await_all(far, set);
}

/* What all have answered to is there. */
static void flush(struct far *far, const struct core_set *set)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		MPI_Win_flush((int)i, far->win);
	}
}

static int order_enter(struct fabric *fabric)
{
	struct far *far = far_of(fabric);
	MPI_Request requests[2];
	int64_t mine;
	int64_t served;

	fetch_begin(far, HOME, place_of_drawn(far), MPI_SUM, &one, &mine,
		    &requests[0]);
	fetch_begin(far, HOME, place_of_served(far), MPI_NO_OP, &one, &served,
		    &requests[1]);
	await(far, &requests[0]);
	await(far, &requests[1]);
	while (served != mine) {
		/* What the home asks itself is there at once, without this. */
		fabric_net_poke(fabric);
		sched_yield();
		fetch_begin(far, HOME, place_of_served(far), MPI_NO_OP, &one,
			    &served, &requests[1]);
		await(far, &requests[1]);
	}
	return 0;
}

/* The next may begin before we know that it was told so. */
static void order_leave(struct fabric *fabric)
{
	struct far *far = far_of(fabric);

	MPI_Accumulate(&one, 1, MPI_INT64_T, HOME, place_of_served(far), 1,
		       MPI_INT64_T, MPI_SUM, far->win);
}

/* Who left has told all others, within the order. */
static bool is_gone(struct far *far, uint32_t member)
{
	unsigned char *at = far->fabric.memory + place_of_gone(far, member);

	return atomic_load((_Atomic unsigned char *)at);
}

static int members_reach(struct fabric *fabric, const struct core_set *set)
{
	struct far *far = far_of(fabric);
	uint32_t i;

	if (is_gone(far, fabric->me))
		return -ESRCH;
	core_set_for_each(i, set)
	{
		if (is_gone(far, i))
			return -ESRCH;
	}
	return 0;
}

static void replace(struct far *far, uint32_t member, uint64_t offset,
		    const void *from, uint64_t n, MPI_Datatype type)
{
	if (n > 0)
		MPI_Accumulate(from, (int)n, type, (int)member,
			       (MPI_Aint)offset, (int)n, type, MPI_REPLACE,
			       far->win);
}

/* Its words, each as one, and bytes before and behind. */
static void put_block(struct far *far, uint32_t member, uint64_t offset,
		      const unsigned char *from, uint64_t bytes)
{
	const uint64_t word = sizeof(int64_t);
	uint64_t before = -offset % word;
	uint64_t words;

	if (before > bytes)
		before = bytes;
	words = (bytes - before) / word;
	replace(far, member, offset, from, before, MPI_BYTE);
	offset += before;
	from += before;
	bytes -= before;
	replace(far, member, offset, from, words, MPI_INT64_T);
	replace(far, member, offset + words * word, from + words * word,
		bytes - words * word, MPI_BYTE);
}

static void put_blocks(struct far *far, const struct core_set *set,
		       uint64_t offset, const void *block, uint64_t bytes)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		put_block(far, i, offset, block, bytes);
	}
	look(far, set);
	flush(far, set);
}

static void put_word(struct far *far, const struct core_set *set,
		     uint64_t offset, const void *word)
{
	struct core_assignment assignment = { .offset = offset };

	memcpy(&assignment.value, word, sizeof(assignment.value));
	fabric_tree_assign(far->tree, set, &assignment);
}

static void members_put(struct fabric *fabric, const struct core_set *set,
			uint64_t offset, const void *block, uint64_t bytes)
{
	struct far *far = far_of(fabric);

	if (bytes == sizeof(int64_t) && offset % bytes == 0)
		put_word(far, set, offset, block);
	else
		put_blocks(far, set, offset, block, bytes);
}

static bool members_compare(struct fabric *fabric, const struct core_set *set,
			    const struct core_condition *condition)
{
	return fabric_tree_compare(far_of(fabric)->tree, set, condition);
}

static void members_signal(struct fabric *fabric, const struct core_set *set,
			   uint64_t event)
{
	static const uint32_t signal = 1;
	struct far *far = far_of(fabric);
	uint32_t i;

	core_set_for_each(i, set)
	{
		MPI_Rget_accumulate(&signal, 1, MPI_UINT32_T, &far->answers[i],
				    1, MPI_UINT32_T, (int)i, (MPI_Aint)event, 1,
				    MPI_UINT32_T, MPI_SUM, far->win,
				    &far->requests[i]);
	}
	await_all(far, set);
	flush(far, set);
}

/* Nobody sleeps: who waits for an event has to serve others. */
static void members_wake(struct fabric *fabric, const struct core_set *set,
			 uint64_t event)
{
	(void)fabric;
	(void)set;
	(void)event;
}

static bool event_take(struct far *far, uint64_t event)
{
	_Atomic uint32_t *come = (void *)(far->fabric.memory + event);
	_Atomic uint32_t *taken = &far->taken[event / sizeof(uint32_t)];
	uint32_t n = atomic_load(taken);

	while (n != atomic_load(come))
		if (atomic_compare_exchange_weak(taken, &n, n + 1))
			return true;
	return false;
}

static int event_wait(struct fabric *fabric, uint64_t event,
		      uint64_t deadline_ns)
{
	struct far *far = far_of(fabric);

	for (unsigned i = 1; !event_take(far, event); i++) {
		fabric_net_poke(fabric);
		if (event_take(far, event))
			return 0;
		if (deadline_ns != CORE_FOREVER &&
		    clock_monotonic_ns() >= deadline_ns)
			return -ETIMEDOUT;
		if (i % SPINS == 0)
			sched_yield();
	}
	return 0;
}

static const struct fabric_ops net_ops = {
	.enter = order_enter,
	.leave = order_leave,
	.reach = members_reach,
	.put = members_put,
	.compare = members_compare,
	.signal = members_signal,
	.wake = members_wake,
	.wait = event_wait,
};

static void far_free(struct far *far)
{
	if (!far)
		return;
	free(far->fabric.self.words);
	free(far->all.words);
	free(far->taken);
	free(far->requests);
	free(far->answers);
	free(far);
}

/* The pages of `taken` that hold no event are never touched. */
static struct far *far_new(uint32_t n, uint32_t me, uint64_t bytes)
{
	const size_t words = CORE_SET_WORDS(n);
	struct far *far = calloc(1, sizeof(*far));

	if (!far)
		return NULL;
	far->fabric = (struct fabric){
		.ops = &net_ops,
		.n_members = n,
		.me = me,
		.self = { calloc(words, sizeof(uint64_t)), n },
		.bytes = bytes,
	};
	far->all = (struct core_set){ calloc(words, sizeof(uint64_t)), n };
	far->taken = calloc(bytes / sizeof(uint32_t) + 1, sizeof(uint32_t));
	far->requests = calloc(n, sizeof(*far->requests));
	far->answers = calloc(n, sizeof(*far->answers));
	if (!far->fabric.self.words || !far->all.words || !far->taken ||
	    !far->requests || !far->answers) {
		far_free(far);
		return NULL;
	}
	core_set_add(&far->fabric.self, me);
	core_set_fill(&far->all);
	return far;
}

static MPI_Aint round_up(uint64_t bytes)
{
	return (MPI_Aint)((bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
}

static int window_open(struct far *far)
{
	const uint32_t n = far->fabric.n_members;
	MPI_Aint size;

	/* Within a node MPICH puts one window right behind the other. */
	far->head = round_up(far->fabric.bytes);
	size = round_up(place_of_gone(far, n));
	if (MPI_Win_allocate(size, 1, MPI_INFO_NULL, far->comm,
			     &far->fabric.memory, &far->win) != MPI_SUCCESS)
		return -ENOMEM;
	assert((uintptr_t)far->fabric.memory % sizeof(int64_t) == 0);
	memset(far->fabric.memory, 0, (size_t)size);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, far->win);
	return 0;
}

static void far_close(struct far *far)
{
	fabric_tree_stop(far->tree);
	MPI_Win_unlock_all(far->win);
	MPI_Win_free(&far->win);
	MPI_Comm_free(&far->comm);
	far_free(far);
}

static int agree(MPI_Comm comm, int rc)
{
	int least;

	MPI_Allreduce(&rc, &least, 1, MPI_INT, MPI_MIN, comm);
	return least;
}

int fabric_net_start(struct fabric **fabric_p, MPI_Comm comm, uint64_t bytes)
{
	struct far *far;
	int n;
	int me;
	int rc;

	if (bytes == 0 || bytes / sizeof(int64_t) > INT_MAX)
		return -EINVAL;
	MPI_Comm_size(comm, &n);
	MPI_Comm_rank(comm, &me);
	far = far_new((uint32_t)n, (uint32_t)me, bytes);
	rc = agree(comm, far ? 0 : -ENOMEM);
	if (rc) {
		far_free(far);
		return rc;
	}
	MPI_Comm_dup(comm, &far->comm);
	rc = window_open(far);
	if (rc) {
		MPI_Comm_free(&far->comm);
		far_free(far);
		return rc;
	}
	/* Nobody reaches in before all windows are zero and all can answer. */
	rc = agree(comm, fabric_tree_start(&far->tree, far->comm,
					   far->fabric.memory));
	if (rc) {
		far_close(far);
		return rc;
	}
	*fabric_p = &far->fabric;
	return 0;
}

static void meet(struct far *far)
{
	MPI_Request request;

	MPI_Ibarrier(far->comm, &request);
	await(far, &request);
}

void fabric_net_leave(struct fabric *fabric)
{
	const unsigned char gone = 1;
	struct far *far = far_of(fabric);

	order_enter(fabric);
	members_put(fabric, &far->all, place_of_gone(far, fabric->me), &gone,
		    sizeof(gone));
	order_leave(fabric);
}

void fabric_net_stop(struct fabric *fabric)
{
	struct far *far = far_of(fabric);

	if (!fabric)
		return;
	meet(far);
	far_close(far);
}
