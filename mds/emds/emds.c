/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The ring of slices of a process, and the thread that moves its rows into the
 * file.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "mds/base/thread.h"
#include "mds/emds/emds.h"
#include "mds/emds/emds_write.h"

#define WAKE_NS  UINT64_C(100000000) /* most that a killed process loses */
#define FLUSH_MS 200
#define ROWS_MIN 256
#define ROWS_MAX 4096

struct emds_writer {
	pthread_t thread;
	void (*failed)(int rc);
	_Atomic bool ending;
	_Atomic uint32_t passes;
	struct emds_file file;
};

/*
 * Writes the rows in the ring to the file. Blocks of the file end where the
 * ring does.
 */
static void drain(struct emds *emds)
{
	struct emds_writer *writer = emds->writer;
	uint32_t tail = atomic_load_explicit(&emds->tail, memory_order_relaxed);
	/* Orders the load of `head` before the loads of the rows. */
	const uint32_t head = atomic_load_explicit(&emds->head,
						   memory_order_acquire);

	while (tail != head) {
		const uint32_t at = tail & (emds->size - 1);
		uint32_t n = head - tail;

		if (n > emds->size - at)
			n = emds->size - at;
		if (n > EMDS_BLOCK)
			n = EMDS_BLOCK;
		emds_file_add(&writer->file, &emds->rows[at], n,
			      atomic_load_explicit(&emds->dropped,
						   memory_order_relaxed));
		tail += n;
		/* Orders the loads of the rows before giving them back. */
		atomic_store_explicit(&emds->tail, tail, memory_order_release);
	}
	emds_file_flush(&writer->file);
}

static void tell_failure(struct emds_writer *writer)
{
	const int error = emds_file_error(&writer->file);

	if (error && writer->failed)
		writer->failed(error);
	if (error)
		writer->failed = NULL;
}

static void *writer_main(void *arg)
{
	struct emds *emds = arg;
	struct emds_writer *writer = emds->writer;
	uint32_t call;
	bool ending;

	do {
		ending = atomic_load(&writer->ending);
		call = atomic_load(&emds->call);
		drain(emds);
		tell_failure(writer);
		atomic_fetch_add(&writer->passes, 1);
		if (!ending)
			futex_wait(&emds->call, call, WAKE_NS);
	} while (!ending);
	return NULL;
}

/* The number of rows that fit into the memory. */
static uint32_t ring_size(uint64_t memory)
{
	uint32_t n = ROWS_MIN;

	while (n < ROWS_MAX &&
	       sizeof(struct emds_writer) + 2 * n * sizeof(struct emds_row) <=
		       memory)
		n *= 2;
	return n;
}

static struct emds *emds_make(const struct emds_options *options)
{
	struct emds *emds = aligned_alloc(64, sizeof(*emds));

	if (!emds)
		return NULL;
	*emds = (struct emds){ .from = options->from,
			       .to = options->to,
			       .resolution = options->resolution,
			       .every = options->every,
			       .size = ring_size(options->memory) };
	emds->free_to = emds->size;
	emds->writer = calloc(1, sizeof(*emds->writer));
	emds->rows = aligned_alloc(64, emds->size * sizeof(*emds->rows));
	return emds;
}

static void emds_free(struct emds *emds)
{
	free(emds->writer);
	free(emds->rows);
	free(emds);
}

int emds_start(struct emds **emds_p, const struct emds_options *options)
{
	struct emds *emds = emds_make(options);
	int rc = -ENOMEM;

	if (!emds)
		return rc;
	if (!emds->writer || !emds->rows)
		goto no_memory;
	emds->writer->failed = options->failed;
	rc = emds_file_open(&emds->writer->file, options);
	if (rc != 0)
		goto no_memory;
	rc = thread_start(&emds->writer->thread, writer_main, emds);
	if (rc != 0)
		goto no_thread;
	*emds_p = emds;
	return 0;

no_thread:
	emds_file_close(&emds->writer->file, 0);
no_memory:
	emds_free(emds);
	return rc;
}

void emds_stop(struct emds *emds)
{
	if (!emds)
		return;
	atomic_store(&emds->writer->ending, true);
	emds_call(emds);
	thread_join(emds->writer->thread);
	emds_file_close(
		&emds->writer->file,
		atomic_load_explicit(&emds->dropped, memory_order_relaxed));
	tell_failure(emds->writer);
	emds_free(emds);
}

void emds_flush(struct emds *emds)
{
	const struct timespec step = { .tv_nsec = 1000000 };
	const int saved = errno;
	uint32_t passes;

	if (!emds)
		return;
	passes = atomic_load(&emds->writer->passes);
	emds_call(emds);
	/* The first of two passes may have begun before this call. */
	for (int ms = 0; ms < FLUSH_MS; ms++) {
		if (atomic_load(&emds->writer->passes) - passes >= 2)
			break;
		emds_call(emds);
		nanosleep(&step, NULL);
	}
	errno = saved;
}
