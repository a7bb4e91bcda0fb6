/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_LEADER_H
#define BCS_STROBE_LEADER_H

/*
 * The roles of a node's leader share this; its thread alone uses it.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_schedule.h"
#include "libbcs/strobe/process/strobe_process.h"

/* A descriptor that was taken, until its operation is done. */
struct strobe_work {
	/* First: matching hands it back. */
	union {
		struct match_recv recv;
		struct match_message message;
	};
	struct strobe_descriptor d;
	uint32_t slot;            /* whose it is; or STROBE_REMOTE, */
	uint32_t node;            /* and then where from, */
	uint64_t handle;          /* and what its leader knows it by */
	struct strobe_work *peer; /* a send: its receive */
	bool is_told;             /* a call: other nodes know of it */
	struct strobe_transfer transfer;
	struct strobe_work *next;  /* in a list of what a slice took; */
	struct strobe_work **link; /* or among those that wait */
};

struct strobe_works {
	struct strobe_work *first;
	struct strobe_work **end;
};

/* A collective, from its first call on. */
struct strobe_gather {
	struct strobe_gather *next;
	struct strobe_descriptor d;      /* of its first call */
	const struct strobe_work *local; /* the first call of this node */
	int n;                           /* calls that are known here, */
	uint32_t here;                   /* of them, of this node */
	int shares;                      /* that are here as a whole, */
	int wanted;                      /* of so many */
	bool failed;
	int32_t culprit; /* whose call is another */
	uint64_t table;  /* of shares, for the slice */
	uint64_t sum;    /* of this node, likewise; behind the ranks' */
	bool is_sent;    /* the sum */
	uint64_t called; /* a bit by rank, in shared memory */
	bool *known;     /* by rank: it has called */
	/* By rank: this node's calls, and others' shares that came. */
	struct strobe_work *works[];
};

/* The collectives of a state, the oldest first. */
struct strobe_gathers {
	struct strobe_gather *first;
	struct strobe_gather **end;
};

/* A collective whose first process is here may be complete. */
struct strobe_ask {
	int64_t word;
	uint64_t nodes;
};

enum strobe_phase {
	STROBE_BEGIN, /* the strobe: rings are sealed */
	STROBE_DEM,
	STROBE_MSM,
	STROBE_GET, /* between nodes: the bytes of messages leave */
	STROBE_P2P,
	STROBE_BBM,
	STROBE_RM,
	STROBE_END, /* all nodes have done it: processes are told */
	STROBE_PHASES,
	/* Some slices have CLOSE, TREE or ASIDE.  The others are for a known
	 * state. */
	STROBE_CLOSE = STROBE_PHASES, /* as BEGIN, but rings stay as they are */
	STROBE_TREE,  /* after BBM: nodes' sums go a step up a tree */
	STROBE_ASIDE, /* as DEM, but of a schedule that is repeated nothing */
	STROBE_STOP,  /* processes stop */
	STROBE_HOOKS, /* they call their hooks */
	STROBE_GO,
	STROBE_ALL_PHASES
};

/* Whether a node has work for a slice, as it says when the slice begins. */
enum strobe_busy {
	STROBE_IDLE,
	STROBE_LATER,
	STROBE_PROBES, /* but later for what a schedule holds */
	STROBE_BUSY
};

/* The leaders' global memory. */
#define STROBE_EVENT_AT   0   /* a microstrobe; */
#define STROBE_ARM_AT     4   /* a node has posted; */
#define STROBE_DONE_AT    8   /* microstrobes that the node has done; */
#define STROBE_BUSY_AT    16  /* enum strobe_busy; */
#define STROBE_STROBE_AT  24  /* the last microstrobe; */
#define STROBE_WANTED_AT  48  /* a node asks for a known state; */
#define STROBE_STOPPED_AT 56  /* 1: all processes of the node have stopped; */
#define STROBE_TREE_AT    64  /* steps until the node's last sum leaves; */
#define STROBE_REGIONS_AT 128 /* a block from each node */

struct strobe_microstrobe {
	uint64_t slice;
	uint64_t phase;
	int64_t number;
};

/* Messages of a process that were matched or wait for room to another node. */
struct strobe_moves {
	uint32_t n;
	bool shown;
};

struct strobe_leader {
	struct strobe *strobe;
	struct fabric *fabric; /* of the nodes' leaders */
	void *region;
	struct core_set all;
	uint64_t words[CORE_SET_WORDS(STROBE_NODES)];
	int64_t microstrobes; /* so far */

