/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COLL_H
#define BCS_COLL_H

/*
 * Collectives.  Each process has a descriptor of the collective, which goes on
 * in rounds.  The messages of a round travel in slices, like others.  When all
 * of them are there, the work of the round is done, mostly a reduction.  Then
 * the next round begins.  No thread has to wait in the call: the broadcast and
 * barrier microphase (bbm.c) and the reduce microphase (rm.c) move it on.
 */
#include "libbcs/base/copy.h"
#include "libbcs/base/rank_map.h"
#include "libbcs/demand/base/state.h"
#include "libbcs/demand/coll/coll_nodes.h"
#include "libbcs/demand/coll/fold_order.h"
#include "libbcs/demand/coll/pages.h"
#include "mds/mmds/path.h"

enum coll_kind {
	COLL_BARRIER,
	COLL_BCAST,
	COLL_EXCHANGE, /* scatter, gather, allgather, all-to-all */
	COLL_REDUCE,
	COLL_ALLREDUCE,
	COLL_REDUCE_SCATTER,
	COLL_SCAN,
	COLL_EXSCAN,
};

enum coll_algorithm {
	COLL_AUTO,
	COLL_LINEAR,
	COLL_BINARY,
	COLL_BINOMIAL,
	COLL_SPLIT_BINARY,
	COLL_PIPELINE,
	COLL_STRIPED,  /* each process reduces a part of its own */
	COLL_NODES,    /* in two levels (coll_nodes.h) */
	COLL_DOUBLING, /* as if each process had a node of its own */
	COLL_PAIRWISE, /* exchanges: with one other process a round */
	COLL_RING,     /* allgathers: blocks are passed on to the next */
};

/* How a collective is done, in pieces of `segment` bytes; 0: all at once. */
struct coll_method {
	enum coll_algorithm algorithm;
	uint64_t segment;
};

/* The bytes that one process has for another, or gets from it. */
struct coll_block {
	unsigned char *at;
	uint64_t bytes;
	bool moves; /* else there is nothing to send or to receive */
};

/* How elements are reduced: `inout` = `in` op `inout`. */
struct coll_fold {
	void (*run)(const struct coll_fold *fold, const void *in, void *inout,
		    uint64_t bytes);
	/* `to` = `in` op `inout`, and may be one of them; or NULL. */
	void (*run_to)(const void *in, const void *inout, void *to,
		       uint64_t bytes);
	const void *arg;
	uint64_t unit; /* bytes of an element; 0: only as a whole */
	/* MPICH chooses the order of folds by these: */
	uint64_t count;  /* elements of the vector, */
	uint64_t weight; /* and bytes, its own way; */
	bool predefined; /* the operation is MPI's */
	bool commutes;   /* else in the order of ranks only */
	bool in_caller;  /* only threads that called the library run it */
};

struct coll {
	/* The caller's, as all that it points to. */
	enum coll_kind kind;
	uint32_t context;
	int32_t number;     /* of the communicator's collectives, from 0 */
	uint32_t signature; /* what has to be the same everywhere */
	bool in_background; /* nobody may be waiting for it */
	const struct rank_map *peers; /* to the engine, by rank */
	int rank;
	int size;
	int root;
	unsigned char *out; /* a reduction's own part; may be `in` */
	unsigned char *in;  /* the result; the data of a broadcast */
	uint64_t bytes;     /* of an exchange: what each gives to all, or 0 */
	uint64_t each;      /* of an all-to-all: of every block, or 0 */
	/* By rank; of a reduce-scatter, `outs` are the parts of the vector. */
	struct coll_block *outs;
	struct coll_block *ins;
	const struct coll_fold *fold;
	struct coll_method method; /* COLL_AUTO: coll_choose says so */
	bool own_order; /* asked for: sums are not folded in MPICH's order */
	struct pages *pages;            /* of the communicator; or NULL */
	const struct coll_nodes *nodes; /* likewise */

	/* The last that the engine writes. */
	_Atomic uint32_t done;
	int error;   /* 0 or -errno: -EPROTO if they do not fit together */
	int culprit; /* the rank whose call does not, then */

	/* The engine's. */
	bool on_pages;
	uint64_t path; /* what its messages carry: coll_path_begin */
	const struct coll_steps *steps;
	uint32_t round;
	unsigned pending;      /* operations of the round that are not done */
	unsigned n_ops;        /* of the round; at the end, of the last */
	struct op_coll shared; /* with the messages of its rounds */
	uint64_t work;         /* bytes that the round's work goes over */
	unsigned char *temp;   /* stays for the next, if it is not large */
	uint64_t temp_bytes;
	struct coll *next;
	struct op *ops;
};

static inline void coll_list_clear(struct coll_list *list)
{
	list->first = NULL;
	list->end = &list->first;
}

static inline void coll_list_add(struct coll_list *list, struct coll *coll)
{
	coll->next = NULL;
	*list->end = coll;
	list->end = &coll->next;
}

static inline struct coll *coll_list_take(struct coll_list *list)
{
	struct coll *coll = list->first;

	if (!coll)
		return NULL;
	list->first = coll->next;
	if (!list->first)
		list->end = &list->first;
	return coll;
}

/* The steps of an algorithm. */
struct coll_steps {
	/* Posts what a round moves; false if there is none. */
	bool (*begin)(struct engine *engine, struct coll *coll, uint32_t round);
	/* Works on what a round moved; or NULL. */
	void (*work)(struct coll *coll, uint32_t round);
	/* Bytes to be had beside the buffers; or NULL. */
	uint64_t (*temp)(const struct coll *coll);
};

