/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MMDS_H
#define BCS_MMDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/base/clock.h"
#include "mds/base/hist.h"
#include "mds/callpath/callpath.h"
#include "mds/flight/flight_ring.h"
#include "mds/mmds/mmds_hist.h"

/*
 * The record of a process while it runs (section 5.1 of the BCS-MPI paper, and
 * more). Each thread writes its own tables only, so no call takes a lock or an
 * atomic operation. The writer of the record reads all tables at any time, and
 * may see a call half counted.
 */

/* All calls of one primitive from one path in one phase. */
struct mmds_cell {
	uint64_t key; /* path << 32 | phase << 16 | call */
	uint64_t count;
	uint64_t ticks;
	uint64_t min;
	uint64_t max;
	uint64_t waiting;
	uint64_t sent;
	uint64_t received;
	uint64_t min_bytes;
	uint64_t max_bytes;
	struct mmds_hist *time;
	struct mmds_hist *size;
	uint64_t last_bytes;
	uint64_t *last_size;    /* bucket of `last_bytes`; NULL: none yet */
	uint32_t untimed;       /* posting calls that need not be timed */
	uint32_t untimed_first; /* the same, of those after a call elsewhere */
	uint32_t doubted;       /* posting calls that must be timed first */
	uint64_t untimed_ticks; /* ticks counted for a call without timing */
	uint64_t *untimed_bucket; /* bucket of `untimed_ticks` */
	struct mmds_cell *next;
	uint32_t id; /* unique in the process */
};

/* The path in the key of a cell for calls that found no room for their own. */
#define MMDS_NO_ROOM UINT64_C(0xffffffff)

/* The path that the record has for the key of a cell. */
static inline uint32_t mmds_key_path(uint64_t key)
{
	return key >> 32 == MMDS_NO_ROOM ? 0 : (uint32_t)(key >> 32);
}

/* Traffic of one communicator. */
struct mmds_comm {
	uint64_t calls;
	uint64_t ticks;
	uint64_t sent;
	uint64_t received;
};

/* Traffic with one process within a communicator. */
struct mmds_peer {
	uint64_t key; /* (communicator << 32 | rank in it) + 1 */
	uint64_t world_rank;
	uint64_t sends;
	uint64_t sent;
	uint64_t receives;
	uint64_t received;
	uint64_t ticks;
};

#define MMDS_NONE        UINT32_MAX
#define MMDS_COMM_BLOCKS 32
#define MMDS_COMM_BLOCK  16
#define MMDS_COMMS       (MMDS_COMM_BLOCKS * MMDS_COMM_BLOCK)
#define MMDS_PHASES      32

/*
 * A call that a thread is in, or was in.  Fields set on entry are adjacent, so
 * that few stores set them.
 *
 * A call that only posts hardly takes longer than two readings of the clock.
 * So of the posting calls of a place only one in MMDS_TIMED is timed.  If it
 * was quick, the others count with its time: their frame has start 0, and that
 * time as end.  A call that turns out to take longer is timed from that point
 * on (mmds_time).
 */
struct mmds_frame {
	struct mmds_thread *thread;
	struct mmds_frame *other; /* the other one of the thread's two frames */
	struct callpath_slot *slot;
	uint64_t start;
	uint64_t end;
	uint64_t own; /* time spent in recording, if sampled */
	bool sampled;

	uint16_t call;
	uint32_t comm;       /* MMDS_NONE: no communicator */
	int32_t peer;        /* rank in the communicator, as MPI gives it */
	int32_t tag;         /* likewise */
	uint64_t n_requests; /* requests to wait for, as MPI's handles */
	const void *requests;
	uint64_t sent;
	uint64_t received;
	uint64_t waiting;

	/* Set when the call is over. */
	struct mmds_cell *cell; /* the cell that counts it; NULL: none */
	uint64_t n;             /* number of equal calls in a row */
	bool blocking;
	bool posts; /* it only posted something */
};

