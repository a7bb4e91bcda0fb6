/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A process is blocked when all its threads that may call MPI are.  Each of
 * them describes its own wait, and the last one joins the descriptions.  A
 * description is good as long as no thread came or left and nothing arrived.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/demand/base/token.h"
#include "mds/base/thread.h"
#include "mds/mmds/mmds.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/shim.h"

#define KINDS 12
#define ASYNC "async\n" /* the name of UCX's thread */

static struct {
	bool (*ready)(void *arg);
	route_describe *describe;
} kinds[KINDS];
static unsigned n_kinds;

/* A thread that waits, what it said of it, and when. */
struct waiter {
	struct waiter *next;
	struct blocked b;
	bool is_known;
	uint64_t tail;
	uint32_t generation;
};

/* With the lock. */
static struct waiter *waiters;
static uint32_t generation; /* changes as they come and go */
static struct blocked_record all;

static __thread struct waiter *mine __attribute__((tls_model("initial-exec")));
static _Atomic int n_background;
static int n_async; /* threads of UCX */

void route_blocked_know(bool (*ready)(void *arg), route_describe *describe)
{
	for (unsigned i = 0; i < n_kinds; i++)
		if (kinds[i].ready == ready)
			return;
	kinds[n_kinds].ready = ready;
	kinds[n_kinds++].describe = describe;
}

static int32_t rank_of(uint32_t peer)
{
	return route_peer_is_local(peer) ? route_slots[peer]->waits.rank
					 : route_peer_world(peer);
}

struct blocked_comm route_blocked_comm(const struct route_comm *comm)
{
	return (struct blocked_comm){
		.peers = &comm->peers,
		.rank_of = rank_of,
		.size = comm->size,
		.context = comm->context,
		.world = comm->handle == MPI_COMM_WORLD,
	};
}

bool route_blocked_group(struct blocked *b, bool any,
			 const struct route_comm *comm)
{
	struct blocked_group *group = blocked_group_add(b, any);
	const struct mmds_thread *thread = mmds_thread;

	if (!group)
		return false;
	group->is_thread = true;
	group->call = thread && thread->inside ? thread->now->call
					       : SHIM_N_CALLS;
	group->site = site_of_call();
	if (comm) {
		group->world = comm->handle == MPI_COMM_WORLD;
		group->context = comm->context;
		group->size = comm->size;
	}
	return true;
}

/* The op of an engine_wait is always a call's. */
static bool op_describe(struct blocked *b, void *arg)
{
	const struct route_op *op = arg;
	const struct route_comm *comm = route_comm_find(op->comm);
	struct blocked_comm where;

	if (!comm || comm->context != op->op.key.context ||
	    !route_blocked_group(b, false, comm))
		return false;
	where = route_blocked_comm(comm);
	return engines_blocked_op(&route_engines, b, &op->op, &where);
}

static bool describe(struct waiter *waiter, bool (*ready)(void *arg), void *arg)
{
	memset(&waiter->b, 0, sizeof(waiter->b));
	for (unsigned i = 0; i < n_kinds; i++)
		if (kinds[i].ready == ready)
			return kinds[i].describe(&waiter->b, arg);
	return false;
}

/* Entries of a folder of /proc; those of that name, unless NULL. */
static int tasks_count(const char *name)
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *entry;
	char path[300];
	char is[32];
	FILE *file;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/comm",
			 entry->d_name);
		*is = '\0';
		file = name ? fopen(path, "re") : NULL;
		if (file) {
			if (!fgets(is, sizeof(is), file))
				*is = '\0';
			fclose(file);
		}
		n += !name || strcmp(is, name) == 0;
	}
	if (!dir)
		return -1;
	closedir(dir);
	return n;
}

/* Threads of the program have its name unless they get another. */
static bool own_name_is(const char *name)
{
	char is[32] = "";
	FILE *file = fopen("/proc/self/comm", "re");
	const bool read = file && fgets(is, sizeof(is), file);

	if (file)
		fclose(file);
	return !read || strcmp(is, name) == 0;
}

static int callers_count(void)
{
	int n = 0;

	for (const struct mmds_thread *t = mmds_threads(); t; t = t->next)
		n += !t->ended;
	return n;
}

/*
 * Threads that may call MPI while others are in it.  Where MPI does not allow
 * that, those that did call it count nevertheless; an unknown number is large.
 */