/*
 * A descriptor with blocks for so many processes, or NULL if there is no
 * memory.  It can be used again when it is done.
 */
struct coll *coll_new(int size);
/* Sets all blocks to move nothing.  New blocks are undefined. */
void coll_blocks_clear(struct coll *coll);
void coll_free(struct coll *coll);

/* True if it ended in vain, and others may still read or write its buffers. */
bool coll_is_held(const struct coll *coll);

/*
 * coll_choose.c: the method for a collective for which nobody chose one.  Sets
 * `tuned` if it comes from a tree of the user's.
 */
struct coll_method coll_choose(const struct coll *coll, bool *tuned);
/* True if the collective can be done by that method. */
bool coll_method_fits(const struct coll *coll, struct coll_method method);

/*
 * Copies between buffers that may overlap, as those of a reduction in place do.
 */
static inline void coll_copy(void *to, const void *from, uint64_t bytes)
{
	const uint64_t apart = (uintptr_t)to - (uintptr_t)from;

	if (apart < bytes || -apart < bytes)
		memmove(to, from, bytes);
	else if (bytes)
		copy_here(to, from, bytes);
}

/* coll.c: for the algorithms; with the token. */
void coll_send(struct engine *engine, struct coll *coll, int to, const void *at,
	       uint64_t bytes);
void coll_recv(struct engine *engine, struct coll *coll, int from, void *at,
	       uint64_t bytes);

/*
 * The path clock (mds/mmds/path.h) goes where the data go: in a broadcast from
 * the root alone, in a reduction to the root alone.  Call these in the calling
 * thread.
 */
static inline void coll_path_begin(struct coll *coll)
{
	coll->path = coll->kind == COLL_BCAST && coll->rank != coll->root
			     ? 0
			     : path_now();
}

static inline void coll_path_add(struct coll *coll, uint64_t path)
{
	const int64_t more = (int64_t)(path - coll->path);

	coll->path += more > 0 ? (uint64_t)more : 0;
}

static inline void coll_path_end(const struct coll *coll)
{
	if (coll->kind != COLL_REDUCE || coll->rank == coll->root)
		path_join(coll->path);
}

/* bbm.c: in an exchange, copies the block that a process has for itself. */
void coll_keep_own(struct coll *coll);

/*
 * For coll_post.c: prepares a collective, and begins it if it goes by messages.
 */
void coll_prepare(struct coll *coll);
int coll_post_messages(struct engine *engine, struct coll *coll);
/* Ends a collective that waits for messages in vain, unless it just ended. */
void coll_end_in_vain(struct engine *engine, struct coll *coll, int culprit);
/* With the token: shows that it is done. */
void coll_finish(struct engine *engine, struct coll *coll);

/* With the token: moves on the collectives whose round is over. */
void coll_run(struct engine *engine);
/*
 * Without the token: does work that is too much for a slice.  Returns true if
 * there was any.
 */
bool coll_work(struct engine *engine, bool in_caller);

/* The number of pieces of a vector, and the piece of a round. */
static inline uint32_t coll_pieces(uint64_t bytes, uint64_t segment)
{
	return bytes == 0 || segment == 0
		       ? 1
		       : (uint32_t)((bytes + segment - 1) / segment);
}

static inline struct coll_block coll_piece(const unsigned char *at,
					   uint64_t bytes, uint64_t segment,
					   uint32_t i)
{
	const uint64_t begin = segment * i;
	const uint64_t left = bytes - begin;

	return (struct coll_block){ (unsigned char *)(uintptr_t)at + begin,
				    segment && segment < left ? segment : left,
				    true };
}

/* coll_tree.c: the shapes of trees, with ranks counted from the root. */
int coll_tree_parent(enum coll_algorithm algorithm, int node, int size);
int coll_tree_child(enum coll_algorithm algorithm, int node, int size, int i);

/*
 * coll_nodes.c: parent and children of this process by its method, as ranks;
 * -1: there is none.
 */
int coll_parent(const struct coll *coll);
int coll_child(const struct coll *coll, int i);

static inline int coll_node(const struct coll *coll)
{
	return (coll->rank - coll->root + coll->size) % coll->size;
}

static inline int coll_rank_of(const struct coll *coll, int node)
{
	return (node + coll->root) % coll->size;
}

/* Split-binary: which half of the data the node's tree carries, and with whom
 * it swaps halves; -1: with the root alone. */
int coll_split_half(int node);
int coll_split_mate(int node, int size);

/* rm.c and rm_nodes.c: folds, unless there are no bytes. */
static inline void coll_fold_run(const struct coll *coll, const void *in,
				 void *inout, uint64_t bytes)
{
	if (bytes)
		coll->fold->run(coll->fold, in, inout, bytes);
}

/* True if this process has the whole result in the end. */
static inline bool coll_keeps(const struct coll *coll)
{
	return coll->kind != COLL_REDUCE || coll->rank == coll->root;
}

/* The algorithms. */
extern const struct coll_steps bbm_barrier;
extern const struct coll_steps bbm_exchange;
extern const struct coll_steps bbm_pairwise;
extern const struct coll_steps bbm_ring;
extern const struct coll_steps bbm_tree;
extern const struct coll_steps bbm_split;
extern const struct coll_steps rm_linear;
extern const struct coll_steps rm_nodes;
extern const struct coll_steps rm_striped;
extern const struct coll_steps rm_tree;
extern const struct coll_steps rm_split;

#endif