struct mmds_phase {
	uint64_t count;
	uint64_t ticks;
	uint64_t computation;
	uint64_t communication;
	uint64_t path; /* by how much the path clock advanced (path.h) */
};

struct mmds_thread {
	/* Read and written at each call. */
	uint32_t state; /* mmds_state as last seen; 0: off */
	uint16_t phase;
	bool inside;   /* in a call; calls that MPI makes itself do not count */
	uint64_t last; /* end of the last counted call */
	uint64_t computation;
	uint64_t communication;
	uint64_t path;       /* the path clock in the current call (path.h) */
	uint64_t path_ahead; /* of the clock, outside of calls */
	uint64_t waiting;
	uint64_t yielded;
	uint64_t calls;
	uint64_t computed; /* both sums, at the last blocking call */
	uint64_t communicated;
	struct mmds_frame *now;  /* the current call, or the last one */
	struct mmds_frame *past; /* a call not counted yet; or NULL */
	struct mmds_frame frames[2];
	struct trace_ring *ring; /* of the trace (mds/trace/trace.h); or NULL */
	struct flight_ring flight; /* its calls go there, */
	struct flight_call *entry; /* the current or the last one here */

	struct callpath_slot *flat;   /* by call, if call paths are off */
	struct callpath_cache *paths; /* NULL if call paths are off */
	struct mmds_cell **table;
	uint32_t table_size;
	uint32_t n_cells;
	struct mmds_cell *cells; /* all cells, newest first */
	struct mmds_peer *peers;
	uint32_t peers_size;
	uint32_t n_peers;
	struct mmds_peer *last_peer;   /* the peer found last, or NULL */
	struct mmds_cell *last_credit; /* the cell credited last, or NULL */
	struct mmds_comm *comms[MMDS_COMM_BLOCKS];
	struct mmds_hist *computations;
	struct mmds_hist *communications;

	struct mmds_phase phases[MMDS_PHASES];
	uint16_t outer[MMDS_PHASES]; /* phases open around the current one */
	unsigned n_outer;
	uint64_t phase_start;
	/* When the phase began: */
	uint64_t phase_computation;
	uint64_t phase_communication;
	uint64_t phase_path;
	uint64_t path_begun; /* at the last reset */

	uint64_t off;      /* time with recording off */
	uint64_t off_seen; /* the process's sum of it, as last seen */
	uint32_t resets;   /* the process's number of resets, as last seen */
	uint64_t samples;  /* calls whose recording was timed */
	uint64_t sampled;  /* time of recording those calls */
	uint64_t untimed;  /* calls counted with the time of others */
	bool ended;        /* the thread is gone; another may take over */
	/* For data kept with a request; unique to the thread. */
	uint64_t stamp;
	struct mmds_thread *next;
	unsigned id;
	/* Stand for a ring in the file, if the thread has none there. */
	struct flight_call no_call;
	uint64_t no_entered;
};

/* Facts of the process, set before its first thread is recorded. */
struct mmds {
	unsigned bits;    /* of the histograms */
	unsigned depth;   /* most frames of a call path */
	unsigned metrics; /* enum settings_metric */
	unsigned n_calls;
	const char *const *names;
	const bool *selected; /* calls that are recorded one by one */
};

extern struct mmds mmds_self;

/* Changes with each off, on or reset; odd while recording is on. */
#define MMDS_ENDED 2
extern _Atomic uint32_t mmds_state;

/* The thread's own tables; NULL before its first call. */
extern __thread struct mmds_thread *mmds_thread
	__attribute__((tls_model("initial-exec")));

/* True if messages carry the path clock (path.h).  Set before the first call is
 * recorded. */
extern bool path_carried;

/* One call in MMDS_SAMPLE has the cost of its recording measured. */
#define MMDS_SAMPLE 64

/* Called at the end of such a call, before its thread leaves it; or NULL. */
extern void (*mmds_on_sample)(const struct mmds_frame *frame);

/* One posting call of a place in MMDS_TIMED is timed.  A prime, so that it does
 * not match the period of a loop. */
