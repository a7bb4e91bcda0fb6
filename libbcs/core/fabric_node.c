/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The region holds a header, a head for each member, and their memories.
 *
 * Order.  An operation holds a mutex in the header.  The mutex is robust: if
 * its owner dies the kernel marks it, and it is never taken again, because the
 * operation may be half done.
 *
 * Life.  Each member holds a robust mutex of its own for life, and the kernel
 * marks it when the member dies.  So one load tells whether a member lives,
 * instead of a system call.
 *
 * Events.  A word is twice the number of signals, plus 1 while a member sleeps
 * on it.  A sleeper sets the 1 and sleeps while the word is 1.  A signal adds
 * 2, clears the 1 and wakes if it was set.  Both change one word atomically, so
 * atomic, so no wake-up is lost.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libbcs/core/fabric.h"
#include "libbcs/core/fabric_node.h"

#define CACHE_LINE 64
#define MAGIC      UINT64_C(0x6261667362634e01)

#define ASLEEP 1u
#define SIGNAL 2u

struct head {
	alignas(CACHE_LINE) pthread_mutex_t life;
	_Atomic uint32_t is_there;
};

struct region {
	uint64_t magic;
	uint64_t size;
	uint64_t bytes; /* of the memory of a member */
	uint32_t n_members;
	alignas(CACHE_LINE) pthread_mutex_t order;
	struct head heads[];
};

struct node {
	struct fabric fabric; /* first: a fabric is a node */
	struct region *region;
	unsigned char *memories;
};

static struct node *node_of(struct fabric *fabric)
{
	return (struct node *)fabric;
}

static size_t heads_size(uint32_t n)
{
	return sizeof(struct region) + n * sizeof(struct head);
}

static unsigned char *memory_of(struct fabric *fabric, uint32_t member)
{
	return node_of(fabric)->memories + member * fabric->bytes;
}

static _Atomic uint32_t *event_of(struct fabric *fabric, uint32_t member,
				  uint64_t event)
{
	return (void *)(memory_of(fabric, member) + event);
}

/* Pairs with the release in attach: the member's memory is zero by then. */
static bool is_there(struct head *head)
{
	/* The kernel marks the first word of a robust mutex. */
	_Atomic int *life = (void *)&head->life;

	return atomic_load_explicit(&head->is_there, memory_order_acquire) &&
	       !(atomic_load_explicit(life, memory_order_relaxed) &
		 FUTEX_OWNER_DIED);
}

static int order_enter(struct fabric *fabric)
{
	pthread_mutex_t *order = &node_of(fabric)->region->order;
	int rc = pthread_mutex_lock(order);

	if (rc == EOWNERDEAD) {
		/* Not made consistent: it can never be locked again. */
		pthread_mutex_unlock(order);
		return -ENOTRECOVERABLE;
	}
	return -rc;
}

static void order_leave(struct fabric *fabric)
{
	pthread_mutex_unlock(&node_of(fabric)->region->order);
}

static int members_reach(struct fabric *fabric, const struct core_set *set)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		if (!is_there(&node_of(fabric)->region->heads[i]))
			return -ESRCH;
	}
	return 0;
}

static void put_bytes(unsigned char *to, const unsigned char *from,
		      uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		atomic_store_explicit((_Atomic unsigned char *)&to[i], from[i],
				      memory_order_relaxed);
}

/*
 * Each word is stored whole, because another thread may load it as a variable.
 * By the release that thread also sees the puts of earlier operations.
 */
static void put_words(unsigned char *to, const unsigned char *from,
		      uint64_t bytes)
{
	uint64_t word;

	for (uint64_t i = 0; i < bytes; i += sizeof(word)) {
		memcpy(&word, from + i, sizeof(word));
		atomic_store_explicit((_Atomic uint64_t *)(void *)(to + i),
				      word, memory_order_release);
	}
}

static void put_block(unsigned char *to, const unsigned char *from,
		      uint64_t bytes)
{
	uint64_t before = -(uintptr_t)to % sizeof(uint64_t);
	uint64_t words;

	if (before > bytes)
		before = bytes;
	words = (bytes - before) / sizeof(uint64_t) * sizeof(uint64_t);
	put_bytes(to, from, before);
	put_words(to + before, from + before, words);
	put_bytes(to + before + words, from + before + words,
		  bytes - before - words);
}

static void members_put(struct fabric *fabric, const struct core_set *set,
			uint64_t offset, const void *block, uint64_t bytes)
{
	uint32_t i;

	core_set_for_each(i, set)
		put_block(memory_of(fabric, i) + offset, block, bytes);
}

static _Atomic int64_t *variable_of(struct fabric *fabric, uint32_t member,
				    uint64_t offset)
{
	return (_Atomic int64_t *)(void *)(memory_of(fabric, member) + offset);
}

static bool holds(struct fabric *fabric, const struct core_query *query)
{
	const struct core_condition *condition = &query->condition;
	uint32_t i;

	core_set_for_each(i, query->on)
	{
		if (!fabric_holds(condition,
				  atomic_load(variable_of(fabric, i,
							  condition->offset))))
			return false;
	}
	return true;
}

static void members_compare(struct fabric *fabric, struct core_query *queries,
			    uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		queries[i].holds = holds(fabric, &queries[i]);
}

static void members_assign(struct fabric *fabric,
			   const struct core_query *queries, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (queries[i].holds)
			members_put(fabric, queries[i].on,
				    queries[i].assignment.offset,
				    &queries[i].assignment.value,
				    sizeof(int64_t));
}

