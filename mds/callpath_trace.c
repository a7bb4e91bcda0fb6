/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Unwinding, and the paths that came of it.  A path's frames are places in
 * files, not addresses, so that it is the same path in every process.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "mds/arena.h"
#include "mds/callpath_trace.h"
#include "mds/modules.h"

#define OWN_FRAMES 16 /* of the profiler, at the most */
#define PATHS_MAX  4096
#define PATH_HEADS 256

static unsigned depth;
static const void *own_code;
static const char *left_out;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct callpath_path *heads[PATH_HEADS];
static struct callpath_path *paths[PATHS_MAX];
static _Atomic unsigned n_paths;

void callpath_start(unsigned depth_wish, const void *self, const char *prefix)
{
	depth = depth_wish < CALLPATH_DEPTH ? depth_wish : CALLPATH_DEPTH;
	own_code = self;
	left_out = prefix;
}

static bool address_left_out(uintptr_t address)
{
	const int module = modules_find(address - 1);
	const struct module *m;

	if (module < 0)
		return false;
	m = modules_get((unsigned)module);
	return ((uintptr_t)own_code >= m->start &&
		(uintptr_t)own_code < m->end) ||
	       strstr(m->file, left_out) != NULL;
}

/*
 * Where the return address lay that led to the cursor's frame; NULL where that
 * cannot be told, and each call is unwound anew.  x86-64 pushes it just below
 * what the stack pointer is after the return; elsewhere no such rule holds.
 */
static const uintptr_t *return_place(unw_cursor_t *cursor)
{
#ifdef __x86_64__
	unw_word_t sp;

	if (unw_get_reg(cursor, UNW_REG_SP, &sp) == 0)
		return (const uintptr_t *)sp - 1;
#else
	(void)cursor;
#endif
	return NULL;
}

/* Steps out of our own frames until the one that `ra` returns to. */
static bool cursor_reach(unw_cursor_t *cursor, uintptr_t ra)
{
	unw_word_t ip;

	for (int i = 0; i < OWN_FRAMES; i++) {
		if (unw_get_reg(cursor, UNW_REG_IP, &ip) != 0)
			return false;
		if (ip == ra)
			return true;
		if (unw_step(cursor) <= 0)
			return false;
	}
	return false;
}

static void trace_follow(struct callpath_trace *trace, unw_cursor_t *cursor)
{
	unsigned wanted = depth;
	bool outside = false;
	unw_word_t ip;

	for (;;) {
		outside = outside ||
			  !address_left_out(trace->addresses[trace->n - 1]);
		wanted -= outside;
		if (wanted == 0 || trace->n == CALLPATH_FRAMES)
			return;
		if (unw_step(cursor) <= 0 ||
		    unw_get_reg(cursor, UNW_REG_IP, &ip) != 0 || ip == 0)
			return;
		trace->at[trace->n] = return_place(cursor);
		if (!trace->at[trace->n] || *trace->at[trace->n] != ip)
			trace->located = false;
		trace->addresses[trace->n++] = ip;
	}
}

/* The frames of a trace that a path keeps, as places in files. */
static unsigned trace_frames(const struct callpath_trace *trace,
			     struct callpath_frame frames[])
{
	unsigned skip = 0;
	int module;

	while (skip + 1 < trace->n && address_left_out(trace->addresses[skip]))
		skip++;
	for (unsigned i = skip; i < trace->n; i++) {
		module = modules_find(trace->addresses[i] - 1);
		frames[i - skip].module = (uint32_t)module;
		frames[i - skip].offset =
			module < 0
				? trace->addresses[i]
				: trace->addresses[i] -
					  modules_get((unsigned)module)->base;
	}
	return trace->n - skip;
}

static uint64_t frames_hash(const struct callpath_frame frames[], unsigned n)
{
	uint64_t hash = n;

	for (unsigned i = 0; i < n; i++)
		hash = (hash ^ frames[i].offset ^
			((uint64_t)frames[i].module << 48)) *
		       0x9e3779b97f4a7c15u;
	return hash;
}

static bool frames_equal(const struct callpath_frame a[],
			 const struct callpath_frame b[], unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (a[i].module != b[i].module || a[i].offset != b[i].offset)
			return false;
	return true;
}

static struct callpath_path *path_make(const struct callpath_frame frames[],
				       unsigned n, uint64_t hash)
{
	const unsigned id = callpath_count() + 1;
	struct callpath_path *path;

	path = id < PATHS_MAX
		       ? arena_alloc(sizeof(*path) + n * sizeof(frames[0]))
		       : NULL;
	if (!path)
		return NULL;
	path->hash = hash;
	path->id = id;
	path->n_frames = n;
	memcpy(path->frames, frames, n * sizeof(frames[0]));
	path->next = heads[hash % PATH_HEADS];
	heads[hash % PATH_HEADS] = path;
	paths[id] = path;
	/* Orders the path before the count that shows it to the writer. */
	atomic_store_explicit(&n_paths, id, memory_order_release);
	return path;
}

/* The number of a trace's path; 0 when there is no room for a new one. */
static uint32_t path_number(const struct callpath_trace *trace)
{
	struct callpath_frame frames[CALLPATH_FRAMES] = { 0 };
	struct callpath_path *path;
	uint64_t hash;
	unsigned n;

	n = trace_frames(trace, frames);
	hash = frames_hash(frames, n);
	for (path = heads[hash % PATH_HEADS]; path; path = path->next)
		if (path->hash == hash && path->n_frames == n &&
		    frames_equal(path->frames, frames, n))
			return path->id;
	path = path_make(frames, n, hash);
	return path ? path->id : 0;
}

unsigned callpath_count(void)
{
	/* Orders the count before the paths that it shows. */
	return atomic_load_explicit(&n_paths, memory_order_acquire);
}

const struct callpath_path *callpath_get(uint32_t id)
{
	return paths[id];
}

void callpath_trace(struct callpath_trace *trace, uintptr_t ra)
{
	unw_context_t context;
	unw_cursor_t cursor;

	trace->addresses[0] = ra;
	trace->n = 1;
	trace->located = false;
	pthread_mutex_lock(&lock);
	if (unw_getcontext(&context) == 0 &&
	    unw_init_local(&cursor, &context) == 0 &&
	    cursor_reach(&cursor, ra)) {
		trace->located = true;
		trace_follow(trace, &cursor);
	}
	trace->path = path_number(trace);
	pthread_mutex_unlock(&lock);
}
