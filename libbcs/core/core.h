/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CORE_H
#define BCS_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The three core primitives of BCS-MPI.  The strobe is written on them.
 *
 * Each member of a fabric, numbered from 0, has a global memory.  All have the
 * same size and layout, so an offset means the same at every member.  A
 * variable is an int64_t at an offset that 8 divides.  An event is four bytes
 * at an offset that 4 divides; it counts signals not taken yet.  Global memory
 * is zero at first.
 *
 * Transfers and compare-and-writes are atomic and totally ordered.  Each
 * reaches all members of its set or none, and no member sees one half done.  A
 * failed operation has changed nothing.  Any thread of a member may call them.
 *
 * Besides the errors named below, they return:
 *
 *   -EINVAL          a bad member, offset or alignment
 *   -ESRCH           a member of the set has not attached yet, left or died
 *   -ENOTRECOVERABLE a member died within an operation, which may be half done;
 *                    no operation starts any more
 */
struct fabric;

/*
 * A set of members below n, usually all there are.  The caller provides the
 * CORE_SET_WORDS(n) words.  Bits from n on are 0.
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

/* In place of the offset of an event: no event. */
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
 * member of `to`, which may include the caller.  Both events are signalled when
 * the block has arrived everywhere.  With no bytes it only signals; with no
 * members it only signals the local event.
 *
 * It may return before the transfer ends.  The block must not change until the
 * local event is signalled.
 */
int core_xfer_and_signal(struct fabric *fabric, const struct core_set *to,
			 const struct core_xfer *xfer);

/* Deadlines of core_test_event: do not sleep; sleep without limit. */
#define CORE_POLL    0
#define CORE_FOREVER UINT64_MAX

/*
 * Test-Event: takes one signal of this member's event at `event`.  Sleeps for
 * it until the monotonic clock passes `deadline_ns`; -ETIMEDOUT if none came.
 * Each signal is taken by one call.  Blocks put before the signal are visible
 * after it.
 */
int core_test_event(struct fabric *fabric, uint64_t event,
		    uint64_t deadline_ns);

enum core_relation { CORE_GE, CORE_LT, CORE_EQ, CORE_NE };

struct core_condition {
	uint64_t offset; /* of a variable, the left operand */
	enum core_relation relation;
	int64_t value;
};

struct core_assignment {
	uint64_t offset; /* of a variable */
	int64_t value;
};

/*
 * Compare-And-Write: tests a condition on all members of a set.  If it holds on
 * all of them, makes the assignment (unless NULL) on all of them.  A condition
 * holds on an empty set.  Blocks until done. *holds is set on success only.
 */
int core_compare_and_write(struct fabric *fabric, const struct core_set *on,
			   const struct core_condition *condition,
			   const struct core_assignment *assignment,
			   bool *holds);

/* One of several, on a set of its own. */
struct core_query {
	const struct core_set *on;
	struct core_condition condition;
	struct core_assignment assignment;
	bool holds;
};

/*
 * Several Compare-And-Writes in one operation, which takes hardly longer than
 * one: all conditions are tested before the assignments are made.  On failure
 * no `holds` is set.
 */
int core_compare_and_write_all(struct fabric *fabric,
			       struct core_query *queries, uint32_t n);

/*
 * Direct access to this member's own global memory.  The offset must be that of
 * a variable; core_block returns NULL for a block that does not fit.  These
 * accesses are outside of the total order and may see an operation half done.
 * Where that matters, do an operation on the set of this member alone.
 */
int64_t core_load(struct fabric *fabric, uint64_t offset);
void core_store(struct fabric *fabric, uint64_t offset, int64_t value);
void *core_block(struct fabric *fabric, uint64_t offset, uint64_t bytes);

#endif
