/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The tables of threads, in a list that only grows. A new thread takes over the
 * tables of one that has ended. So a program that starts threads again and
 * again has as many tables as it ever had threads at once.
 *
 * One word turns recording off, on and back to zero for all threads. A thread
 * that finds the word changed updates its own account. A growing sum tells how
 * long the process was off; each thread sees from it how much of its own time
 * that was.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "mds/base/arena.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/path.h"

struct mmds mmds_self;
bool path_carried;
_Atomic uint32_t mmds_state;
__thread struct mmds_thread *mmds_thread
	__attribute__((tls_model("initial-exec")));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mmds_thread *threads;
static unsigned n_threads;
static pthread_key_t at_exit;

static uint64_t off_since; /* 0: on */
static uint64_t off_sum;
static uint64_t begun_at;
static uint64_t ended_at;   /* 0: not yet */
static uint64_t written_at; /* the moment of the last record */
static uint64_t reset_at;
static uint32_t resets;

static void thread_ended(void *thread)
{
	mmds_thread = NULL;
	mmds_settle(thread);
	pthread_mutex_lock(&lock);
	((struct mmds_thread *)thread)->ended = true;
	pthread_mutex_unlock(&lock);
}

int mmds_start(const struct mmds *mmds, size_t memory)
{
	int rc = arena_start(memory);

	if (rc == 0)
		rc = -pthread_key_create(&at_exit, thread_ended);
	if (rc != 0)
		return rc;
	mmds_self = *mmds;
	atomic_store(&mmds_state, 1);
	return 0;
}

static void ring_take(struct mmds_thread *thread)
{
	if (!flight_ring_take(&thread->flight, thread->id))
		thread->flight = (struct flight_ring){
			.entered = &thread->no_entered,
			.calls = &thread->no_call,
			.end = &thread->no_call + 1,
		};
	/* The next one is the first. */
	thread->entry = thread->flight.end - 1;
}

static struct mmds_thread *thread_make(void)
{
	struct mmds_thread *thread = arena_alloc(sizeof(*thread));

	if (!thread)
		return NULL;
	if (mmds_self.depth)
		thread->paths = arena_alloc(sizeof(*thread->paths));
	else
		thread->flat = arena_alloc(mmds_self.n_calls *
					   sizeof(*thread->flat));
	if (!thread->paths && !thread->flat)
		return NULL;
	thread->id = n_threads++;
	thread->stamp = (uint64_t)n_threads << 40;
	ring_take(thread);
	for (unsigned i = 0; i < 2; i++) {
		thread->frames[i].thread = thread;
		thread->frames[i].other = &thread->frames[1 - i];
	}
	thread->now = &thread->frames[0];
	thread->next = threads;
	/* Orders the fields before the list that shows them to the writer. */
	__atomic_store_n(&threads, thread, __ATOMIC_RELEASE);
	return thread;
}

static struct mmds_thread *thread_take_over(void)
{
	struct mmds_thread *thread = threads;

	while (thread && !thread->ended)
		thread = thread->next;
	return thread;
}

static uint64_t off_until(uint64_t now)
{
	return off_sum + (off_since ? now - off_since : 0);
}

/* The state that a thread stores: 0 while recording is off. */
static uint32_t state_seen(void)
{
	const uint32_t state = atomic_load(&mmds_state);

	return state & 1 ? state : 0;
}

/* The account begins at that moment, and the path clock goes on from it. */
static void account_begin(struct mmds_thread *thread, uint64_t ticks)
{
	thread->last = ticks;
	thread->phase_start = ticks;
	thread->path_ahead = thread->path - ticks;
}

static void thread_begin(struct mmds_thread *thread)
{
	thread->ended = false;
	account_begin(thread, clock_ticks());
	thread->off_seen = off_until(thread->last);
	thread->resets = resets;
	thread->state = state_seen();
	if (thread->paths)
		callpath_begin(thread->paths);
}

struct mmds_thread *mmds_thread_get(void)
{
	struct mmds_thread *thread;

	if (mmds_thread)
		return mmds_thread;
	pthread_mutex_lock(&lock);
	thread = thread_take_over();
	if (!thread)
		thread = thread_make();
	if (thread)
		thread_begin(thread);
	pthread_mutex_unlock(&lock);
	if (thread)
		pthread_setspecific(at_exit, thread);
	return mmds_thread = thread;
}

