/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The rings of the trace, one a thread, and the thread that moves them into the
 * file.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "mds/base/clock.h"
#include "mds/base/thread.h"
#include "mds/trace/trace.h"
#include "mds/trace/trace_write.h"

#define WAKE_NS  UINT64_C(100000000) /* what a killed process loses, at most */
#define FLUSH_MS 200
#define ROWS_MIN 1024

struct trace {
	pthread_t thread;
	pthread_mutex_t lock; /* of the list of rings */
	struct trace_ring *_Atomic rings;
	unsigned n_rings;
	unsigned max_rings;
	uint32_t ring_size;
	bool is_ring;
	uint64_t max_events;
	uint64_t max_bytes;
	uint64_t max_ns;
	uint64_t begun_ns; /* the file */
	bool limited;
	_Atomic uint64_t lost; /* beyond limits */
	void (*failed)(int rc);
	_Atomic bool ending;
	_Atomic uint32_t call; /* changes to wake the writer */
	_Atomic uint32_t passes;
	struct trace_names names;
	struct trace_file file;
};

void trace_call_writer(struct trace *trace)
{
	atomic_fetch_add_explicit(&trace->call, 1, memory_order_release);
	futex_wake(&trace->call);
}

/* Events lost since the last call. */
static uint64_t ring_lost(struct trace_ring *ring)
{
	const uint64_t lost = atomic_load_explicit(&ring->lost,
						   memory_order_relaxed);
	const uint64_t more = lost - ring->lost_told;

	ring->lost_told = lost;
	return more;
}

static void rows_take(struct trace *trace, struct trace_ring *ring,
		      uint32_t tail, uint32_t n)
{
	const uint32_t at = tail & (ring->size - 1);

	if (trace->limited)
		atomic_fetch_add_explicit(&trace->lost, n,
					  memory_order_relaxed);
	else
		trace_file_add(&trace->file, ring, &ring->rows[at], n,
			       ring_lost(ring));
}

/* Writes the rows in a ring; blocks of the file end where the ring does. */
static void drain(struct trace *trace, struct trace_ring *ring)
{
	uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	/* Orders the word that shows a row before the row. */
	const uint32_t head = atomic_load_explicit(&ring->head,
						   memory_order_acquire);

	while (tail != head) {
		uint32_t n = head - tail;

		if (n > ring->size - (tail & (ring->size - 1)))
			n = ring->size - (tail & (ring->size - 1));
		if (n > TRACE_BLOCK)
			n = TRACE_BLOCK;
		rows_take(trace, ring, tail, n);
		tail += n;
		/* Orders our reading of the rows before giving them back. */
		atomic_store_explicit(&ring->tail, tail, memory_order_release);
	}
}

/*
 * The processes of a host turn at the same moments, so that both ends of their
 * messages are kept.
 */
static bool is_time(const struct trace *trace, uint64_t now)
{
	return trace->is_ring
		       ? now / trace->max_ns != trace->begun_ns / trace->max_ns
		       : now - trace->begun_ns >= trace->max_ns;
}

static bool is_full(const struct trace *trace, uint64_t now)
{
	return trace->file.events >= trace->max_events ||
	       trace_file_bytes(&trace->file) >=
		       trace->max_bytes / (trace->is_ring ? 2 : 1) ||
	       is_time(trace, now);
}

/* A process that makes no calls keeps those before. */
static void turn(struct trace *trace, uint64_t now)
{
	struct trace_ring *ring = atomic_load(&trace->rings);

	trace->begun_ns = now;
	if (trace->file.events == 0)
		return;
	trace_file_turn(&trace->file);
	for (; ring; ring = ring->next)
		ring->last = ring->begun = ring->done = 0;
}

static void limit(struct trace *trace)
{
	const uint64_t now = clock_monotonic_ns();

	if (trace->limited || !is_full(trace, now))
		return;
	if (trace->is_ring) {
		turn(trace, now);
		return;
	}
	trace_file_limit(&trace->file);
	trace->limited = true;
}

static void drain_all(struct trace *trace)
{
	struct trace_ring *ring = atomic_load(&trace->rings);

	for (; ring; ring = ring->next)
		drain(trace, ring);
	trace_file_flush(&trace->file);
	limit(trace);
	trace_file_flush(&trace->file);
}

