/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Adds up the time of idle cores.  Threads tell of their waits late, each at
 * its next call.  So the begins and ends of waits are kept, and are taken in
 * the order of time once no thread can tell of an earlier one.
 */
#include "analyzer/waits/waits_idle.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"

#define KEPT 4096 /* changes, at least, before they are taken */

/* So many more threads of a host want a core, or fewer. */
struct change {
	uint64_t at;
	int by;
};

struct host {
	struct change *changes;
	size_t n_changes;
	size_t room;
	size_t limit; /* the changes are taken when there are so many */
	struct waits_thread **threads; /* that have calls to come */
	size_t n_threads;
	size_t threads_room;
	uint64_t to; /* all before is added up */
	int64_t active;
	uint64_t idle;
};

struct waits_idle {
	uint64_t cores;
	struct host *hosts;
	size_t n_hosts;
	size_t room;
};

struct waits_idle *waits_idle_new(uint64_t cores)
{
	struct waits_idle *idle = mem_alloc(1, sizeof(*idle));

	idle->cores = cores;
	return idle;
}

void waits_idle_free(struct waits_idle *idle)
{
	if (!idle)
		return;
	for (size_t i = 0; i < idle->n_hosts; i++) {
		free(idle->hosts[i].changes);
		free(idle->hosts[i].threads);
	}
	free(idle->hosts);
	free(idle);
}

static struct host *host_of(struct waits_idle *idle, size_t number)
{
	for (; idle->n_hosts <= number; idle->n_hosts++) {
		idle->hosts = mem_grow(idle->hosts, &idle->room, idle->n_hosts,
				       sizeof(*idle->hosts));
		idle->hosts[idle->n_hosts] = (struct host){ .limit = KEPT };
	}
	return &idle->hosts[number];
}

static int by_time(const void *a_p, const void *b_p)
{
	const struct change *a = a_p;
	const struct change *b = b_p;

	return a->at < b->at ? -1 : a->at > b->at;
}

/* Takes the changes before `until`. */
static void take(struct host *host, uint64_t cores, uint64_t until)
{
	size_t n = 0;

	if (host->n_changes)
		qsort(host->changes, host->n_changes, sizeof(*host->changes),
		      by_time);
	for (; n < host->n_changes && host->changes[n].at < until; n++) {
		const struct change *change = &host->changes[n];
		const int64_t idle = (int64_t)cores - host->active;

		/* Before the first one no thread had begun. */
		if (host->to && idle > 0)
			host->idle += (uint64_t)idle * (change->at - host->to);
		host->to = change->at;
		host->active += change->by;
	}
	host->n_changes -= n;
	memmove(host->changes, host->changes + n,
		host->n_changes * sizeof(*host->changes));
}

/* What a thread tells of next is not before the begin of its last call. */
static uint64_t all_known_before(const struct host *host)
{
	uint64_t time = UINT64_MAX;

	for (size_t i = 0; i < host->n_threads; i++) {
		const struct waits_thread *thread = host->threads[i];
		const uint64_t last = (thread->n - 1) % WAITS_REMEMBERED;

		if (thread->calls[last].begin < time)
			time = thread->calls[last].begin;
	}
	return time;
}

static void put(struct waits_idle *idle, struct host *host, uint64_t at, int by)
{
	if (host->n_changes == host->limit) {
		take(host, idle->cores, all_known_before(host));
		if (host->n_changes > host->limit / 2)
			host->limit *= 2;
	}
	host->changes = mem_grow(host->changes, &host->room, host->n_changes,
				 sizeof(*host->changes));
	host->changes[host->n_changes++] = (struct change){ at, by };
}

static void begin(struct waits_idle *idle, struct host *host,
		  struct waits_thread *thread, uint64_t at)
{
	host->threads = mem_grow(host->threads, &host->threads_room,
				 host->n_threads,
				 sizeof(struct waits_thread *));
	host->threads[host->n_threads++] = thread;
	put(idle, host, at, 1);
}

void waits_idle_call(struct waits_idle *idle, struct waits_thread *thread,
		     bool whole)
{
	struct host *host = host_of(idle, thread->host);
	const struct waits_call
		*call = &thread->calls[(thread->n - 1) % WAITS_REMEMBERED];
	const uint64_t to = whole ? call->end : call->wait_to;

	if (thread->n == 1) {
		begin(idle, host, thread, call->end);
	} else if (to > call->begin) {
		put(idle, host, call->begin, -1);
		put(idle, host, to, 1);
	}
}

void waits_idle_end(struct waits_idle *idle, struct waits_thread *thread)
{
	struct host *host = host_of(idle, thread->host);
	const struct waits_call
		*call = &thread->calls[(thread->n - 1) % WAITS_REMEMBERED];

	put(idle, host, call->begin, -1);
	for (size_t i = 0; i < host->n_threads; i++)
		if (host->threads[i] == thread)
			host->threads[i] = host->threads[--host->n_threads];
}

uint64_t waits_idle_gain(struct waits_idle *idle)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < idle->n_hosts; i++) {
		take(&idle->hosts[i], idle->cores, UINT64_MAX);
		if (idle->hosts[i].idle / idle->cores < least)
			least = idle->hosts[i].idle / idle->cores;
	}
	return least;
}
