/* SPDX-License-Identifier: BSD-3-Clause */

/* Threads that unpack the files of a record before the reader needs them. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run_ahead.h"
#include "analyzer/run/run_files.h"
#include "mds/record/record.h"

#define THREADS_MAX 8
#define WINDOW      (2 * THREADS_MAX) /* files that are open at a time */

struct run_ahead {
	const struct run_files *files;
	pthread_t threads[THREADS_MAX];
	size_t n_threads;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under the lock: files [taken, begun) are in a slot, or on the way. */
	size_t begun;
	size_t taken;
	bool ready[WINDOW];
	struct run_opened slots[WINDOW];
};

static void open_file(const struct run_ahead *ahead, size_t i,
		      struct run_opened *opened)
{
	const struct run_files *files = ahead->files;

	opened->record = NULL;
	opened->rc = record_open(&opened->record, files->paths[i], files->from,
				 opened->why, sizeof(opened->why));
}

/* The number of the next file to open; their number if there is none left. */
static size_t begin_next(struct run_ahead *ahead)
{
	size_t i;

	pthread_mutex_lock(&ahead->lock);
	while (ahead->begun < ahead->files->n &&
	       ahead->begun - ahead->taken >= WINDOW)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	i = ahead->begun;
	if (i < ahead->files->n)
		ahead->begun++;
	pthread_mutex_unlock(&ahead->lock);
	return i;
}

static void *open_files(void *arg)
{
	struct run_ahead *ahead = arg;
	size_t i;

	while ((i = begin_next(ahead)) < ahead->files->n) {
		open_file(ahead, i, &ahead->slots[i % WINDOW]);
		pthread_mutex_lock(&ahead->lock);
		ahead->ready[i % WINDOW] = true;
		pthread_cond_broadcast(&ahead->changed);
		pthread_mutex_unlock(&ahead->lock);
	}
	return NULL;
}

/* The taker has work to do too, but he mostly waits. */
static size_t threads_wanted(size_t n)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t wanted = cores > 0 ? (size_t)cores : 1;

	if (wanted > THREADS_MAX)
		wanted = THREADS_MAX;
	return n < wanted ? n : wanted;
}

struct run_ahead *run_ahead_start(const struct run_files *files)
{
	struct run_ahead *ahead = mem_alloc(1, sizeof(*ahead));
	const size_t wanted = threads_wanted(files->n);

	ahead->files = files;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	while (ahead->n_threads < wanted &&
	       pthread_create(&ahead->threads[ahead->n_threads], NULL,
			      open_files, ahead) == 0)
		ahead->n_threads++;
	return ahead;
}

void run_ahead_take(struct run_ahead *ahead, struct run_opened *opened)
{
	const size_t i = ahead->taken;

	if (ahead->n_threads == 0) {
		open_file(ahead, i, opened);
		ahead->taken++;
		return;
	}
	pthread_mutex_lock(&ahead->lock);
	while (!ahead->ready[i % WINDOW])
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	*opened = ahead->slots[i % WINDOW];
	ahead->ready[i % WINDOW] = false;
	ahead->taken++;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
}

void run_ahead_end(struct run_ahead *ahead)
{
	for (size_t i = 0; i < ahead->n_threads; i++)
		pthread_join(ahead->threads[i], NULL);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}
