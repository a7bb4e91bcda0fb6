/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_THREAD_H
#define BCS_WAITS_THREAD_H

#include "analyzer/waits/waits.h"

/* The last calls of a thread are remembered: so many. */
#define WAITS_REMEMBERED 1024
/*
 * A call is added up when this many followed it.  Until then it may turn out
 * what it waited for, and that messages came in the wrong order.
 */
#define WAITS_DELAY 128

struct waits_thread;
struct waits_ahead;

/* A call, which is perhaps no longer remembered. */
struct waits_ref {
	struct waits_thread *thread; /* NULL: none */
	uint64_t number;
	uint64_t begin;
};

struct waits_call {
	uint64_t begin; /* ns since the first event of the host */
	uint64_t end;
	uint64_t wait_to;       /* it waits from its begin to here, */
	uint64_t complete_from; /* and from here to its end */
	struct waits_ref other; /* that it waited for */
	struct waits_ref needs; /* that it needs, perhaps without waiting */
	enum waits_state needs_state;
	bool communicates;
	uint64_t core;      /* ns without a core */
	uint64_t row_after; /* waits_whatif.c */
	uint32_t place;
	enum waits_state state;          /* until wait_to */
	enum waits_state complete_state; /* from complete_from on */
};

struct waits_thread {
	size_t host;
	uint64_t rank; /* without one: the process's id */
	unsigned thread;
	uint64_t at; /* its number in its process */
	bool wanted;
	uint64_t slice_ns;         /* 0: there are none by time */
	int64_t slice_zero;        /* since the first event of the host */
	uint64_t n;                /* calls so far */
	uint64_t added;            /* calls that are added up */
	uint64_t computed;         /* between its calls, after MPI_Init */
	uint64_t no_core;          /* of it, without a core */
	struct waits_ahead *ahead; /* waits_whatif.h; or NULL */
	/* The latest begin of a send that a call here waited for. */
	uint64_t latest_late;
	struct waits_call calls[WAITS_REMEMBERED];
};

struct waits_ref waits_thread_call(struct waits_thread *thread, uint64_t begin,
				   uint64_t end, uint32_t place);
/* NULL: it is not remembered any more. */
struct waits_call *waits_call_at(const struct waits_ref *ref);
/* Likewise, of a call that is not yet added up. */
struct waits_call *waits_call_open(const struct waits_ref *ref);
/*
 * The call could not go on before the other one began.  The last of several
 * such calls counts.
 */
void waits_call_waits(const struct waits_ref *ref, enum waits_state state,
		      const struct waits_ref *other);
/* Messages of earlier calls that were sent later came in the wrong order. */
void waits_call_got(const struct waits_ref *ref, const struct waits_ref *send);

#endif