#define MMDS_TIMED    61
#define MMDS_QUICK_NS 250 /* longest call that others are counted by */
#define MMDS_NEAR_NS                                                        \
	150             /* longest gap before it, with what recording takes \
			 */
#define MMDS_DOUBTED 13 /* calls to time after one that took longer */

/*
 * Sets up the process.  Once, in MPI_Init, after the settings are known and
 * before any of the following.  Returns 0 or -errno (nothing is recorded then).
 */
int mmds_start(const struct mmds *mmds, size_t memory);

/* The account of computation and communication begins: at the end of MPI_Init,
 * for the calling thread. */
void mmds_begin(void);
/* The account ends, at the beginning of MPI_Finalize, for all threads. */
void mmds_end(void);

/* Counts a call outside of the account: MPI_Init or MPI_Finalize. */
void mmds_record_outside(unsigned call, uint64_t ticks);

/* Finds or makes the tables of the calling thread; NULL if there is no room. */
struct mmds_thread *mmds_thread_get(void);

/*
 * Updates a thread that has not seen the latest off, on or reset.  Returns
 * false while recording is off.
 */
bool mmds_thread_catch_up(struct mmds_thread *thread);

/*
 * Records a call that ended.  A `blocking` one ends a stretch of computation.
 * The counting is done during the wait of a later call, where it delays no
 * thread.
 */
void mmds_record(struct mmds_frame *frame, bool blocking);
/* Records a call that only posted something. */
void mmds_record_post(struct mmds_frame *frame);
void mmds_count_past(struct mmds_thread *thread);
/* Calls that are in no cell: even those of their primitive found no room. */
uint64_t mmds_lost(void);

static inline void mmds_settle(struct mmds_thread *thread)
{
	if (thread->past)
		mmds_count_past(thread);
}

/* The ticks that a call took.  For an untimed call, those that it counts for.
 */
static inline uint64_t mmds_ticks(const struct mmds_frame *frame)
{
	return frame->end - frame->start;
}

static inline bool mmds_is_timed(const struct mmds_frame *frame)
{
	return frame->start != 0;
}

/* The ticks of computation between the last call and this one. */
static inline uint64_t mmds_before(uint64_t last,
				   const struct mmds_frame *frame)
{
	return frame->start > last ? frame->start - last : 0;
}

/* Adds the frame's calls to a cell, without their bytes; or to a
 * communicator. */
static inline void mmds_cell_add(struct mmds_cell *cell,
				 const struct mmds_frame *frame)
{
	const uint64_t ticks = mmds_ticks(frame);

	cell->count += frame->n;
	cell->ticks += frame->n * ticks;
	cell->waiting += frame->waiting;
	if (!mmds_is_timed(frame))
		return;
	if (ticks < cell->min)
		cell->min = ticks;
	if (ticks > cell->max)
		cell->max = ticks;
}

static inline void mmds_comm_add(struct mmds_comm *comm,
				 const struct mmds_frame *frame)
{
	comm->calls += frame->n;
	comm->ticks += frame->n * mmds_ticks(frame);
	if (frame->sent | frame->received) {
		comm->sent += frame->n * frame->sent;
		comm->received += frame->n * frame->received;
	}
}

/* The frame for the next call: the one that does not hold an uncounted call. */
static inline struct mmds_frame *mmds_frame_next(struct mmds_thread *thread)
{
	if (thread->now == thread->past)
		thread->now = thread->now->other;
	return thread->now;
}

/*
 * A transfer ended: adds its bytes to the call that began it, or to `n` equal
 * calls.  They count in the cell of `key`, in the calling thread's tables.
 */
void mmds_record_late(struct mmds_thread *thread, uint64_t key, uint64_t sent,
		      uint64_t received, uint64_t n);

/* The key of the cell that counts the frame's call. */
static inline uint64_t mmds_frame_key(const struct mmds_frame *frame)
{
	return (uint64_t)frame->slot->path << 32 |
	       (uint32_t)frame->thread->phase << 16 | frame->call;
}

