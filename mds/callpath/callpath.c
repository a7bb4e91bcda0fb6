/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds the path of a call: by the memo of an earlier walk, else by a walk
 * (callpath_walk.h) that follows the tree of paths (callpath_nodes.h).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mds/callpath/callpath.h"
#include "mds/callpath/callpath_nodes.h"
#include "mds/callpath/callpath_shared.h"
#include "mds/callpath/callpath_walk.h"

/*
 * The kernel keeps at least this much free below the main stack.  A limit that
 * the program raised says nothing about it.
 */
#define MAIN_MAX (64u << 20)

#define LEFT_OUT 8 /* frames of ours and of MPI's libraries */

/* A memo is made when the same path was found this often in a row. */
#define OFTEN 4

/* Most frames between a call and that of a variable it names. */
#define PLACE_FRAMES 32

/* The stack pointer when the loader (ld.so) began. */
extern void *__libc_stack_end;

static _Atomic uint32_t changes;

void callpath_code_gone(void)
{
	atomic_fetch_add(&changes, 1);
}

/*
 * Takes the stack of the program's first thread.  Returns false if this thread
 * is on another stack, as in a child of fork().  Asking glibc would search the
 * list of all mappings, which takes 0.3 ms.  All frames lie below where the
 * loader began.
 */
static bool is_first_stack(struct callpath_cache *cache)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	const uintptr_t top = (uintptr_t)__libc_stack_end &
			      ~(CALLPATH_WORD - 1);
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > MAIN_MAX ||
	    top - here >= limit.rlim_cur)
		return false;
	cache->top = top;
	cache->low = top - limit.rlim_cur;
	return true;
}

static void find_stack(struct callpath_cache *cache)
{
	pthread_attr_t attr;
	void *low;
	size_t size;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return;
	if (pthread_attr_getstack(&attr, &low, &size) == 0) {
		cache->top = ((uintptr_t)low + size) & ~(CALLPATH_WORD - 1);
		cache->low = (uintptr_t)low;
	}
	pthread_attr_destroy(&attr);
	if (getpid() == gettid() && cache->top - cache->low > MAIN_MAX)
		cache->low = cache->top - MAIN_MAX;
}

void callpath_begin(struct callpath_cache *cache)
{
	cache->low = cache->top = 0;
	cache->nodes.size = sizeof(struct callpath_node);
	cache->memos.size = sizeof(struct callpath_memo);
	/* The memos are of another thread's stack. */
	pool_clear(&cache->memos);
	memset(cache->seen, 0, sizeof(cache->seen));
	if (!is_first_stack(cache))
		find_stack(cache);
}

static __attribute__((noinline)) void cache_forget(struct callpath_cache *cache,
						   uint32_t now)
{
	memset(cache->first, 0, sizeof(cache->first));
	memset(cache->seen, 0, sizeof(cache->seen));
	pool_clear(&cache->nodes);
	pool_clear(&cache->memos);
	cache->changes = now;
}

CALLPATH_HOT struct callpath_node **first_of(struct callpath_cache *cache,
					     uintptr_t ra)
{
	const uint64_t mixed = ra * 0x9e3779b97f4a7c15u;

	return &cache->first[mixed >> 58];
}

/* The child for the next frame.  NULL if there is no room for it. */
CALLPATH_HOT struct callpath_node *
child_of(struct callpath_cache *cache, struct callpath_node *node, uintptr_t ra)
{
	struct callpath_node *child = node->last;

	if (__builtin_expect(!child || child->ra != ra, 0)) {
		child = callpath_node_find(cache, node, ra);
		if (!child) {
			callpath_node_cut(cache, node);
			return NULL;
		}
		node->last = child;
	}
	return child;
}

CALLPATH_HOT struct callpath_node *walk_up(struct callpath_cache *cache,
					   struct callpath_walk *walk,
					   struct callpath_node *node)
{
	const unsigned depth = callpath_depth;
	struct callpath_node *child;

	for (unsigned left = 2 * depth + LEFT_OUT;
	     node->slot.level < depth && left &&
	     callpath_walk_step(walk, &node->rule);
	     left--) {
		if (walk->ra == node->ra)
			continue;
		child = child_of(cache, node, walk->ra);
		if (!child)
			break;
		node = child;
	}
	return node;
}

