/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_H
#define BCS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/dist.h"
#include "analyzer/places/code.h"
#include "analyzer/places/intern.h"
#include "analyzer/run/tally.h"

/*
 * A run, put together from the files of its processes: what is asked for by
 * rank is kept by rank, all else as a sum.  Times are nanoseconds.
 */

/*
 * A process without a rank in MPI_COMM_WORLD has a number from here on, in the
 * order of the files.
 */
#define RUN_UNRANKED ((uint64_t)1 << 63)

/*
 * Facts about a process that are words.  They mostly are the same for a whole
 * run.
 */
enum run_fact {
	RUN_PROGRAM,
	RUN_ARGUMENTS,
	RUN_HOST,
	RUN_MPI,
	RUN_MODE,
	RUN_CLOCK,
	RUN_THREAD_LEVEL,
	RUN_REASON,
	RUN_STATUS, /* of the exit; empty: unknown */
	RUN_RANKS,  /* that were to record; empty: all */
	RUN_CALL_DEPTH,
	RUN_RESOLUTION,
	RUN_POLITE,
	RUN_GUESSED_IN,
	RUN_FACTS,
};

struct run_rank {
	uint64_t rank;
	uint64_t pid;
	uint64_t started; /* as /proc has it; 0: unknown */
	uint64_t start;   /* since 1970 */
	uint64_t wall;
	uint64_t clock_hz;
	uint64_t local_ranks;
	uint64_t cores; /* thousandths */
	uint64_t yields;
	uint64_t sleeps;
	uint64_t given_up;
	uint64_t dropped_calls;
	uint64_t cut_calls;
	uint64_t cut; /* time of calls at places where paths end early */
	uint64_t guessed_calls; /* through code without unwind tables */
	uint64_t guessed;       /* time of these */
	uint64_t no_core;       /* ready to run, but without a core */
	uint64_t overhead;
	uint64_t memory;
	size_t file;             /* in run.files; INTERN_NONE: none */
	size_t facts[RUN_FACTS]; /* numbers in run.words */
	bool whole;              /* the file is */
	/* Sums over the threads, which begin here in run.threads. */
	size_t first_thread;
	size_t n_threads;
	uint64_t computation;
	uint64_t communication;
	uint64_t waiting;
	uint64_t yielded;
	uint64_t off;
	uint64_t calls;
	uint64_t sent;
	uint64_t received;
};

struct run_thread {
	uint64_t rank;
	uint64_t thread;
	uint64_t computation;
	uint64_t communication;
	uint64_t waiting;
	uint64_t yielded;
	uint64_t off;
	uint64_t calls;
};

/* Calls from one place: of run.sites a frame, of run.paths a path. */
struct run_site_key {
	uint64_t call;
	uint64_t place; /* UINT64_MAX: unknown */
};

/*
 * A rank's times in the run, or in a phase, while recording was on.  They are
 * of its thread that was there for longest.
 */
struct run_span {
	uint64_t rank;
	size_t host;  /* a number in run.words */
	size_t phase; /* in run.phases; RUN_WHOLE: the run */
	uint64_t computation;
	uint64_t communication;
	uint64_t path; /* by how much its path clock advanced */
	bool has_path;
};
#define RUN_WHOLE SIZE_MAX

struct run_phase {
	uint64_t count;
	uint64_t time;
	uint64_t ranks;
	struct tally calls;
};

struct run_comm {
	const char *name;
	uint64_t size;
	uint64_t members;    /* whose files were read */
	uint64_t first_rank; /* of them */
	uint64_t uses;
	uint64_t calls;
	uint64_t time;
	uint64_t sent;
	uint64_t received;
};

/* The traffic of `rank` with `peer`, and the time it spent on it. */
struct run_peer {
	uint64_t rank;
	uint64_t peer;
	uint64_t sends;
	uint64_t sent;
	uint64_t receives;
	uint64_t received;
	uint64_t time;
};

/* A call that was under way; peers and tags as the file has them. */
struct run_now {
	uint64_t rank;
	uint64_t thread;
	uint64_t since;
	uint64_t place; /* a frame; UINT64_MAX: unknown */
	/* Numbers in run.words; INTERN_NONE: none. */
	size_t call;
	size_t waits_for;
	size_t peer;
	size_t tag;
	size_t comm;    /* a number in run.comms; INTERN_NONE: none */
	uint64_t begun; /* where what it waits for began, like `place` */
};

/* A fault of the program, as one rank's file has it. */
struct run_finding {
	uint64_t rank;
	uint64_t count;
	uint64_t place; /* a frame; UINT64_MAX: unknown */
	/* Numbers in run.words. */
	size_t name;
	size_t call;
	size_t peer;
	size_t tag;
	size_t text;
	size_t detail;
	size_t comm; /* a number in run.comms; INTERN_NONE: none */
	/* The sender of the message that it is about: */
	uint64_t other;       /* its rank; UINT64_MAX: none */
	uint64_t other_path;  /* as its file has it; 0: unknown */
	uint64_t other_place; /* likewise: a frame; UINT64_MAX: unknown */
};

