/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_H
#define BCS_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/dist.h"
#include "analyzer/places/intern.h"
#include "analyzer/run/run.h"

/*
 * Wait states of a traced run: how long each call waited for another rank, and
 * what that rank did meanwhile.  The traces of all ranks are read side by side,
 * in the order of time.  Memory grows with ranks, with messages under way, and
 * with places in the program, but not with events.  Where ranks have no trace,
 * messages of theirs stay under way for ever.
 *
 * The states are Scalasca's, which has them by these names, but for the
 * last three, which only a scheduler can measure.  A call's time is a wait at
 * its begin, its work, and a completion at its end.  The parts of the work that
 * waited for slices or for a core are states, too.
 */
enum waits_state {
	WAITS_LATE_SENDER,        /* until the send began */
	WAITS_WRONG_ORDER_SAME,   /* so, and the sender had sent another */
	WAITS_WRONG_ORDER_OTHER,  /* so, and another rank had */
	WAITS_LATE_RECEIVER,      /* until the receive was posted */
	WAITS_BARRIER,            /* until the last rank began */
	WAITS_NXN,                /* likewise */
	WAITS_LATE_BROADCAST,     /* until the root began */
	WAITS_EARLY_REDUCE,       /* of the root, until the last began */
	WAITS_EARLY_SCAN,         /* until the last rank below began */
	WAITS_BARRIER_COMPLETION, /* from the end of the first rank on */
	WAITS_NXN_COMPLETION,     /* likewise */
	WAITS_SLICE,              /* until the next slice began */
	WAITS_IN_SLICES,          /* from there on, until slices had done it */
	WAITS_CORE,               /* ready to run, but others had the cores */
	WAITS_STATES,
};

extern const char *const waits_state_names[WAITS_STATES];
/* Whether it is a wait for another rank's call, which was late. */
static inline bool waits_is_for_call(enum waits_state state)
{
	return state < WAITS_BARRIER_COMPLETION;
}

#define WAITS_NOWHERE UINT32_MAX /* a place */

/* A call at a place in the program: two numbers in waits.texts. */
struct waits_place {
	uint32_t call;
	uint32_t site;
};

struct waits_sum {
	uint64_t count;
	uint64_t time; /* ns, as all times here */
	uint64_t max;
	struct dist times;
};

/* All calls at a place.  The parts and the work make up the time. */
struct waits_calls {
	uint64_t count;
	uint64_t time;
	uint64_t work; /* in MPI, but not waiting */
	uint64_t parts[WAITS_STATES];
	uint64_t bytes; /* that the largest one sent or received */
};

/* From the end of a call to the begin of the thread's next one. */
struct waits_gap_key {
	uint32_t from; /* places */
	uint32_t to;
};

#define WAITS_SHORT 2000 /* ns: shorter gaps have no computation */

struct waits_gap {
	uint64_t count;
	uint64_t time;
	uint64_t n_short;
};

/* The main part of a thread: all between its calls. */
struct waits_of_thread {
	uint64_t rank;
	unsigned thread;
	uint64_t computed;
	uint64_t no_core; /* of it, ready but without a core */
};

struct waits_row_key {
	uint32_t state;
	uint32_t place; /* of the one that waited */
	uint32_t other; /* of the call that was late; WAITS_NOWHERE: none */
};

struct waits_row {
	struct waits_sum sum;
	uint64_t direct;     /* the other one did not wait meanwhile */
	uint64_t propagated; /* it waited itself */
	uint64_t unknown;    /* it is not remembered what it did */
};

/* What the other one did meanwhile. */
enum waits_doing {
	WAITS_COMPUTED, /* after the call at `from`, before that at `to` */
	WAITS_WAITED,   /* itself, at `from` */
	WAITS_IN_MPI,   /* at `from`, not waiting */
	WAITS_FORGOTTEN,
};

struct waits_cause_key {
	uint32_t row;
	uint32_t doing; /* enum waits_doing */
	uint32_t from;
	uint32_t to;
};

/* One of the severest waits. */
struct waits_instance {
	uint32_t row;
	uint64_t since; /* the first event of the host */
	uint64_t time;
	uint64_t rank;
	uint64_t other_rank;
	bool has_other;
	struct waits_cause_key cause; /* the longest */
};

#define WAITS_SEVEREST 100

struct waits {
	struct intern texts;
	struct intern places;      /* of struct waits_place */
	struct waits_calls *calls; /* by place */
	size_t calls_room;
	struct intern gap_keys; /* of struct waits_gap_key */
	struct waits_gap *gaps;
	size_t gaps_room;
	struct waits_of_thread *threads;
	size_t n_threads;
	size_t threads_room;
	uint64_t from; /* the first end of MPI_Init */
	bool has_from;
	struct waits_sum states[WAITS_STATES];
	struct intern row_keys; /* of struct waits_row_key */
	struct waits_row *rows;
	size_t rows_room;
	struct intern cause_keys; /* of struct waits_cause_key */
	uint64_t *causes;         /* time */
	size_t causes_room;
	/* A heap, the least on top; sorted in the end. */
	struct waits_instance severest[WAITS_SEVEREST];
	size_t n_severest;
	uint64_t apart; /* messages between hosts, whose clocks differ */
	uint64_t lost;  /* events */
};

/*
 * Reads the traces in folder `path`.  The filter's ranks are those whose waits
 * are wanted.  Fills in the results of `whatif`, which may be NULL; the places
 * in it have the numbers that they have without it.  Returns 0, or -errno after
 * it has said why not.
 */
struct waits_whatif;
int waits_load(struct waits *waits, const char *path,
	       const struct run_filter *filter, struct waits_whatif *whatif);
void waits_clear(struct waits *waits);

const struct waits_place *waits_place(const struct waits *waits,
				      uint32_t place);
const char *waits_call_text(const struct waits *waits, uint32_t place);
const char *waits_site_text(const struct waits *waits, uint32_t place);
/* "MPI_Send at a.c:5"; the caller frees. */
char *waits_place_text(const struct waits *waits, uint32_t place);
/* "computed from MPI_Recv at a.c:3 to MPI_Send at a.c:5"; likewise. */
char *waits_cause_text(const struct waits *waits,
		       const struct waits_cause_key *cause);

#endif
