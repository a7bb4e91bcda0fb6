/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A member's window holds its global memory, two ticket counters (used at
 * member 0), and for each member a byte: whether it has left.
 *
 * Order.  Tickets: an operation draws the next one at member 0 and waits until
 * it is served.  The end of an operation serves the next one.  That is fair and
 * costs one round trip.  Threads of one member queue like members do.
 *
 * Compare-and-write, and a transfer of one word, go down a tree
 * (fabric_tree.h).  The comparison takes log n levels down and up, and the
 * assignment as many again.  No one-sided operation combines members' answers,
 * so inner members pass them on.  They do so in the fabric's waits, in
 * fabric_net_poke, and in a thread where MPI allows one.  A member that
 * computes delays those below it.  Without the tree the asking member would
 * handle n messages one by one.
 *
 * Transfers of blocks, and their signals, are flat: one write to each member,
 * then one wait for all answers.  A target needs only be in MPI, but the cost
 * grows with n.
 *
 * Waiting.  MPI_Win_flush spins, with MPI's lock held, until the target enters
 * MPI.  So each write is followed by a read from its target, which is polled
 * for, yielding the core.  Once it has been answered the target has been in
 * MPI, and the flush is short.  The flush is still needed:  MPI promises
 * completion by nothing else.
 *
 * Words.  Blocks are put by MPI_Accumulate, which replaces whole words; MPI_Put
 * was seen to leave words half written.  Between nodes both cost the same.
 * Within a node 64 KiB take 100 us instead of 4; fabric_node.h is for that.
 *
 * Events.  The word in the window counts all signals ever sent, and only MPI
 * writes it.  How many are taken is counted in a word outside of the window,
 * because MPI's atomic operations need not be atomic to the processor's.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/tuning.h"
#include "libbcs/core/fabric.h"
#include "libbcs/core/fabric_net.h"
#include "libbcs/core/fabric_tree.h"
#include "mds/base/clock.h"

#define HOME       0 /* the member that keeps the order */
#define CACHE_LINE 64

/* In the window after the global memory; a byte for each member follows. */
struct head {
	int64_t drawn;
	int64_t served;
};

struct net {
	struct fabric fabric; /* first: a fabric is one */
	MPI_Comm comm;
	MPI_Win win;
	MPI_Aint head; /* its place in the window */
	struct fabric_tree *tree;
	_Atomic uint32_t *taken; /* signals, by event */
	struct core_set all;

	/* Used by the operation that holds the order. */
	MPI_Request *requests; /* by member */
	int64_t *answers;
};

static struct net *net_of(struct fabric *fabric)
{
	return (struct net *)fabric;
}

static MPI_Aint place_of_drawn(const struct net *net)
{
	return net->head + (MPI_Aint)offsetof(struct head, drawn);
}

static MPI_Aint place_of_served(const struct net *net)
{
	return net->head + (MPI_Aint)offsetof(struct head, served);
}

static uint64_t place_of_gone(const struct net *net, uint32_t member)
{
	return (uint64_t)net->head + sizeof(struct head) + member;
}

void fabric_net_poke(struct fabric *fabric)
{
	fabric_tree_serve(net_of(fabric)->tree);
}

/* MPI's own waits neither yield the core nor serve other members. */
static void await(struct net *net, MPI_Request *request)
{
	int done = 0;

	for (unsigned i = 1; !done; i++) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (!done)
			fabric_tree_serve(net->tree);
		if (!done && i % FABRIC_SPINS == 0)
			sched_yield();
	}
}

static const int64_t one = 1;

/* Starts a fetch-and-op on a word of a member's window. */
static void fetch_begin(struct net *net, uint32_t member, MPI_Aint place,
			MPI_Op op, const int64_t *operand, int64_t *word,
			MPI_Request *request)
{
	MPI_Rget_accumulate(operand, 1, MPI_INT64_T, word, 1, MPI_INT64_T,
			    (int)member, place, 1, MPI_INT64_T, op, net->win,
			    request);
}

static void await_all(struct net *net, const struct core_set *set)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		await(net, &net->requests[i]);
	}
}

/* Reads a word of each member of the set: all have been in MPI then. */
static void read_all(struct net *net, const struct core_set *set)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		fetch_begin(net, i, net->head, MPI_NO_OP, &one,
			    &net->answers[i], &net->requests[i]);
	}
	await_all(net, set);
}

/* Completes earlier writes; short after read_all. */
static void flush(struct net *net, const struct core_set *set)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		MPI_Win_flush((int)i, net->win);
	}
}

