/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_WALK_H
#define BCS_CALLPATH_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "mds/callpath/callpath.h"

/*
 * Walks from frame to frame by rules.
 *
 * A load never faults, whatever the program's registers hold.  Between our own
 * frame and the end of the thread's stack everything is mapped.  On another
 * stack, as of a coroutine or a signal, only our own page is known to be
 * mapped.  The kernel is asked about each page after it.
 */
#define CALLPATH_PAGE 4096u
#define CALLPATH_WORD sizeof(uintptr_t)

#define CALLPATH_HOT \
	__attribute__((always_inline, no_sanitize("address"))) static inline

/* The state of a walk.  Everything between sp and top is mapped. */
struct callpath_walk {
	const struct callpath_cache *cache;
	uintptr_t ra;
	uintptr_t sp;
	uintptr_t fp;
	uintptr_t top;
	bool elsewhere; /* not on the thread's own stack */
};

/* Walks to the next frame by any kind of rule. */
bool callpath_walk_any(struct callpath_walk *walk,
		       const struct callpath_rule *rule);

CALLPATH_HOT void callpath_walk_on_stack(struct callpath_walk *walk,
					 uintptr_t sp, uintptr_t mapped)
{
	const struct callpath_cache *cache = walk->cache;

	walk->sp = sp;
	walk->elsewhere = mapped - cache->low >= cache->top - cache->low;
	walk->top = walk->elsewhere
			    ? (mapped & ~(uintptr_t)(CALLPATH_PAGE - 1)) +
				      CALLPATH_PAGE
			    : cache->top;
}

CALLPATH_HOT bool callpath_walk_has(const struct callpath_walk *walk,
				    uintptr_t at)
{
	return at - walk->sp < walk->top - walk->sp && at % CALLPATH_WORD == 0;
}

/* Walks to the next frame in the common case: the caller's frame is on the
 * thread's own stack. */
CALLPATH_HOT bool callpath_walk_quick(struct callpath_walk *walk,
				      const struct callpath_rule *rule)
{
	uintptr_t cfa;

	if (rule->kind == CALLPATH_SP)
		cfa = walk->sp;
	else if (rule->kind == CALLPATH_FP)
		cfa = walk->fp;
	else
		return false;
	cfa += (uintptr_t)(intptr_t)rule->cfa;
	if (!callpath_walk_has(walk, cfa - CALLPATH_WORD))
		return false;
	if (rule->fp_kind == CALLPATH_FP_AT_CFA) {
		const uintptr_t at = cfa + (uintptr_t)(intptr_t)rule->fp;

		if (!callpath_walk_has(walk, at))
			return false;
		walk->fp = *(const uintptr_t *)at;
	} else if (rule->fp_kind != CALLPATH_FP_IS) {
		return false;
	}
	walk->ra = *(const uintptr_t *)(cfa - CALLPATH_WORD);
	walk->sp = cfa;
	return true;
}

/* Copies the walk for the slow way, so that it can stay in registers. */
CALLPATH_HOT bool callpath_walk_step(struct callpath_walk *walk,
				     const struct callpath_rule *rule)
{
	struct callpath_walk copy;
	bool going_on;

	if (__builtin_expect(callpath_walk_quick(walk, rule), 1))
		return true;
	/* The walk's end is as common as a step, and needs no copy. */
	if (rule->kind == CALLPATH_END)
		return false;
	copy = *walk;
	going_on = callpath_walk_any(&copy, rule);
	*walk = copy;
	return going_on;
}

#endif