static bool memo_add(struct callpath_memo *memo, unsigned *n, uintptr_t fa,
		     uintptr_t at, uintptr_t is)
{
	const uintptr_t words = (at - fa) / CALLPATH_WORD;

	if (*n == CALLPATH_WORDS || words > UINT16_MAX)
		return false;
	memo->at[*n] = (uint16_t)words;
	memo->is[(*n)++] = is;
	return true;
}

/*
 * Repeats a walk and stores each word of the stack that decided it.  These
 * words are return addresses, and saved frame pointers that a rule used.
 * Returns 0 unless all steps were quick ones: other steps depend on more than
 * these words.
 */
__attribute__((no_sanitize("address"))) static unsigned
memo_fill(const struct callpath_cache *cache, struct callpath_memo *memo,
	  const struct callpath_node *node, uintptr_t fa)
{
	struct callpath_walk walk = { .cache = cache,
				      .fp = *(const uintptr_t *)fa };
	uintptr_t fp_at = fa;
	unsigned n = 0;

	callpath_walk_on_stack(&walk, fa + 2 * CALLPATH_WORD, fa);
	for (unsigned left = 2 * callpath_depth + LEFT_OUT;
	     node->slot.level < callpath_depth && left &&
	     node->rule.kind != CALLPATH_END;
	     left--) {
		if (node->rule.kind == CALLPATH_FP && fp_at &&
		    !memo_add(memo, &n, fa, fp_at, walk.fp))
			return 0;
		if (node->rule.kind == CALLPATH_FP)
			fp_at = 0;
		if (walk.elsewhere || !callpath_walk_quick(&walk, &node->rule))
			return 0;
		if (node->rule.fp_kind == CALLPATH_FP_AT_CFA)
			fp_at = walk.sp + (uintptr_t)(intptr_t)node->rule.fp;
		if (!memo_add(memo, &n, fa, walk.sp - CALLPATH_WORD, walk.ra))
			return 0;
		if (walk.ra == node->ra)
			continue;
		node = node->last;
		if (!node || node->ra != walk.ra)
			return 0;
	}
	return node == memo->node ? n : 0;
}

static __attribute__((noinline)) void seen_keep(struct callpath_cache *cache,
						struct callpath_seen *seen,
						struct callpath_node *first)
{
	seen->n_words = 0;
	if (!seen->memo)
		seen->memo = pool_add(&cache->memos, 0);
	if (!seen->memo)
		return;
	seen->memo->node = seen->node;
	seen->n_words = (uint16_t)memo_fill(cache, seen->memo, first, seen->fa);
	if (seen->n_words)
		seen->times = 0;
}

CALLPATH_HOT struct callpath_seen *seen_of(struct callpath_cache *cache,
					   uintptr_t ra, uintptr_t fa)
{
	const uint64_t mixed = (ra ^ fa << 20) * 0x9e3779b97f4a7c15u;

	return &cache->seen[mixed >> 57];
}

CALLPATH_HOT bool seen_is(const struct callpath_seen *seen, uintptr_t ra,
			  uintptr_t fa)
{
	const uintptr_t *stack = (const uintptr_t *)fa;
	const struct callpath_memo *memo = seen->memo;

	if (seen->ra != ra || seen->fa != fa || !seen->n_words)
		return false;
	for (unsigned i = 0; i < seen->n_words; i++)
		if (stack[memo->at[i]] != memo->is[i])
			return false;
	return true;
}

CALLPATH_HOT void seen_note(struct callpath_cache *cache,
			    struct callpath_seen *seen, uintptr_t fa,
			    struct callpath_node *first,
			    struct callpath_node *node)
{
	if (seen->ra != first->ra || seen->fa != fa) {
		seen->ra = first->ra;
		seen->fa = fa;
		seen->n_words = 0;
		seen->node = NULL;
	}
	if (seen->node != node) {
		seen->node = node;
		seen->times = 0;
	}
	if (seen->times < OFTEN && ++seen->times == OFTEN)
		seen_keep(cache, seen, first);
}