/* A variable that a call had as its buffer: symbols_place has the rest. */
struct run_buffer {
	uint64_t rank;
	uint64_t place; /* a frame; UINT64_MAX: unknown */
	/* Numbers in run.words. */
	size_t call;
	size_t use;
	size_t type;
	uint64_t bytes;
	size_t module; /* in run.code; INTERN_NONE: unknown */
	uint64_t offset;
	uint64_t below;
};

/* Where the buffers of the calls at a place were first used again. */
struct run_reuse {
	uint64_t rank;
	size_t place; /* a frame */
	/* Numbers in run.words. */
	size_t call;
	size_t use;
	size_t at_call;       /* empty: the program's own access */
	size_t at_path;       /* in run.code; INTERN_NONE: unknown */
	uint64_t count;       /* of calls that were looked at */
	uint64_t computation; /* ns from the call to the use, in all */
};

/* One of the last calls of a thread, the latest one last. */
struct run_tail {
	uint64_t rank;
	uint64_t thread;
	uint64_t since;
	uint64_t took;
	bool left;      /* else the thread is in it */
	uint64_t bytes; /* that it sent or received, whichever was more */
	uint64_t place; /* as of a call under way, and so on */
	size_t call;
	size_t peer;
	size_t tag;
	size_t comm;
};

/* A rank of a communicator; kept of ranks that did not end with MPI_Finalize.
 */
struct run_member {
	size_t comm;
	uint64_t rank;
	uint64_t place; /* its rank in the communicator */
};

struct run_note {
	uint64_t ranks;
	uint64_t first_rank;
};

struct run {
	char *path;
	uint64_t size;   /* ranks that there were; 0: unknown */
	uint64_t start;  /* of the first */
	bool some_ranks; /* not all were to be read, */
	bool some_calls; /* or not all primitives */
	unsigned bits;   /* the coarsest resolution of its histograms */
	struct intern words;
	struct intern files; /* paths that were read and not left out */

	struct run_rank *ranks; /* by rank */
	size_t n_ranks;
	size_t ranks_room;
	struct intern rank_numbers;
	struct run_thread *threads;
	size_t n_threads;
	size_t threads_room;

	struct tallies calls; /* by primitive */
	struct tallies sites;
	struct tallies paths;
	struct code code;
	struct dist computations; /* stretches between blocking calls */
	struct dist communications;

	struct run_span *spans;
	size_t n_spans;
	size_t spans_room;
	struct intern phase_names;
	struct run_phase *phases;
	size_t phases_room;
	struct intern comm_keys;
	struct run_comm *comms;
	size_t comms_room;
	struct run_peer *peers;
	size_t n_peers;
	size_t peers_room;
	uint64_t peers_dropped; /* pairs of little traffic, to save memory */

	struct run_now *now;
	size_t n_now;
	size_t now_room;
	struct run_finding *findings;
	size_t n_findings;
	size_t findings_room;
	struct run_buffer *buffers;
	size_t n_buffers;
	size_t buffers_room;
	struct run_reuse *reuses;
	size_t n_reuses;
	size_t reuses_room;
	struct run_tail *tails; /* by rank and thread */
	size_t n_tails;
	size_t tails_room;
	struct run_member *members;
	size_t n_members;
	size_t members_room;
	struct intern note_texts;
	struct run_note *notes;
	size_t notes_room;
};

/* The parts of the record to read.  NULL: everything. */
struct run_filter {
	const char *ranks; /* a list as BCS_RANKS takes it */
	const char *calls; /* as BCS_CALLS does */
};

/*
 * Reads the record in folder `path`, or the one file.  Returns 0, or -errno
 * after it has printed the error.  *run_p is set on success only.  Faults of
 * single files are warned of.
 */
int run_load(struct run **run_p, const char *path,
	     const struct run_filter *filter);
/*
 * Reads only the flight recorders in folder `path`, of processes that run on
 * this machine.  Returns as run_load does; -ESRCH if there is none.
 */
int run_load_living(struct run **run_p, const char *path,
		    const struct run_filter *filter);
void run_free(struct run *run); /* NULL is fine */

/* The word that most ranks have for a fact; *others is how many have another.
 */
const char *run_fact(const struct run *run, enum run_fact fact,
		     uint64_t *others);
const char *run_rank_fact(const struct run *run, const struct run_rank *rank,
			  enum run_fact fact);

/*
 * Whether the rank's record is not of its end, and nobody asked for it: what it
 * did later is not in it.
 */
bool run_rank_is_saved(const struct run *run, const struct run_rank *rank);
/* Whether another asked for the rank's record while the rank ran. */
bool run_rank_was_asked(const struct run *run, const struct run_rank *rank);

/*
 * Ranks that were to record and are not there: their number, and the first `n`
 * of them in `missing`.
 */
uint64_t run_missing(const struct run *run, uint64_t *missing, size_t n);

uint64_t run_wall(const struct run *run);     /* of the longest rank */
uint64_t run_overhead(const struct run *run); /* of all ranks together */
uint64_t run_memory(const struct run *run);   /* of the largest rank */

/* Whether a call is before or after what is accounted: it has no share in that.
 */
bool run_is_outside(const char *call);

/* The time of all threads: what shares are taken of. */
uint64_t run_total_time(const struct run *run);

#endif
