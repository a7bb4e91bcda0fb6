/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_INSIDE_H
#define BCS_SIM_INSIDE_H

/* The state that the parts of the engine share. */
#include "sim/sim_engine.h"

struct sim_post;

/* A process in a collective that it cannot leave yet, or a request of it. */
struct sim_arrival {
	struct sim_arrival *next;
	struct sim_process *process;
	uint32_t request;
	struct sim_moment at;
	double seconds; /* of the collective, for this process */
	struct sim_path path;
};

struct sim_request {
	bool used;
	bool done;
	struct sim_moment end;
};

struct sim_process {
	struct sim_source source;
	uint32_t count;
	struct sim_moment now;
	double computing;
	uint64_t sent_bytes;
	uint64_t messages;
	struct sim_op op; /* the current operation */
	double left;      /* seconds of it that wait for a core */
	bool blocked;
	bool ended;
	struct sim_request *requests;
	uint32_t n_requests;
	/* Matched messages that begin when the process is in MPI. */
	struct sim_post *held;
	/* Messages that came before their receive, in order. */
	struct sim_post *first;
	struct sim_post *last;
	uint32_t n_any;  /* posted receives with SIM_ANY as peer or tag */
	uint32_t *calls; /* number of collective calls, by group */
	uint32_t n_calls;
	struct sim_arrival arrival; /* in a blocking collective */
};

/* One side of a message, which waits for the other. */
struct sim_post {
	struct sim_post *next;   /* next post of the same key */
	struct sim_post *before; /* previous message to the same receiver */
	struct sim_post *after;  /* next message to the same receiver */
	struct sim_post *next_held;
	bool is_message;
	uint32_t from; /* UINT32_MAX: any process */
	uint32_t to;
	uint32_t context;
	int32_t tag;
	uint64_t number; /* order of posting */
	struct sim_transfer transfer;
	/* For each side, the request to complete; without one, the process
	 * itself is blocked in the operation. */
	uint32_t sender;
	uint32_t sender_request; /* NO_REQUEST: none */
	uint32_t receiver_request;
};

#define NO_REQUEST UINT32_MAX

struct sim_key {
	struct sim_post *first;
	struct sim_post *last;
	uint64_t key;
	uint32_t context;
	int32_t tag;
	bool used;
};

struct sim_match {
	struct sim_key *keys;
	size_t n;
	size_t room; /* a power of two */
	struct sim_post *spare;
	struct sim_post **blocks;
	size_t n_blocks;
	uint64_t number;
	uint64_t waiting; /* messages that were not received yet */
};

struct sim_instance {
	enum sim_collective collective;
	uint32_t arrived;
	bool begun;
	bool has_root;
	uint32_t root;
	struct sim_moment at_root;
	struct sim_moment latest;
	struct sim_arrival *waiting;
};

struct sim_group {
	uint32_t members;
	uint32_t first;                 /* number of the oldest instance kept */
	struct sim_instance *instances; /* a ring of `room`, a power of two */
	uint32_t room;
	uint32_t n;
};

struct sim_engine {
	struct sim_setup setup;
	struct sim_process *processes;
	struct sim_match match;
	struct sim_group *groups;
	uint32_t n_groups;
	uint32_t *heap;
	uint32_t n_heap;
	uint32_t n_ended;
	uint64_t events;
	struct sim_process *current;
	uint32_t culprit;
	bool inexact;
};

/* The heap of those that can run: one more; the first, which is there. */
void sim_heap_put(struct sim_engine *engine, uint32_t process);
uint32_t sim_heap_take(struct sim_engine *engine);

/* Whether process a runs before b: the earlier one; in a tie the lower number.
 */
bool sim_heap_is_before(const struct sim_engine *engine, uint32_t a,
			uint32_t b);

/* Sets the process's time, and unblocks it if it is blocked. */
void sim_heap_resume(struct sim_engine *engine, struct sim_process *process,
		     struct sim_moment now);
uint32_t sim_heap_number(const struct sim_engine *engine,
			 const struct sim_process *process);

/* Post one side of a message.  If the other side is there, it is taken and set;
 * else NULL.  Return 0 or -ENOMEM. */
int sim_match_message(struct sim_engine *engine, const struct sim_post *message,
		      struct sim_post **receive);
int sim_match_receive(struct sim_engine *engine, const struct sim_post *receive,
		      struct sim_post **message);
/* Frees a post that was matched. */
void sim_match_drop(struct sim_match *match, struct sim_post *post);
void sim_match_clear(struct sim_match *match);

/* Starts messages that waited until the process, which waits, is in MPI. */
void sim_message_progress(struct sim_engine *engine,
			  struct sim_process *process);

void sim_group_clear(struct sim_group *group);
/* Enters a collective.  The process goes on or is blocked. */
int sim_group_enter(struct sim_engine *engine, struct sim_process *process,
		    struct tree_fault *fault);

/* Begins a request of the process.  Returns 0, -EINVAL or -ENOMEM. */
int sim_message_request(struct sim_process *process, uint32_t request,
			struct tree_fault *fault);
/* Ends a request at `end`; with NO_REQUEST, the operation of the process. */
void sim_message_done(struct sim_engine *engine, uint32_t process,
		      uint32_t request, struct sim_moment end);

/* Do the operations on messages, and SIM_WAIT. */
int sim_message_send(struct sim_engine *engine, struct sim_process *process,
		     struct tree_fault *fault);
int sim_message_receive(struct sim_engine *engine, struct sim_process *process,
			struct tree_fault *fault);
int sim_message_wait(struct sim_engine *engine, struct sim_process *process,
		     struct tree_fault *fault);

#endif