static int threads_needed(void)
{
	int async;
	int n;

	if (process.thread_asked < MPI_THREAD_MULTIPLE)
		return callers_count();
	n = tasks_count(NULL);
	async = tasks_count(ASYNC);
	if (async > n_async)
		async = n_async;
	return n < 0 ? INT_MAX : n - atomic_load(&thread_n_own) - async;
}

/* Behind those of other threads. */
static bool append(const struct blocked_record *from)
{
	const uint32_t first = all.n_groups;

	if (first + from->n_groups > BLOCKED_GROUPS)
		return false;
	memcpy(all.groups + first, from->groups,
	       from->n_groups * sizeof(from->groups[0]));
	all.n_groups += from->n_groups;
	for (uint32_t i = 0; i < from->n_wants; i++) {
		if (all.n_wants == BLOCKED_WANTS)
			return false;
		all.wants[all.n_wants] = from->wants[i];
		all.wants[all.n_wants++].group += (uint8_t)first;
	}
	return true;
}

/* Changes with whatever comes. */
static uint64_t tail_now(void)
{
	return route_engines.strobe
		       ? strobe_blocked_word(route_engines.strobe, route_me)
		       : atomic_load(&route_slot->tail);
}

static bool is_good(const struct waiter *waiter)
{
	return waiter->is_known && waiter->generation == generation &&
	       waiter->tail == tail_now();
}

/* False if one thread does not wait, or for something unknown. */
static bool all_wait(void)
{
	uint32_t described = 0;
	int n = 0;

	memset(&all, 0, sizeof(all));
	for (const struct waiter *w = waiters; w; w = w->next) {
		if (!is_good(w) || !append(&w->b.record))
			return false;
		described += w->b.n_background;
		n++;
	}
	all.emits = (uint32_t)atomic_load(&n_background) != described;
	return n >= threads_needed();
}

static void offers_add(const struct waiter *waiter)
{
	if (route_engines.strobe) {
		all.settled = true;
		all.tail = waiter->tail;
		return;
	}
	/* Taken, not come: a message may come just now. */
	all.tail = atomic_load(&route_engines.demand.inbox.at);
	blocked_offers(&route_engines.demand, &all);
}

static bool say(struct waiter *waiter)
{
	if (!engines_blocked_is_quiet(&route_engines) || !is_good(waiter) ||
	    !all_wait()) {
		blocked_hide(&route_slot->waits);
		return false;
	}
	offers_add(waiter);
	blocked_show(&route_slot->waits, &all);
	return true;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* On demand the token, since the engine's lists are read. */
static void lock(void)
{
	if (route_engines.strobe)
		pthread_mutex_lock(&mutex);
	else
		token_take(&route_engines.demand);
}

static void unlock(void)
{
	if (route_engines.strobe)
		pthread_mutex_unlock(&mutex);
	else
		token_give(&route_engines.demand);
}

static void waiter_add(struct waiter *waiter)
{
	waiter->next = waiters;
	waiters = waiter;
	generation++;
}

bool route_blocked_look(bool (*ready)(void *arg), void *arg)
{
	struct waiter *waiter = mine ? mine : calloc(1, sizeof(*waiter));
	bool is_said;

	if (!waiter)
		return false;
	lock();
	if (!mine)
		waiter_add(waiter);
	waiter->tail = tail_now();
	waiter->generation = generation;
	waiter->is_known = describe(waiter, ready, arg);
	is_said = say(waiter);
	unlock();
	mine = waiter;
	return is_said;
}

void route_blocked_over(void)
{
	struct waiter **link = &waiters;

	if (!mine)
		return;
	lock();
	while (*link != mine)
		link = &(*link)->next;
	*link = mine->next;
	generation++;
	blocked_hide(&route_slot->waits);
	unlock();
	free(mine);
	mine = NULL;
}

void route_blocked_background(int n)
{
	atomic_fetch_add_explicit(&n_background, n, memory_order_relaxed);
}

void route_blocked_start(void)
{
	n_async = own_name_is(ASYNC) ? 0 : tasks_count(ASYNC);
	route_blocked_know(engine_op_ready, op_describe);
}

void route_blocked_end(enum blocked_end how)
{
	uint32_t ended = how;

	if (route_engines.strobe
		    ? strobe_engine_has_work(route_engines.strobe)
		    : atomic_load(&route_engines.demand.n_open) ||
			      engine_has_more(&route_engines.demand))
		ended |= BLOCKED_OPEN;
	atomic_store(&route_slot->waits.ended, ended);
}
