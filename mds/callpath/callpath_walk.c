/* SPDX-License-Identifier: BSD-3-Clause */

/* The steps of a walk that are not common. */
#include <sys/uio.h>
#include <unistd.h>

#include "mds/base/cpu.h"
#include "mds/callpath/callpath_walk.h"

#define FAR (256u << 10) /* most bytes of another stack to look through */

static bool page_is_there(uintptr_t page)
{
	char byte;
	const struct iovec here = { &byte, 1 };
	const struct iovec there = { (void *)page, 1 };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

static __attribute__((noinline)) bool walk_reach(struct callpath_walk *walk,
						 uintptr_t at)
{
	if (!walk->elsewhere || at % CALLPATH_WORD || at - walk->sp >= FAR)
		return false;
	while (at >= walk->top && page_is_there(walk->top))
		walk->top += CALLPATH_PAGE;
	return at < walk->top;
}

__attribute__((no_sanitize("address"))) static bool
walk_load(struct callpath_walk *walk, uintptr_t at, uintptr_t *word)
{
	if (!callpath_walk_has(walk, at) && !walk_reach(walk, at))
		return false;
	*word = *(const uintptr_t *)at;
	return true;
}

/* Takes the registers of interrupted code from the kernel's ucontext_t. */
static __attribute__((noinline)) bool walk_signal(struct callpath_walk *walk)
{
	uintptr_t sp;

	if (!walk_load(walk, walk->sp + 120, &walk->fp) ||
	    !walk_load(walk, walk->sp + 160, &sp) ||
	    !walk_load(walk, walk->sp + 168, &walk->ra))
		return false;
	/* Rules expect a return address, which lies behind a call.  This
	 * address does not, so it is moved on by one. */
	walk->ra++;
	if (sp - walk->cache->low >= walk->cache->top - walk->cache->low &&
	    !page_is_there(sp & ~(uintptr_t)(CALLPATH_PAGE - 1)))
		return false;
	callpath_walk_on_stack(walk, sp, sp);
	return true;
}

/* Follows the frame pointer, as long as each leads to a higher one. */
static __attribute__((noinline)) bool walk_guess(struct callpath_walk *walk)
{
	const uintptr_t at = walk->fp;
	uintptr_t above;

	if (!walk_load(walk, at, &walk->fp) ||
	    !walk_load(walk, at + CALLPATH_WORD, &walk->ra))
		return false;
	walk->ra = cpu_return_address(walk->ra);
	walk->sp = at + 2 * CALLPATH_WORD;
	return walk->fp == 0 ||
	       (walk->fp >= walk->sp && walk_load(walk, walk->fp, &above));
}

static bool walk_leave(struct callpath_walk *walk, uintptr_t cfa,
		       const struct callpath_rule *rule)
{
	const uintptr_t base = rule->fp_kind == CALLPATH_FP_AT_CFA ? cfa
								   : walk->fp;

	if (!walk_load(walk, cfa - CALLPATH_WORD, &walk->ra))
		return false;
	if (rule->fp_kind != CALLPATH_FP_IS &&
	    !walk_load(walk, base + (uintptr_t)(intptr_t)rule->fp, &walk->fp))
		return false;
	walk->sp = cfa;
	return true;
}

bool callpath_walk_any(struct callpath_walk *walk,
		       const struct callpath_rule *rule)
{
	const uintptr_t offset = (uintptr_t)(intptr_t)rule->cfa;
	uintptr_t cfa;

	switch (rule->kind) {
	case CALLPATH_SP:
		return walk_leave(walk, walk->sp + offset, rule);
	case CALLPATH_FP:
		return walk_leave(walk, walk->fp + offset, rule);
	case CALLPATH_FP_LOAD:
		return walk_load(walk, walk->fp + offset, &cfa) &&
		       walk_leave(walk, cfa, rule);
	case CALLPATH_GUESS:
		return walk_guess(walk);
	case CALLPATH_SIGNAL:
		return walk_signal(walk);
	default:
		return false;
	}
}