/* The node of a path's first frame.  NULL if there is no room for it. */
CALLPATH_HOT struct callpath_node *first_node(struct callpath_cache *cache,
					      uintptr_t ra)
{
	struct callpath_node **first = first_of(cache, ra);

	if (__builtin_expect(!*first || (*first)->ra != ra, 0)) {
		struct callpath_node *node = callpath_node_find(cache, NULL,
								ra);

		if (!node) {
			cache->cut++;
			return NULL;
		}
		*first = node;
	}
	return *first;
}

CALLPATH_HOT struct callpath_node *last_node(struct callpath_cache *cache,
					     struct callpath_walk *walk,
					     struct callpath_node *first)
{
	struct callpath_node *node = walk_up(cache, walk, first);

	if (__builtin_expect(!node->slot.used, 0))
		callpath_node_use(node);
	return node;
}

static __attribute__((noinline, no_sanitize("address"))) struct callpath_slot *
find_by_walk(struct callpath_cache *cache, uintptr_t ra, uintptr_t fa)
{
	struct callpath_node *first = first_node(cache, ra);
	struct callpath_node *node;
	struct callpath_walk walk = { .cache = cache,
				      .fp = *(const uintptr_t *)fa };

	if (!first)
		return &cache->unknown;
	callpath_walk_on_stack(&walk, fa + 2 * CALLPATH_WORD, fa);
	node = last_node(cache, &walk, first);
	seen_note(cache, seen_of(cache, ra, fa), fa, first, node);
	return &node->slot;
}

uint32_t callpath_interrupted(struct callpath_cache *cache, uintptr_t pc,
			      uintptr_t sp, uintptr_t fp)
{
	/* Rules expect a return address, which lies behind a call. */
	struct callpath_node *first = first_node(cache, pc + 1);
	struct callpath_walk walk = { .cache = cache, .fp = fp };

	if (!first)
		return 0;
	callpath_walk_on_stack(&walk, sp, sp);
	return last_node(cache, &walk, first)->slot.path;
}

__attribute__((no_sanitize("address"))) struct callpath_slot *
callpath_find(struct callpath_cache *cache, uintptr_t ra, uintptr_t fa)
{
	const uint32_t now = atomic_load_explicit(&changes,
						  memory_order_relaxed);
	const struct callpath_seen *seen = seen_of(cache, ra, fa);

	cache->site = ra;
	if (__builtin_expect(cache->changes != now, 0))
		cache_forget(cache, now);
	if (seen_is(seen, ra, fa))
		return &seen->memo->node->slot;
	return find_by_walk(cache, ra, fa);
}

/* Walks up to the frame that `at` is in. */
static bool place_on_stack(struct callpath_walk *walk, uintptr_t at,
			   struct callpath_place *place)
{
	struct callpath_rule rule;
	uintptr_t sp;

	for (unsigned left = PLACE_FRAMES; left; left--) {
		sp = walk->sp;
		if (!callpath_code(walk->ra, &place->module, &place->offset,
				   &rule) ||
		    (rule.kind != CALLPATH_SP && rule.kind != CALLPATH_FP) ||
		    !callpath_walk_any(walk, &rule) || at < sp)
			return false;
		place->below = walk->sp - at;
		if (at < walk->sp)
			return true;
	}
	return false;
}

__attribute__((no_sanitize("address"))) bool
callpath_place(const struct callpath_cache *cache, uintptr_t fa, uintptr_t at,
	       struct callpath_place *place)
{
	struct callpath_walk walk = { .cache = cache, .ra = cache->site };
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	memset(place, 0, sizeof(*place));
	if (at - cache->low >= cache->top - cache->low)
		return callpath_data(at, &place->module, &place->offset);
	if (fa <= here || fa >= cache->top - CALLPATH_WORD ||
	    fa % CALLPATH_WORD || ((const uintptr_t *)fa)[1] != cache->site)
		return false;
	walk.fp = *(const uintptr_t *)fa;
	callpath_walk_on_stack(&walk, fa + 2 * CALLPATH_WORD, fa);
	return !walk.elsewhere && place_on_stack(&walk, at, place);
}
