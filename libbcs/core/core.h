/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CORE_H
#define BCS_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The three core primitives of BCS-MPI, which all that is above is written on.
 *
 * The members of a fabric, numbered from 0, have a global memory each, all of
 * the same size and layout: a place in it is an offset, the same for all.  A
 * variable is an int64_t at an offset that 8 divides; an event is four bytes at
 * one that 4 divides, and counts the signals that nobody has taken yet.  All is
 * zero at first.
 *
 * Transfers and compare-and-writes are atomic and in one order, the same for
 * all members: each reaches all members of its set or none, and none sees
 * another half done.  An operation that fails has done nothing.  Any thread of
 * a member may call any of them.  Besides what is said below they return
 *
 *   -EINVAL          a member, a place or an alignment that is none
 *   -ESRCH           a member of the set is not there yet, has left or died
 *   -ENOTRECOVERABLE a member died within an operation, which may be half done:
 *                    the promise is broken, and no operation starts any more
 */
struct fabric;

/*
 * A set of members.  The words are the caller's, CORE_SET_WORDS(n) of them; n
 * is what it could hold, usually all members.  Bits from n on are 0.
 */
struct core_set {
	uint64_t *words;
	uint32_t n;
};

#define CORE_SET_WORDS(n) (((size_t)(n) + 63) / 64)

static inline void core_set_clear(struct core_set *set)
{
	for (size_t i = 0; i < CORE_SET_WORDS(set->n); i++)
		set->words[i] = 0;
}

static inline void core_set_add(struct core_set *set, uint32_t member)
{
	set->words[member / 64] |= UINT64_C(1) << (member % 64);
}

static inline void core_set_remove(struct core_set *set, uint32_t member)
{
	set->words[member / 64] &= ~(UINT64_C(1) << (member % 64));
}

static inline void core_set_fill(struct core_set *set)
{
	core_set_clear(set);
	for (uint32_t i = 0; i < set->n; i++)
		core_set_add(set, i);
}

static inline bool core_set_has(const struct core_set *set, uint32_t member)
{
	return set->words[member / 64] >> (member % 64) & 1;
}

/* The first member from `from` on; set->n if there is none. */
static inline uint32_t core_set_next(const struct core_set *set, uint32_t from)
{
	for (; from < set->n; from = (from / 64 + 1) * 64) {
		uint64_t word = set->words[from / 64] >> (from % 64);

		if (word)
			return from + (uint32_t)__builtin_ctzll(word);
	}
	return set->n;
}

#define core_set_for_each(member, set)                              \
	for ((member) = core_set_next(set, 0); (member) < (set)->n; \
	     (member) = core_set_next(set, (member) + 1))

/* Instead of the offset of an event. */
#define CORE_NO_EVENT UINT64_MAX

struct core_xfer {
	uint64_t offset; /* in the global memory of each destination */
	const void *block;
	uint64_t bytes;
	uint64_t local_event;  /* signalled here, or CORE_NO_EVENT */
	uint64_t remote_event; /* at each destination, or CORE_NO_EVENT */
};

/*
 * Xfer-And-Signal: puts a block of local memory into the global memory of each
 * member of `to`; the caller may be one.  Each event is signalled once all of
 * it is there.  With no bytes it only signals, with no member only here.
 *
 * Does not wait for the transfer: the block is the fabric's until the local
 * event is signalled; without one, until the caller knows by other means.
 */
int core_xfer_and_signal(struct fabric *fabric, const struct core_set *to,
			 const struct core_xfer *xfer);

/* As a deadline: only look; sleep until it comes. */
#define CORE_POLL    0
#define CORE_FOREVER UINT64_MAX

/*
 * Test-Event: takes one signal of the event of this member at `event`, having
 * slept for it until the monotonic clock passes `deadline_ns`.  Each signal is
 * taken by one call.  What was put before the signal is seen after it.  Returns
 * 0, or -ETIMEDOUT if there is none.
 */
int core_test_event(struct fabric *fabric, uint64_t event,
		    uint64_t deadline_ns);

enum core_relation { CORE_GE, CORE_LT, CORE_EQ, CORE_NE };

struct core_condition {
	uint64_t offset; /* of a variable, which is on the left */
	enum core_relation relation;
	int64_t value;
};

struct core_assignment {
	uint64_t offset; /* of a variable, the same or another */
	int64_t value;
};

/*
 * Compare-And-Write: whether the condition holds on all members of the set; if
 * it does, the assignment is made on all of them, unless it is NULL.  It holds
 * on an empty set.  Waits until it is done.  *holds is set on success only.
 */
int core_compare_and_write(struct fabric *fabric, const struct core_set *on,
			   const struct core_condition *condition,
			   const struct core_assignment *assignment,
			   bool *holds);

/*
 * This member's own global memory, without an operation: a variable, which has
 * to be one, and a block, which is NULL if it does not fit in.  These are not
 * in the order of the operations, and see one that is half done: who minds
 * does a compare-and-write or a transfer on a set of itself.
 */
int64_t core_load(struct fabric *fabric, uint64_t offset);
void core_store(struct fabric *fabric, uint64_t offset, int64_t value);
void *core_block(struct fabric *fabric, uint64_t offset, uint64_t bytes);

#endif
