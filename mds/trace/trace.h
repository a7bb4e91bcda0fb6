/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TRACE_H
#define BCS_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/base/futex.h"
#include "mds/trace/trace_core.h"

/*
 * The trace: every call of a process, one after the other. A thread of the
 * program leaves its calls in a ring of its own, without a lock. A thread of
 * ours moves them into a file while the program runs. A call that finds the
 * ring full is counted and lost: no message waits for the trace.
 */
enum trace_kind {
	TRACE_CALL,        /* a call of MPI; its items follow */
	TRACE_SENT,        /* item: a message was sent, or a send begun */
	TRACE_POSTED,      /* item: a receive was posted */
	TRACE_RECEIVED,    /* item: a message came */
	TRACE_STARTED,     /* item: any other request was started */
	TRACE_DONE,        /* item: a request ended without a message */
	TRACE_PHASE_BEGIN, /* a moment; `phase` is the new one */
	TRACE_PHASE_END,   /* a moment; `phase` is the one around it */
	TRACE_OFF,         /* a moment: recording was turned off, */
	TRACE_ON,          /* and on */
	TRACE_CORE,        /* item: the thread waited for a core */
	TRACE_KINDS,
};

/* Whether it belongs to the call before it, and has no time of its own. */
static inline bool trace_is_item(enum trace_kind kind)
{
	return (kind >= TRACE_SENT && kind <= TRACE_DONE) || kind == TRACE_CORE;
}

#define TRACE_NO_COMM UINT32_MAX
#define TRACE_NOBODY  (-1) /* peer: none; tag: any */
#define TRACE_ANYBODY (-2) /* peer */

/* An event in a thread's ring. */
struct trace_row {
	uint64_t start; /* ticks */
	uint64_t end;
	uint64_t request; /* that is begun, or of an item; 0: none */
	/* Bytes; of TRACE_CORE, ns before the call and during it. */
	uint64_t sent;
	uint64_t received;
	uint32_t path;
	uint32_t comm; /* TRACE_NO_COMM: none */
	int32_t peer;  /* rank in the communicator */
	int32_t tag;
	uint16_t call;
	uint16_t phase;
	uint32_t kind;
};

struct trace;

/* One thread adds, the writer takes away. */
struct trace_ring {
	struct trace *trace;
	struct trace_ring *next;
	struct trace_row *rows;
	uint32_t size;    /* a power of two */
	uint32_t held;    /* items of the current call, after its own row */
	uint32_t free_to; /* rows before this one are known to be free */
	unsigned thread;
	uint64_t stamp; /* the last request that the thread began */
	struct trace_core core;
	_Atomic uint64_t lost;

	_Alignas(64) _Atomic uint32_t head;
	_Alignas(64) _Atomic uint32_t tail;
	/* The writer's: */
	uint64_t lost_told;
	uint64_t last;  /* end of the last call, in units of the file */
	uint64_t begun; /* the last request that was begun, */
	uint64_t done;  /* and that was done */
};

/* Names that the writer asks for when it first meets a number. */
struct trace_names {
	const char *(*call)(unsigned call);
	const char *(*phase)(unsigned phase);
	/* False if nothing is known of the communicator. */
	bool (*comm)(uint32_t comm, uint64_t *id, uint32_t *rank,
		     uint32_t *size);
};

struct trace_options {
	const char *dir;  /* where the file is made, */
	const char *name; /* at most NAME_MAX - 1 bytes */
	int rank;         /* -1: none */
	uint64_t pid;
	const char *host; /* it and `dir` remain */
	uint64_t memory;  /* bytes for all rings, */
	unsigned threads; /* which so many share */
	/*
	 * A ring keeps the last `max_events` events, or those of the last
	 * `max_ns`, and at most twice as many.  Its two files have `max_bytes`
	 * together.
	 */
	bool is_ring;
	uint64_t max_events; /* of the file; UINT64_MAX: no limit */
	uint64_t max_bytes;
	uint64_t max_ns;
	struct trace_names names;
	void (*failed)(int rc); /* called once, by the writer, or NULL */
};

/* Returns 0 or -errno; *trace_p is set on success only. */
int trace_start(struct trace **trace_p, const struct trace_options *options);
/*
 * Nothing is added any more; writes what is left. The rings stay, for threads
 * that may still hold them. NULL is fine.
 */
void trace_stop(struct trace *trace);
/*
 * Waits until what was added before is in the file, but not for long.  May be
 * called from a signal handler; NULL is fine.
 */
void trace_flush(struct trace *trace);
/*
 * A ring for a thread; NULL without memory. A thread beyond those that share
 * the memory gets one in which all is lost.
 */
struct trace_ring *trace_ring_make(struct trace *trace, unsigned thread);
void trace_call_writer(struct trace *trace);

/* The row `n` behind the head; NULL if there is no room. */
static inline struct trace_row *trace_ring_at(struct trace_ring *ring,
					      uint32_t n)
{
	const uint32_t at = atomic_load_explicit(&ring->head,
						 memory_order_relaxed) +
			    n;

	if (__builtin_expect((int32_t)(at - ring->free_to) >= 0, 0)) {
		/* Orders the writer's reading of a row before our writing. */
		ring->free_to = atomic_load_explicit(&ring->tail,
						     memory_order_acquire) +
				ring->size;
		if ((int32_t)(at - ring->free_to) >= 0)
			return NULL;
	}
	return &ring->rows[at & (ring->size - 1)];
}

static inline void trace_ring_lose(struct trace_ring *ring, uint32_t n)
{
	atomic_store_explicit(
		&ring->lost,
		atomic_load_explicit(&ring->lost, memory_order_relaxed) + n,
		memory_order_relaxed);
}

/* The place of an item of the call that is under way; NULL: it is lost. */
static inline struct trace_row *trace_ring_item(struct trace_ring *ring)
{
	struct trace_row *row = trace_ring_at(ring, ring->held + 1);

	if (row)
		ring->held++;
	else
		trace_ring_lose(ring, 1);
	return row;
}

/* The place of a call, whose items are complete, or of a moment. */
static inline struct trace_row *trace_ring_call(struct trace_ring *ring)
{
	struct trace_row *row = trace_ring_at(ring, 0);

	if (!row)
		trace_ring_lose(ring, 1);
	return row;
}

/* Shows the call and its items to the writer. */
static inline void trace_ring_publish(struct trace_ring *ring)
{
	const uint32_t from = atomic_load_explicit(&ring->head,
						   memory_order_relaxed);
	const uint32_t to = from + 1 + ring->held;

	ring->held = 0;
	/* Orders the rows before the word that shows them. */
	atomic_store_explicit(&ring->head, to, memory_order_release);
	if ((from ^ to) & (ring->size / 4))
		trace_call_writer(ring->trace);
}

#endif
