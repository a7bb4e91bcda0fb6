/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_ENGINE_H
#define BCS_STROBE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/engine.h"
#include "mds/base/slice_tally.h"

/*
 * BCS-MPI as the paper has it.  A process posts descriptors into shared memory
 * and waits.  The helper thread of the node's first process runs the Strobe
 * Sender, the Strobe Receiver, the Buffer Sender and the Buffer Receiver.  It
 * also runs the scheduling parts of the Collective Helper and the Reduce
 * Helper.  It tells each process what to copy and fold.  The process's DMA
 * Helper does that: its own helper thread, or a thread of it that waits here.
 *
 * Slices begin at zero + n * length.  A slice takes descriptors that were
 * posted before it.  Its results are shown when the next one begins.  No slice
 * runs while nobody posts.
 */
struct strobe;

/* A known state, as a process's hooks are told of it. */
struct strobe_known {
	uint64_t slice;    /* the boundary before it */
	uint32_t open;     /* operations of this process that are not done */
	uint32_t messages; /* to it, that no receive of it has taken */
};

struct strobe_options {
	uint64_t slice_ns;
	uint64_t zero_ns;
	uint64_t budget; /* bytes of a slice; 0: it is measured */
	bool always;     /* slices run where nobody posts, too */
	uint32_t cores;  /* of the node; fewer than processes: nobody spins */
	struct slice_tally *tally; /* the leader counts slices in it; or NULL */
	/* Between nodes, of which there are so many: */
	uint32_t world; /* this process */
	uint32_t node;
	uint32_t n_nodes;
	const struct rank_map *node_of; /* by number in the world; or NULL */
	const struct rank_map *slot_of; /* likewise, on its node */
	struct fabric *fabric;          /* the leaders', in a leader; or NULL */
	/* Calls the hooks, in a thread that is in a call of the engine. */
	void (*known)(const struct strobe_known *known);
	uint64_t patience_ns; /* so long a known state waits for processes */
	/* These are those of struct engine_options. */
	bool (*poke)(void);
	bool (*must_poke)(void);
	void (*meanwhile)(void);
	void (*idle)(bool begins);
	void (*blocked)(bool first, bool (*ready)(void *arg), void *arg);
};

/* Where slice 0 may begin at `now`: jobs of a node have the same grid. */
static inline uint64_t strobe_zero(uint64_t now, uint64_t slice_ns)
{
	return now - now % slice_ns;
}

/* Nodes that a job may have. */
#define STROBE_NODES 64u

/* Bytes of global memory of each leader, for so many nodes. */
uint64_t strobe_fabric_bytes(uint32_t n_nodes);

/* Bytes of shared memory for so many processes. */
uint64_t strobe_memory_bytes(uint32_t n);

/*
 * Each process in turn or at once; the memory is zero at first.  Returns 0 or
 * -errno; *strobe_p is set on success only.
 */
int strobe_engine_new(struct strobe **strobe_p, void *memory, uint32_t n,
		      uint32_t me, const struct strobe_options *options);
/* Bytes that a slice may move on the node, once all its processes have a
 * strobe; asked by the first of them. */
uint64_t strobe_engine_budget(struct strobe *strobe);
/*
 * Starts the helper thread, once all processes have a strobe.  No process posts
 * before all have started.  `emds` takes what slices did; or NULL.
 */
int strobe_engine_start(struct strobe *strobe, struct emds *emds);
/* When no process has an operation under way.  NULL is fine. */
void strobe_engine_stop(struct strobe *strobe);

/* They do what engine.h and coll_post.h say of those of the same name. */
void strobe_engine_post(struct strobe *strobe, struct op *op);
void strobe_engine_wait_until(struct strobe *strobe, bool (*ready)(void *arg),
			      void *arg);
void strobe_engine_wait(struct strobe *strobe, struct op *op);
void strobe_engine_help(struct strobe *strobe);
bool strobe_engine_turn(struct strobe *strobe);
bool strobe_engine_settle(struct strobe *strobe, bool (*ready)(void *arg),
			  void *arg);
bool strobe_engine_has_work(struct strobe *strobe);
/* Operations that are not done. */
uint32_t strobe_engine_n_open(struct strobe *strobe);
bool strobe_engine_cancel(struct strobe *strobe, struct op *op);
void strobe_engine_post_taken(struct strobe *strobe, struct op *op,
			      struct message *message);
int strobe_engine_coll_post(struct strobe *strobe, struct coll *coll);
void strobe_engine_coll_give_up(struct strobe *strobe, struct coll *coll,
				int culprit);

/*
 * Known states.  All processes stop at the same slice boundary: no message is
 * under way, and open operations have no counterpart yet.  A process stops in a
 * call that waits, or when it makes its next call.  When all have stopped, each
 * calls its hooks.  When all hooks have returned, all go on.  Hooks must not
 * call the engine.
 *
 * Processes that ask at the same time share a state.  strobe_engine_quiesce
 * asks, and waits until all go on.  It returns -ETIMEDOUT if a process did not
 * stop in time; then no hook was called.  Any thread or signal handler may call
 * strobe_engine_quiesce_ask, which does not wait.
 */
int strobe_engine_quiesce(struct strobe *strobe);
void strobe_engine_quiesce_ask(struct strobe *strobe);
/* This process is at its end: nobody waits for it any more. */
void strobe_engine_leave(struct strobe *strobe);

/*
 * A schedule of slices.  It has the number of the slice that took each
 * descriptor of a message or collective, in the order of a process's posts.
 * The one thread that posts calls these.
 */
struct strobe_again {
	/* Records a number; or NULL. */
	void (*took)(uint64_t slice);
	/* Repeats: the next recorded number; UINT64_MAX: there is none.  A
	 * descriptor is held until that slice, and the slice until all nodes
	 * have posted what belongs to it.  Or NULL, alike in all processes. */
	uint64_t (*held)(void);
};

/* No process posts until all have called the first, and then the second: slices
 * are counted from there on. */
void strobe_engine_again(struct strobe *strobe,
			 const struct strobe_again *again);
void strobe_engine_again_go(struct strobe *strobe);
/* Records the descriptors that slices took and that are not recorded yet.
 * Descriptors posted later are neither recorded nor held.  False if the
 * schedule did not fit. */
bool strobe_engine_again_stop(struct strobe *strobe);

/* The `ready` that strobe_engine_probe waits with. */
bool strobe_answer_ready(void *answer);

/*
 * Asks for a message, and waits for the answer, or for the message if `waits`.
 * Whether there is one; with `message` no other receive gets it.
 */
bool strobe_engine_probe(struct strobe *strobe, const struct match_key *key,
			 bool waits, struct message **message,
			 struct engine_found *found);

#endif