	uint64_t slice; /* under way */
	bool told;      /* the Strobe Sender knows that there are posts here */
	bool asked;     /* likewise, of a wish for a known state */
	bool closing;   /* the Strobe Sender's: nothing new is scheduled */
	bool closed;    /* this slice takes nothing that a schedule counts */
	uint64_t turn;  /* slices that ran, so far, as schedules count them */
	uint64_t stuck; /* since when it does not go on, in ns; 0: it does */
	uint64_t late_ns;           /* the slice began so long after its time */
	uint64_t begun;             /* ticks */
	bool by_helper;             /* its helper ran the slice so far */
	bool *touched;              /* by slot: it has something to be shown, */
	uint32_t *shown;            /* and so often it had */
	struct strobe_moves *moves; /* by slot */
	uint32_t *ends;             /* by slot: where its ring was sealed */
	uint8_t *splits;            /* by slot: that the slice has used */
	bool *waited;    /* by slot: for what the slice before ended */
	uint32_t n_left; /* messages that wait for a receive */
	struct strobe_arena arena;

	struct strobe_works sends; /* that the slice took, */
	struct strobe_works others;
	struct match **matches;       /* by slot */
	struct strobe_work **waiting; /* by slot: receives and probes */
	struct strobe_schedule schedule;
	struct strobe_gathers pending; /* some processes have not called */
	struct strobe_gathers running; /* scheduled: shares are to come */
	struct strobe_gathers ready;   /* the slice runs them */
	struct strobe_ask *asks;       /* for this slice; on the first node */
	uint32_t n_asks;
	uint32_t asks_room;
	bool calls_held; /* they found no room: a slice is needed */
	struct strobe_exchange *exchange; /* with other nodes; or NULL */
	struct strobe_work *spare;
	uint32_t n_spare;
	uint32_t reserve; /* of them are for what other nodes send */

	struct emds_row row;
};

static inline void strobe_count(struct strobe_leader *leader,
				enum emds_column on, uint64_t n)
{
	leader->row.value[on] += n;
}

/* They are shown as over when the slice in which they ended is. */
static inline void strobe_moves_begin(struct strobe_leader *leader,
				      uint32_t slot)
{
	if (slot == STROBE_REMOTE || leader->moves[slot].n++)
		return;
	leader->moves[slot].shown = true;
	atomic_store(&strobe_slot(leader->strobe, slot)->moves, 1);
}

static inline void strobe_moves_end(struct strobe_leader *leader, uint32_t slot)
{
	if (slot != STROBE_REMOTE)
		leader->moves[slot].n--;
}

static inline void strobe_works_clear(struct strobe_works *works)
{
	works->first = NULL;
	works->end = &works->first;
}

static inline void strobe_works_add(struct strobe_works *works,
				    struct strobe_work *work)
{
	work->next = NULL;
	*works->end = work;
	works->end = &work->next;
}

static inline void strobe_gathers_clear(struct strobe_gathers *gathers)
{
	gathers->first = NULL;
	gathers->end = &gathers->first;
}

static inline void strobe_gathers_add(struct strobe_gathers *gathers,
				      struct strobe_gather *gather)
{
	gather->next = NULL;
	*gathers->end = gather;
	gathers->end = &gather->next;
}

static inline struct strobe_gather *
strobe_gathers_remove(struct strobe_gathers *gathers,
		      struct strobe_gather **link)
{
	struct strobe_gather *gather = *link;

	*link = gather->next;
	if (!*link)
		gathers->end = link;
	return gather;
}

/* strobe_leader.c */
int strobe_leader_start(struct strobe *strobe);
void strobe_leader_stop(struct strobe *strobe);
/* Until the strobe ends. */
void strobe_leader_main(struct strobe *strobe);

/* strobe_sender.c: on the first node; until the strobe ends. */
void strobe_sender_main(struct strobe_leader *leader);

/* strobe_receiver.c: on the other nodes, likewise. */
void strobe_receiver_main(struct strobe_leader *leader);
/* A microstrobe came, of which microphase. */
enum strobe_phase strobe_receiver_run(struct strobe_leader *leader);
/* The slice's row goes to the record. */
void strobe_row_end(struct strobe_leader *leader);
/* So does that of a slice without work, if such ones are recorded. */
void strobe_row_end_idle(struct strobe_leader *leader);
/* Nobody posts here, for at most so long, or until the strobe ends. */
void strobe_receiver_sleep(struct strobe_leader *leader, uint64_t ns);

/* strobe_stop.c: the node's part of a known state. */
void strobe_stop_ask(struct strobe_leader *leader);
void strobe_stop_run(struct strobe_leader *leader, enum strobe_phase phase);

/* strobe_again_slices.c, when a schedule is repeated; before the seal.
 * STROBE_BUSY: all has been posted for the next slice; STROBE_IDLE: nothing is
 * held. */
