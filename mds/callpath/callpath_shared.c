/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The paths that all threads share.  A frame is a place in a file, not an
 * address, so it is the same in every process.  Each place is looked up once.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "mds/base/modules.h"
#include "mds/base/pool.h"
#include "mds/callpath/callpath_shared.h"
#include "mds/flight/flight.h"

struct frame {
	struct pool_link link;
	uint64_t offset;
	uint32_t module;
	struct callpath_rule rule;
	bool left_out;
};

struct path {
	struct pool_link link;
	uint32_t parent;
	uint32_t frame : 31;
	uint32_t cut : 1; /* calls ended here without room for their caller */
};

unsigned callpath_depth;
static const void *own_code;
static const char *left_out;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pool frames = { .size = sizeof(struct frame) };
static struct pool paths = { .size = sizeof(struct path) };
static _Atomic uint32_t n_paths;
static _Atomic uint32_t n_frames;
/*
 * True if no room is left for another path, so that threads need not take the
 * lock.
 */
static _Atomic bool full;

void callpath_start(unsigned depth, const void *self, const char *prefix)
{
	callpath_depth = depth < CALLPATH_DEPTH ? depth : CALLPATH_DEPTH;
	own_code = self;
	left_out = prefix;
}

static bool module_left_out(const struct module *m)
{
	return ((uintptr_t)own_code >= m->start &&
		(uintptr_t)own_code < m->end) ||
	       strstr(m->file, left_out) != NULL;
}

static uint32_t frame_of(uintptr_t ra)
{
	const int module = modules_find(ra - 1);
	const struct module *m = module < 0 ? NULL
					    : modules_get((unsigned)module);
	const uint64_t offset = m ? ra - m->base : ra;
	const uint32_t hash = pool_hash(offset, (uint32_t)module);
	struct frame *frame;

	for (uint32_t i = pool_first(&frames, hash); i; i = frame->link.next) {
		frame = pool_at(&frames, i);
		if (frame->offset == offset &&
		    frame->module == (uint32_t)module)
			return i;
	}
	frame = pool_add(&frames, hash);
	if (!frame)
		return 0;
	frame->offset = offset;
	frame->module = (uint32_t)module;
	frame->left_out = m && module_left_out(m);
	frame->rule = callpath_rule_of(ra, m ? m->unwinding : NULL);
	/* Orders the frame before the count that shows it to the writer. */
	atomic_store_explicit(&n_frames, frames.n, memory_order_release);
	return frames.n;
}

static void tell_flight(uint32_t number, const struct path *path)
{
	const struct frame *frame = pool_at(&frames, path->frame);

	flight_path(number, path->parent, frame->module, frame->offset);
}

static uint32_t path_of(uint32_t parent, uint32_t frame)
{
	const uint32_t hash = pool_hash(parent, frame);
	struct path *path;

	for (uint32_t i = pool_first(&paths, hash); i; i = path->link.next) {
		path = pool_at(&paths, i);
		if (path->parent == parent && path->frame == frame)
			return i;
	}
	path = pool_add(&paths, hash);
	if (!path)
		return 0;
	path->parent = parent;
	path->frame = frame;
	/* Orders the path before the count that shows it to the writer. */
	atomic_store_explicit(&n_paths, paths.n, memory_order_release);
	tell_flight(paths.n, path);
	return paths.n;
}

static bool go_on(struct callpath_step *step, uintptr_t ra)
{
	const uint32_t number = frame_of(ra);
	const struct frame *frame;

	if (!number)
		return false;
	frame = pool_at(&frames, number);
	step->rule = frame->rule;
	step->outside = step->outside || !frame->left_out;
	if (step->outside)
		step->path = path_of(step->path, number);
	return !step->outside || step->path;
}

bool callpath_go_on(struct callpath_step *step, uintptr_t ra)
{
	bool found;

	if (atomic_load_explicit(&full, memory_order_relaxed))
		return false;
	pthread_mutex_lock(&lock);
	found = go_on(step, ra);
	if (!found)
		atomic_store_explicit(&full, true, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
	return found;
}

uint32_t callpath_inside(uintptr_t ra)
{
	uint32_t frame;
	uint32_t path;

	pthread_mutex_lock(&lock);
	frame = frame_of(ra);
	path = frame ? path_of(0, frame) : 0;
	pthread_mutex_unlock(&lock);
	return path;
}

bool callpath_code(uintptr_t ra, uint32_t *module, uint64_t *offset,
		   struct callpath_rule *rule)
{
	const struct frame *frame;
	uint32_t number;

	pthread_mutex_lock(&lock);
	number = frame_of(ra);
	frame = number ? pool_at(&frames, number) : NULL;
	pthread_mutex_unlock(&lock);
	if (!frame || frame->module == UINT32_MAX)
		return false;
	*module = frame->module;
	*offset = frame->offset;
	*rule = frame->rule;
	return true;
}

bool callpath_data(uintptr_t at, uint32_t *module, uint64_t *offset)
{
	int found;

	pthread_mutex_lock(&lock);
	found = modules_find_data(at);
	pthread_mutex_unlock(&lock);
	if (found < 0)
		return false;
	*module = (uint32_t)found;
	*offset = at - modules_get((unsigned)found)->base;
	return true;
}

void callpath_cut(uint32_t number)
{
	pthread_mutex_lock(&lock);
	if (number)
		((struct path *)pool_at(&paths, number))->cut = true;
	pthread_mutex_unlock(&lock);
}

uint32_t callpath_count(void)
{
	/* Orders the count before the paths that it shows. */
	return atomic_load_explicit(&n_paths, memory_order_acquire);
}

struct callpath_link callpath_get(uint32_t number)
{
	const struct path *path = pool_at(&paths, number);

	return (struct callpath_link){ path->parent, path->frame - 1 };
}

uint32_t callpath_frames(void)
{
	/* Orders the count before the frames that it shows. */
	return atomic_load_explicit(&n_frames, memory_order_acquire);
}

struct callpath_frame callpath_frame(uint32_t number)
{
	const struct frame *frame = pool_at(&frames, number + 1);

	return (struct callpath_frame){ frame->module, frame->offset };
}

static bool is_guessed(const struct path *path)
{
	const struct frame *frame = pool_at(&frames, path->frame);

	return frame->rule.kind == CALLPATH_GUESS;
}

static unsigned length_of(uint32_t number)
{
	unsigned n = 0;

	for (; number; n++)
		number = ((const struct path *)pool_at(&paths, number))->parent;
	return n;
}

struct callpath_doubt callpath_doubt(uint32_t number)
{
	const struct path *path = pool_at(&paths, number);
	struct callpath_doubt doubt = { .cut = path->cut };
	/* Nobody looks for the caller of the last frame of a long path. */
	uint32_t i = length_of(number) < callpath_depth ? number : path->parent;

	for (; i; i = path->parent) {
		path = pool_at(&paths, i);
		if (!is_guessed(path))
			continue;
		doubt.guessed = true;
		doubt.frame = path->frame - 1;
	}
	return doubt;
}