static void members_signal(struct fabric *fabric, const struct core_set *set,
			   uint64_t event)
{
	uint32_t i;

	core_set_for_each(i, set)
		atomic_fetch_add(event_of(fabric, i, event), SIGNAL);
}

static void futex_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void members_wake(struct fabric *fabric, const struct core_set *set,
			 uint64_t event)
{
	uint32_t i;

	core_set_for_each(i, set)
	{
		_Atomic uint32_t *word = event_of(fabric, i, event);

		if (atomic_load(word) & ASLEEP &&
		    atomic_fetch_and(word, ~ASLEEP) & ASLEEP)
			futex_wake_all(word);
	}
}

/* Unlike FUTEX_WAIT, FUTEX_WAIT_BITSET takes an absolute monotonic time. */
static int futex_wait(_Atomic uint32_t *word, uint32_t seen,
		      uint64_t deadline_ns)
{
	const struct timespec deadline = {
		.tv_sec = (time_t)(deadline_ns / 1000000000),
		.tv_nsec = (long)(deadline_ns % 1000000000),
	};

	if (syscall(SYS_futex, word, FUTEX_WAIT_BITSET, seen,
		    deadline_ns == CORE_FOREVER ? NULL : &deadline, NULL,
		    FUTEX_BITSET_MATCH_ANY) == 0)
		return 0;
	return -errno;
}

static bool event_take(_Atomic uint32_t *word)
{
	uint32_t seen = atomic_load(word);

	while (seen >= SIGNAL)
		if (atomic_compare_exchange_weak(word, &seen, seen - SIGNAL))
			return true;
	return false;
}

static int event_wait(struct fabric *fabric, uint64_t event,
		      uint64_t deadline_ns)
{
	_Atomic uint32_t *word = event_of(fabric, fabric->me, event);
	int rc = deadline_ns == CORE_POLL ? -ETIMEDOUT : 0;

	while (!event_take(word)) {
		if (rc == -ETIMEDOUT)
			return rc;
		if (atomic_fetch_or(word, ASLEEP) < SIGNAL)
			rc = futex_wait(word, ASLEEP, deadline_ns);
	}
	return 0;
}

static const struct fabric_ops node_ops = {
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

static int mutex_init(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attr;
	int rc = pthread_mutexattr_init(&attr);

	if (rc)
		return -rc;
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	rc = pthread_mutex_init(mutex, &attr);
	pthread_mutexattr_destroy(&attr);
	return -rc;
}

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

size_t fabric_node_size(uint32_t n, uint64_t bytes)
{
	return heads_size(n) + n * round_up(bytes);
}

int fabric_node_format(void *mem, size_t size, uint32_t n)
{
	struct region *region = mem;
	uint64_t bytes;
	int rc;

	if (n == 0 || size < fabric_node_size(n, 1) ||
	    (uintptr_t)mem % CACHE_LINE != 0)
		return -EINVAL;
	bytes = (size - heads_size(n)) / n / CACHE_LINE * CACHE_LINE;
	memset(mem, 0, heads_size(n));
	rc = mutex_init(&region->order);
	for (uint32_t i = 0; i < n && rc == 0; i++)
		rc = mutex_init(&region->heads[i].life);
	if (rc)
		return rc;
	region->size = size;
	region->bytes = bytes;
	region->n_members = n;
	region->magic = MAGIC;
	return 0;
}

static int node_new(struct node **node_p, struct region *region, uint32_t me)
{
	const uint32_t n = region->n_members;
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return -ENOMEM;
	node->region = region;
	node->memories = (unsigned char *)region + heads_size(n);
	node->fabric = (struct fabric){
		.ops = &node_ops,
		.n_members = n,
		.me = me,
		.self = { calloc(CORE_SET_WORDS(n), sizeof(uint64_t)), n },
		.memory = node->memories + me * region->bytes,
		.bytes = region->bytes,
	};
	if (!node->fabric.self.words) {
		free(node);
		return -ENOMEM;
	}
	core_set_add(&node->fabric.self, me);
	*node_p = node;
	return 0;
}

static void node_free(struct node *node)
{
	free(node->fabric.self.words);
	free(node);
}

static int life_begin(struct head *head)
{
	int rc = pthread_mutex_trylock(&head->life);

	if (rc == EOWNERDEAD) {
		/* Stays dead: the kernel's mark goes by the unlocking. */
		atomic_store(&head->is_there, 0);
		pthread_mutex_unlock(&head->life);
	}
	return rc ? -EBUSY : 0;
}

int fabric_node_attach(struct fabric **fabric_p, void *mem, size_t size,
		       uint32_t me)
{
	struct region *region = mem;
	struct node *node;
	int rc;

	if (region->magic != MAGIC || region->size != size ||
	    me >= region->n_members)
		return -EINVAL;
	rc = node_new(&node, region, me);
	if (rc)
		return rc;
	rc = life_begin(&region->heads[me]);
	if (rc) {
		node_free(node);
		return rc;
	}
	memset(node->fabric.memory, 0, node->fabric.bytes);
	atomic_store_explicit(&region->heads[me].is_there, 1,
			      memory_order_release);
	*fabric_p = &node->fabric;
	return 0;
}

/* Within the order: no operation writes to its memory any more. */
static void leave_the_others(struct fabric *fabric, struct head *head)
{
	int rc = order_enter(fabric);

	atomic_store(&head->is_there, 0);
	if (rc == 0)
		order_leave(fabric);
}

void fabric_node_detach(struct fabric *fabric)
{
	struct head *head;

	if (!fabric)
		return;
	head = &node_of(fabric)->region->heads[fabric->me];
	leave_the_others(fabric, head);
	pthread_mutex_unlock(&head->life);
	node_free(node_of(fabric));
}