enum strobe_busy strobe_again_look(struct strobe_leader *leader);
/* After it: whether there is something that is not held. */
bool strobe_again_has_free(struct strobe_leader *leader);
bool strobe_again_holds(const struct strobe_leader *leader,
			const struct strobe_descriptor *descriptor);
/* The slice under way is over. */
void strobe_again_end(struct strobe_leader *leader);

/* strobe_buffer_sender.c: descriptors leave their rings.  How many there are.
 */
unsigned strobe_buffer_seal(struct strobe_leader *leader);
/* Instead: the slice takes nothing. */
void strobe_buffer_close(struct strobe_leader *leader);
void strobe_buffer_send(struct strobe_leader *leader);

/* strobe_works.c */
struct strobe_work *strobe_work_new(struct strobe_leader *leader);
/* Sets aside so many, which strobe_work_reserved gives; false: no memory. */
bool strobe_works_reserve(struct strobe_leader *leader, uint32_t n);
struct strobe_work *strobe_work_reserved(struct strobe_leader *leader);
void strobe_work_free(struct strobe_leader *leader, struct strobe_work *work);

/* strobe_buffer_receiver.c: matches, and schedules. */
int strobe_buffer_start(struct strobe_leader *leader);
/* Messages of a process that no receive has taken. */
uint32_t strobe_buffer_messages(const struct strobe_leader *leader,
				uint32_t slot);
void strobe_buffer_stop(struct strobe_leader *leader);
void strobe_buffer_receive(struct strobe_leader *leader);

/* strobe_gather.c: calls of collectives come together. */
void strobe_gather_add(struct strobe_leader *leader, struct strobe_work *work);
/* A process of another node has called. */
void strobe_gather_hear(struct strobe_leader *leader,
			const struct strobe_descriptor *call);
void strobe_gather_give_up(struct strobe_leader *leader,
			   const struct strobe_work *work);
void strobe_gather_fail(struct strobe_leader *leader,
			const struct strobe_work *work, int error, int culprit);
void strobe_gather_free(struct strobe_leader *leader,
			struct strobe_gather *gather);
/* In the place of a call without memory for its share. */
struct strobe_work *strobe_gather_lost(void);

/* strobe_shares.c: a scheduled collective leaves those that wait for calls; */
void strobe_gather_schedule(struct strobe_leader *leader,
			    struct strobe_gather **link);
/* a share of another node is here as a whole; */
void strobe_gather_share(struct strobe_leader *leader,
			 struct strobe_gather *gather);
/* the slice runs those whose shares are all here. */
void strobe_gather_move(struct strobe_leader *leader);
void strobe_gather_fold(struct strobe_leader *leader);
void strobe_gather_end(struct strobe_leader *leader);
void strobe_gather_stop(struct strobe_leader *leader);

/*
 * strobe_calls.c: whether all have called.  DEM: the node shows collectives
 * that its processes have all called.  MSM: the first node asks all.  P2P:
 * those that all have called begin.
 */
void strobe_calls_show(struct strobe_leader *leader);
void strobe_calls_add(struct strobe_leader *leader, int64_t word,
		      uint64_t nodes);
void strobe_calls_ask(struct strobe_leader *leader);
void strobe_calls_schedule(struct strobe_leader *leader);

/* strobe_sums.c: in P2P a node folds what its processes have; in BBM and TREE
 * sums leave for other nodes. */
void strobe_sums_begin(struct strobe_leader *leader,
		       struct strobe_gather *gather);
void strobe_sums_send(struct strobe_leader *leader);
/* Steps (TREE) until the last sum that waits for others can leave; 0: none
 * waits. */
unsigned strobe_sums_rounds(const struct strobe_leader *leader);
/* True if a sum can leave and has not. */
bool strobe_sums_wait(const struct strobe_leader *leader);
/* strobe_shares.c: makes a table of a collective's shares.  Its place; 0: no
 * memory. */
uint64_t strobe_table_make(struct strobe_leader *leader,
			   const struct strobe_gather *gather);
/* The table has all shares that are here; false: memory was short for one. */
bool strobe_table_ready(struct strobe_leader *leader,
			struct strobe_gather *gather);

/* strobe_split_order.c: a slice begins; and a copy in it is its sender's, too,
 * if that brings anything. */
void strobe_split_begin(struct strobe_leader *leader);
void strobe_split_order(struct strobe_leader *leader,
			const struct strobe_work *send,
			struct strobe_order *copy);

/* strobe_orders.c: to a process; they begin, and all are done. */
void strobe_order_give(struct strobe_leader *leader, uint32_t slot,
		       const struct strobe_order *order);
void strobe_order_done(struct strobe_leader *leader, uint32_t slot, uint64_t op,
		       int error);
void strobe_orders_run(struct strobe_leader *leader);

#endif