void mmds_begin(void)
{
	struct mmds_thread *thread = mmds_thread_get();

	if (!thread)
		return;
	begun_at = clock_ticks();
	account_begin(thread, begun_at);
}

void mmds_end(void)
{
	struct mmds_thread *thread = mmds_thread_get();

	ended_at = clock_ticks();
	if (!thread)
		return;
	if (mmds_thread_catch_up(thread) && ended_at > thread->last)
		thread->computation += ended_at - thread->last;
	thread->last = ended_at;
	atomic_store(&mmds_state, MMDS_ENDED);
}

void mmds_write_begin(void)
{
	written_at = clock_ticks();
}

uint64_t mmds_until(void)
{
	return ended_at ? ended_at : written_at;
}

uint64_t mmds_wall_ticks(void)
{
	return mmds_until() - (resets ? reset_at : begun_at);
}

struct mmds_thread *mmds_threads(void)
{
	/* Orders the list before the threads that it shows. */
	return __atomic_load_n(&threads, __ATOMIC_ACQUIRE);
}

static void cell_clear(struct mmds_cell *cell)
{
	struct mmds_cell *next = cell->next;

	mmds_hist_clear(cell->time);
	mmds_hist_clear(cell->size);
	*cell = (struct mmds_cell){ .key = cell->key,
				    .min = UINT64_MAX,
				    .min_bytes = UINT64_MAX,
				    .time = cell->time,
				    .size = cell->size,
				    .next = next,
				    .id = cell->id };
}

static void tables_clear(struct mmds_thread *thread)
{
	for (struct mmds_cell *c = thread->cells; c; c = c->next)
		cell_clear(c);
	for (int i = 0; i < MMDS_COMM_BLOCKS; i++)
		if (thread->comms[i])
			memset(thread->comms[i], 0,
			       MMDS_COMM_BLOCK * sizeof(*thread->comms[i]));
	if (thread->peers_size)
		memset(thread->peers, 0,
		       thread->peers_size * sizeof(*thread->peers));
	thread->n_peers = 0;
	mmds_hist_clear(thread->computations);
	mmds_hist_clear(thread->communications);
	memset(thread->phases, 0, sizeof(thread->phases));
}

static void thread_reset(struct mmds_thread *thread)
{
	tables_clear(thread);
	/* The path clock goes on, since messages under way carry it. */
	thread->path_begun = thread->path;
	thread->phase_path = thread->path;
	thread->phase_computation = 0;
	thread->phase_communication = 0;
	thread->computation = 0;
	thread->communication = 0;
	thread->waiting = 0;
	thread->yielded = 0;
	thread->calls = 0;
	thread->computed = 0;
	thread->communicated = 0;
	thread->samples = 0;
	thread->sampled = 0;
	thread->untimed = 0;
	thread->off = 0;
	account_begin(thread, reset_at);
	thread->resets = resets;
}

bool mmds_thread_catch_up(struct mmds_thread *thread)
{
	uint64_t off;

	mmds_settle(thread);
	pthread_mutex_lock(&lock);
	if (thread->resets != resets)
		thread_reset(thread);
	off = off_until(clock_ticks());
	thread->off += off - thread->off_seen;
	thread->last += off - thread->off_seen;
	path_leave(thread, off - thread->off_seen);
	thread->off_seen = off;
	thread->state = state_seen();
	pthread_mutex_unlock(&lock);
	return thread->state != 0;
}

void mmds_turn(bool on)
{
	const uint64_t now = clock_ticks();

	pthread_mutex_lock(&lock);
	if (on && off_since) {
		off_sum += now - off_since;
		off_since = 0;
		atomic_fetch_add(&mmds_state, 1);
	} else if (!on && !off_since) {
		off_since = now;
		atomic_fetch_add(&mmds_state, 1);
	}
	pthread_mutex_unlock(&lock);
}

void mmds_reset(void)
{
	pthread_mutex_lock(&lock);
	reset_at = clock_ticks();
	resets++;
	off_sum = 0;
	off_since = off_since ? reset_at : 0;
	for (struct mmds_thread *t = threads; t; t = t->next)
		t->off_seen = 0;
	atomic_fetch_add(&mmds_state, 2);
	pthread_mutex_unlock(&lock);
}