/*
 * True if a call that only posts need not be timed; it counts with the ticks of
 * its cell then.  The program mostly computes behind a call that waits: the
 * first call that posts there has a count of its own.
 */
static inline bool mmds_may_skip_time(struct mmds_frame *frame)
{
	const struct mmds_frame *past = frame->thread->past;
	struct mmds_cell *cell = frame->slot->cell;
	uint32_t *untimed;

	if (!cell || frame->slot->key != mmds_frame_key(frame))
		return false;
	untimed = past && past->posts ? &cell->untimed : &cell->untimed_first;
	if (!*untimed)
		return false;
	--*untimed;
	frame->start = 0;
	frame->end = cell->untimed_ticks;
	return true;
}

/*
 * The current call turns out to take time: begins to time it, and has the next
 * calls of its place timed from their beginning.  Returns false if it was timed
 * already, or the thread is in no call.
 */
static inline bool mmds_time(struct mmds_thread *thread)
{
	struct mmds_frame *frame = thread->now;

	if (!thread->inside || mmds_is_timed(frame))
		return false;
	frame->start = clock_ticks();
	flight_call_late(&thread->flight, thread->entry, frame->start);
	frame->slot->cell->untimed = 0;
	frame->slot->cell->untimed_first = 0;
	frame->slot->cell->doubted = MMDS_DOUBTED;
	return true;
}

/* Whether a call equals the last one, which is not counted yet either. */
static inline bool mmds_is_more(const struct mmds_frame *past,
				const struct mmds_frame *frame)
{
	return past && past->cell == frame->slot->cell &&
	       !mmds_is_timed(past) && !mmds_is_timed(frame) &&
	       past->comm == frame->comm && past->sent == frame->sent &&
	       past->received == frame->received;
}

/* The primitive in the key of a cell. */
static inline unsigned mmds_key_call(uint64_t key)
{
	return key & 0xffff;
}

/* The row of a communicator; NULL if there is no room. */
struct mmds_comm *mmds_comm_get(struct mmds_thread *thread, uint32_t comm);

static inline uint64_t mmds_peer_key(uint32_t comm, uint32_t rank)
{
	return ((uint64_t)comm << 32 | rank) + 1;
}

struct mmds_peer *mmds_peer_find_slow(struct mmds_thread *thread, uint64_t key);

/* The row of a peer by its rank in the communicator; NULL if it has none yet.
 */
static inline struct mmds_peer *mmds_peer_find(struct mmds_thread *thread,
					       uint32_t comm, uint32_t rank)
{
	const uint64_t key = mmds_peer_key(comm, rank);

	if (thread->last_peer && thread->last_peer->key == key)
		return thread->last_peer;
	return mmds_peer_find_slow(thread, key);
}

/* Gives a peer its row; NULL if there is no room. */
struct mmds_peer *mmds_peer_add(struct mmds_thread *thread, uint32_t comm,
				uint32_t rank, uint32_t world_rank);

/* Turn recording on or off, or set everything to zero, for all threads. */
void mmds_turn(bool on);
void mmds_reset(void);

/*
 * Begin a phase of the calling thread within its current one; end the
 * innermost.  If there is no room for a name, its time counts for the phase
 * around it.
 */
void mmds_phase_begin(struct mmds_thread *thread, const char *name);
void mmds_phase_end(struct mmds_thread *thread);

/* A thread's sums up to a moment, with calls that are not counted yet. */
struct mmds_sum {
	uint64_t computation;
	uint64_t communication;
	uint64_t path; /* since the process began: path.h */
};

struct mmds_sum mmds_sum_until(const struct mmds_thread *thread,
			       uint64_t until);

/* For the writer: a record is of one moment, while threads go on. */
void mmds_write_begin(void);
struct mmds_thread *mmds_threads(void);
/* The moment up to which running threads are accounted for. */
uint64_t mmds_until(void);
/* Ticks from the beginning of the account, or the last reset, to that
 * moment. */
uint64_t mmds_wall_ticks(void);
unsigned mmds_phase_count(void);
const char *mmds_phase_name(unsigned phase);

#endif
