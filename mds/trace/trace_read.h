/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TRACE_READ_H
#define BCS_TRACE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/trace/trace.h"

/*
 * Reads the trace of a process one event after the other, since a file may be
 * larger than memory. The contents of the file are not trusted.
 *
 *	rc = trace_open(&reader, path, why, sizeof(why));
 *	while (trace_next(reader, &event) == 1)
 *		...
 *	if (trace_fault(reader))
 *		...what was read before is good
 *	trace_close(reader);
 *
 * The events of one thread come in the order of time. The threads' events are
 * interleaved in pieces; `thread` tells them apart.
 */
struct trace_event {
	enum trace_kind kind;
	unsigned thread;
	uint64_t begin; /* ns on the host's CLOCK_MONOTONIC; of an item: */
	uint64_t end;   /* of its call */
	unsigned call;  /* trace_call_name; of an item: of its call */
	unsigned phase; /* trace_phase_name; 0: the program outside all */
	uint32_t path;  /* of the process's record; 0: unknown */
	uint32_t comm;  /* trace_comm; TRACE_NO_COMM: none */
	int32_t peer;   /* rank in it, TRACE_NOBODY or TRACE_ANYBODY */
	int32_t tag;
	uint64_t sent; /* bytes */
	uint64_t received;
	/* The item TRACE_CORE has the ns for which the thread was ready but had
	 * no core, since the last call and in this one. */
	uint64_t core_before;
	uint64_t core_within;
	/*
	 * The request that a call began or that an item is of; 0: none.  A call
	 * that posts and has none is done: its message is with MPI.
	 */
	uint64_t request;
};

struct trace_head {
	bool ranked;
	uint64_t rank; /* in the world, if it has one */
	uint64_t pid;
	char host[256];
	/* One moment on both clocks, and how the one goes. */
	uint64_t ticks;
	uint64_t ns;
	uint64_t hz;
	uint64_t shift; /* a unit of the file is 2^shift ticks */
	/* Only a file of a ring has them (FORMAT.md); else they are 0. */
	uint64_t part;
	uint64_t dropped;
	uint64_t uncounted;
};

/* The number of messages, or of collective calls, before the first event. */
struct trace_count {
	uint64_t n;
	unsigned kind; /* enum trace_tally_kind */
	uint32_t comm;
	int32_t peer;
	int32_t tag;
};

struct trace_comm {
	uint64_t id; /* the same in the traces of all its members */
	uint32_t rank;
	uint32_t size; /* of both sides of an intercommunicator */
};

struct trace_reader;

/* Returns 0, or -errno with one line in `why` that names file and place. */
int trace_open(struct trace_reader **reader_p, const char *path, char *why,
	       size_t why_size);
void trace_close(struct trace_reader *reader); /* NULL is fine */

const char *trace_path(const struct trace_reader *reader);
const struct trace_head *trace_head(const struct trace_reader *reader);

/*
 * Ticks are common to the processes of a host: give all of them the clock of
 * one, and their times are exact to each other.  Before the first event.
 */
void trace_clock(struct trace_reader *reader, const struct trace_head *of);

/*
 * Reads the rest of the file for its communicators alone: `met` gets each one
 * that it names.  No event follows.  Returns 0 or -ENOMEM.
 */
int trace_skim(struct trace_reader *reader,
	       void (*met)(void *to, const struct trace_comm *comm), void *to);

/*
 * The next event: 1; 0 at the end, or -ENOMEM.  A file that is cut off or
 * damaged ends early, and trace_fault says so.
 */
int trace_next(struct trace_reader *reader, struct trace_event *event);

/* Names as far as the file was read; NULL, or false, if not known. */
const char *trace_call_name(const struct trace_reader *reader, unsigned call);
const char *trace_phase_name(const struct trace_reader *reader, unsigned phase);
bool trace_comm(const struct trace_reader *reader, uint32_t comm,
		struct trace_comm *known);

/* The effects of a call itself, without its items. */
enum trace_does {
	TRACE_DOES_NOTHING = 0,
	TRACE_DOES_SEND = 1 << 0,    /* `sent` bytes to `peer` */
	TRACE_DOES_RECEIVE = 1 << 1, /* `received` came from `peer` */
	TRACE_DOES_POST = 1 << 2,    /* posts a receive */
	TRACE_DOES_ALL = 1 << 3,     /* a collective of `comm`, root `peer` */
	TRACE_DOES_WAIT = 1 << 4,    /* for requests */
	TRACE_DOES_TEST = 1 << 5,    /* whether something is there */
	TRACE_DOES_ONE_SIDED = 1 << 6,
	TRACE_DOES_FILE = 1 << 7,
	TRACE_DOES_BEGIN = 1 << 8, /* nonblocking: it may have a request */
};
/* The bits of a call that was met. */
unsigned trace_call_does(const struct trace_reader *reader, unsigned call);
/* The bits of a call by its name. */
unsigned trace_does(const char *name);

/* The fault of the file, in one line; NULL if none was found so far. */
const char *trace_fault(const struct trace_reader *reader);
/*
 * The events that a ring has dropped.  Known from the first event on, but for
 * trace_dropped, which grows until the last.  `trace_is_uncounted`: messages
 * that are not among the counts may have been dropped, too.
 */
uint64_t trace_dropped(const struct trace_reader *reader);
const struct trace_count *trace_counts(const struct trace_reader *reader,
				       size_t *n);
uint64_t trace_colls_before(const struct trace_reader *reader, uint32_t comm);
bool trace_is_uncounted(const struct trace_reader *reader);

/*
 * Events that found no room, as far as it was read, were beyond a limit, or
 * were dropped.
 */
uint64_t trace_lost(const struct trace_reader *reader);
/* Whether a limit was reached. */
bool trace_is_limited(const struct trace_reader *reader);

#endif