static int order_enter(struct fabric *fabric)
{
	struct net *net = net_of(fabric);
	MPI_Request requests[2];
	int64_t mine;
	int64_t served;

	fetch_begin(net, HOME, place_of_drawn(net), MPI_SUM, &one, &mine,
		    &requests[0]);
	fetch_begin(net, HOME, place_of_served(net), MPI_NO_OP, &one, &served,
		    &requests[1]);
	await(net, &requests[0]);
	await(net, &requests[1]);
	while (served != mine) {
		/* Member 0 reads its own word without serving others. */
		fabric_net_poke(fabric);
		sched_yield();
		fetch_begin(net, HOME, place_of_served(net), MPI_NO_OP, &one,
			    &served, &requests[1]);
		await(net, &requests[1]);
	}
	return 0;
}

/* Not flushed: nothing depends on when the next ticket is served. */
static void order_leave(struct fabric *fabric)
{
	struct net *net = net_of(fabric);

	MPI_Accumulate(&one, 1, MPI_INT64_T, HOME, place_of_served(net), 1,
		       MPI_INT64_T, MPI_SUM, net->win);
}

/* A leaving member sets its byte at all others, within the order. */
static bool is_gone(struct net *net, uint32_t member)
{
	unsigned char *at = net->fabric.memory + place_of_gone(net, member);

	return atomic_load((_Atomic unsigned char *)at);
}

static int members_reach(struct fabric *fabric, const struct core_set *set)
{
	struct net *net = net_of(fabric);
	uint32_t i;

	if (is_gone(net, fabric->me))
		return -ESRCH;
	core_set_for_each(i, set)
	{
		if (is_gone(net, i))
			return -ESRCH;
	}
	return 0;
}

static void replace(struct net *net, uint32_t member, uint64_t offset,
		    const void *from, uint64_t n, MPI_Datatype type)
{
	if (n > 0)
		MPI_Accumulate(from, (int)n, type, (int)member,
			       (MPI_Aint)offset, (int)n, type, MPI_REPLACE,
			       net->win);
}

/* Aligned words are replaced whole; the ends go as bytes. */
static void put_block(struct net *net, uint32_t member, uint64_t offset,
		      const unsigned char *from, uint64_t bytes)
{
	const uint64_t word = sizeof(int64_t);
	uint64_t before = -offset % word;
	uint64_t words;

	if (before > bytes)
		before = bytes;
	words = (bytes - before) / word;
	replace(net, member, offset, from, before, MPI_BYTE);
	offset += before;
	from += before;
	bytes -= before;
	replace(net, member, offset, from, words, MPI_INT64_T);
	replace(net, member, offset + words * word, from + words * word,
		bytes - words * word, MPI_BYTE);
}

static void put_blocks(struct net *net, const struct core_set *set,
		       uint64_t offset, const void *block, uint64_t bytes)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		put_block(net, i, offset, block, bytes);
	}
	read_all(net, set);
	flush(net, set);
}

static void put_word(struct net *net, const struct core_set *set,
		     uint64_t offset, const void *word)
{
	struct core_query query = { .on = set,
				    .assignment = { .offset = offset },
				    .holds = true };

	memcpy(&query.assignment.value, word, sizeof(int64_t));
	fabric_tree_assign(net->tree, &query, 1);
}

static void members_put(struct fabric *fabric, const struct core_set *set,
			uint64_t offset, const void *block, uint64_t bytes)
{
	struct net *net = net_of(fabric);

	if (bytes == sizeof(int64_t) && offset % bytes == 0)
		put_word(net, set, offset, block);
	else
		put_blocks(net, set, offset, block, bytes);
}

static void members_compare(struct fabric *fabric, struct core_query *queries,
			    uint32_t n)
{
	fabric_tree_compare(net_of(fabric)->tree, queries, n);
}

static void members_assign(struct fabric *fabric,
			   const struct core_query *queries, uint32_t n)
{
	fabric_tree_assign(net_of(fabric)->tree, queries, n);
}

static void members_signal(struct fabric *fabric, const struct core_set *set,
			   uint64_t event)
{
	static const uint32_t signal = 1;
	struct net *net = net_of(fabric);
	uint32_t i;

	core_set_for_each(i, set)
	{
		MPI_Rget_accumulate(&signal, 1, MPI_UINT32_T, &net->answers[i],
				    1, MPI_UINT32_T, (int)i, (MPI_Aint)event, 1,
				    MPI_UINT32_T, MPI_SUM, net->win,
				    &net->requests[i]);
	}
	await_all(net, set);
	flush(net, set);
}

/* No member sleeps on an event: it serves others while it waits. */
static void members_wake(struct fabric *fabric, const struct core_set *set,
			 uint64_t event)
{
	(void)fabric;
	(void)set;
	(void)event;
}

static bool event_take(struct net *net, uint64_t event)
{
	_Atomic uint32_t *come = (void *)(net->fabric.memory + event);
	_Atomic uint32_t *taken = &net->taken[event / sizeof(uint32_t)];
	uint32_t n = atomic_load(taken);

	while (n != atomic_load(come))
		if (atomic_compare_exchange_weak(taken, &n, n + 1))
			return true;
	return false;
}