static void tell_failure(struct trace *trace)
{
	const int error = trace_file_error(&trace->file);

	if (error && trace->failed)
		trace->failed(error);
	if (error)
		trace->failed = NULL;
}

static void *writer_main(void *arg)
{
	struct trace *trace = arg;
	uint32_t call;
	bool ending;

	do {
		ending = atomic_load(&trace->ending);
		call = atomic_load(&trace->call);
		drain_all(trace);
		tell_failure(trace);
		atomic_fetch_add(&trace->passes, 1);
		if (!ending)
			futex_wait(&trace->call, call, WAKE_NS);
	} while (!ending);
	return NULL;
}

/* The number of rows that fit into a thread's part of the memory. */
static uint32_t ring_size(const struct trace_options *options)
{
	const uint64_t bytes = options->memory / options->threads;
	uint32_t n = ROWS_MIN;

	while (n < 1u << 24 && 2 * n * sizeof(struct trace_row) <= bytes)
		n *= 2;
	return n;
}

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static void trace_set(struct trace *trace, const struct trace_options *options)
{
	pthread_mutex_init(&trace->lock, NULL);
	trace->max_rings = options->threads;
	trace->ring_size = ring_size(options);
	trace->is_ring = options->is_ring;
	trace->max_events = options->max_events;
	trace->max_bytes = options->max_bytes;
	trace->max_ns = options->max_ns;
	trace->begun_ns = clock_monotonic_ns();
	trace->failed = options->failed;
}

int trace_start(struct trace **trace_p, const struct trace_options *options)
{
	struct trace *trace = map(sizeof(*trace));
	int rc;

	if (!trace)
		return -ENOMEM;
	trace_set(trace, options);
	rc = trace_file_open(&trace->file, options);
	if (rc != 0)
		goto no_file;
	trace->names = options->names;
	trace->file.names = &trace->names;
	rc = thread_start(&trace->thread, writer_main, trace);
	if (rc != 0)
		goto no_thread;
	*trace_p = trace;
	return 0;

no_thread:
	trace_file_close(&trace->file, 0);
no_file:
	munmap(trace, sizeof(*trace));
	return rc;
}

static uint64_t lost_untold(struct trace *trace)
{
	struct trace_ring *ring = atomic_load(&trace->rings);
	uint64_t lost = atomic_load(&trace->lost);

	for (; ring; ring = ring->next)
		lost += ring_lost(ring);
	return lost;
}

void trace_stop(struct trace *trace)
{
	if (!trace)
		return;
	atomic_store(&trace->ending, true);
	trace_call_writer(trace);
	pthread_join(trace->thread, NULL);
	trace_file_close(&trace->file, lost_untold(trace));
	tell_failure(trace);
}

void trace_flush(struct trace *trace)
{
	const struct timespec step = { .tv_nsec = 1000000 };
	const int saved = errno;
	uint32_t passes;

	if (!trace)
		return;
	passes = atomic_load(&trace->passes);
	trace_call_writer(trace);
	/* A write that was under way may have begun before. */
	for (int ms = 0; ms < FLUSH_MS; ms++) {
		if (atomic_load(&trace->passes) - passes >= 2)
			break;
		trace_call_writer(trace);
		nanosleep(&step, NULL);
	}
	errno = saved;
}

static struct trace_ring *ring_new(struct trace *trace, unsigned thread,
				   uint32_t size)
{
	const size_t rows = size * sizeof(struct trace_row);
	struct trace_ring *ring = map(sizeof(*ring) + rows);

	if (!ring)
		return NULL;
	ring->trace = trace;
	ring->thread = thread;
	ring->rows = (struct trace_row *)(ring + 1);
	ring->size = size;
	ring->free_to = size;
	ring->core.fd = -1;
	return ring;
}

struct trace_ring *trace_ring_make(struct trace *trace, unsigned thread)
{
	struct trace_ring *ring;

	pthread_mutex_lock(&trace->lock);
	/* A ring without room counts what is lost. */
	ring = ring_new(trace, thread,
			trace->n_rings < trace->max_rings ? trace->ring_size
							  : 0);
	if (ring) {
		trace->n_rings++;
		ring->next = atomic_load(&trace->rings);
		/* The writer may look at the ring from now on. */
		atomic_store(&trace->rings, ring);
	}
	pthread_mutex_unlock(&trace->lock);
	return ring;
}