static int event_wait(struct fabric *fabric, uint64_t event,
		      uint64_t deadline_ns)
{
	struct net *net = net_of(fabric);

	for (unsigned i = 1; !event_take(net, event); i++) {
		fabric_net_poke(fabric);
		if (event_take(net, event))
			return 0;
		if (deadline_ns != CORE_FOREVER &&
		    clock_monotonic_ns() >= deadline_ns)
			return -ETIMEDOUT;
		if (i % FABRIC_SPINS == 0)
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
	.assign = members_assign,
	.signal = members_signal,
	.wake = members_wake,
	.wait = event_wait,
};

static void net_free(struct net *net)
{
	if (!net)
		return;
	free(net->fabric.self.words);
	free(net->all.words);
	free(net->taken);
	free(net->requests);
	free(net->answers);
	free(net);
}

/* The pages of `taken` that hold no event are never touched. */
static struct net *net_new(uint32_t n, uint32_t me, uint64_t bytes)
{
	const size_t words = CORE_SET_WORDS(n);
	struct net *net = calloc(1, sizeof(*net));

	if (!net)
		return NULL;
	net->fabric = (struct fabric){
		.ops = &net_ops,
		.n_members = n,
		.me = me,
		.self = { calloc(words, sizeof(uint64_t)), n },
		.bytes = bytes,
	};
	net->all = (struct core_set){ calloc(words, sizeof(uint64_t)), n };
	net->taken = calloc(bytes / sizeof(uint32_t) + 1, sizeof(uint32_t));
	net->requests = calloc(n, sizeof(*net->requests));
	net->answers = calloc(n, sizeof(*net->answers));
	if (!net->fabric.self.words || !net->all.words || !net->taken ||
	    !net->requests || !net->answers) {
		net_free(net);
		return NULL;
	}
	core_set_add(&net->fabric.self, me);
	core_set_fill(&net->all);
	return net;
}

static MPI_Aint round_up(uint64_t bytes)
{
	return (MPI_Aint)((bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
}

static int window_open(struct net *net)
{
	const uint32_t n = net->fabric.n_members;
	MPI_Aint size;

	/* Within a node MPICH puts one window right behind the other. */
	net->head = round_up(net->fabric.bytes);
	size = round_up(place_of_gone(net, n));
	if (MPI_Win_allocate(size, 1, MPI_INFO_NULL, net->comm,
			     &net->fabric.memory, &net->win) != MPI_SUCCESS)
		return -ENOMEM;
	assert((uintptr_t)net->fabric.memory % sizeof(int64_t) == 0);
	memset(net->fabric.memory, 0, (size_t)size);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, net->win);
	return 0;
}

static void net_close(struct net *net)
{
	fabric_tree_stop(net->tree);
	MPI_Win_unlock_all(net->win);
	MPI_Win_free(&net->win);
	MPI_Comm_free(&net->comm);
	net_free(net);
}

static int agree(MPI_Comm comm, int rc)
{
	int least;

	MPI_Allreduce(&rc, &least, 1, MPI_INT, MPI_MIN, comm);
	return least;
}

int fabric_net_start(struct fabric **fabric_p, MPI_Comm comm, uint64_t bytes)
{
	struct net *net;
	int n;
	int me;
	int rc;

	if (bytes == 0 || bytes / sizeof(int64_t) > INT_MAX)
		return -EINVAL;
	MPI_Comm_size(comm, &n);
	MPI_Comm_rank(comm, &me);
	net = net_new((uint32_t)n, (uint32_t)me, bytes);
	rc = agree(comm, net ? 0 : -ENOMEM);
	if (rc) {
		net_free(net);
		return rc;
	}
	MPI_Comm_dup(comm, &net->comm);
	rc = window_open(net);
	if (rc) {
		MPI_Comm_free(&net->comm);
		net_free(net);
		return rc;
	}
	/* Nobody reaches in before all windows are zero and all can answer. */
	rc = agree(comm, fabric_tree_start(&net->tree, net->comm,
					   net->fabric.memory));
	if (rc) {
		net_close(net);
		return rc;
	}
	*fabric_p = &net->fabric;
	return 0;
}

static void meet(struct net *net)
{
	MPI_Request request;

	MPI_Ibarrier(net->comm, &request);
	await(net, &request);
}

void fabric_net_leave(struct fabric *fabric)
{
	const unsigned char gone = 1;
	struct net *net = net_of(fabric);

	order_enter(fabric);
	members_put(fabric, &net->all, place_of_gone(net, fabric->me), &gone,
		    sizeof(gone));
	order_leave(fabric);
}

void fabric_net_stop(struct fabric *fabric)
{
	struct net *net = net_of(fabric);

	if (!fabric)
		return;
	meet(net);
	net_close(net);
}
