/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FOLD_ORDER_H
#define BCS_FOLD_ORDER_H

/*
 * The order in which a reduction's contributions are folded.  The order is
 * MPICH's (4.0.2, with its defaults), so that a program gets the same bits as
 * without the preload.  fold_order.c knows MPICH's choices and makes trees of
 * them.  fold_run.c folds by such a tree the contributions that one process can
 * reach.
 *
 * MPICH folds `inout` = `in` op `inout`, where `in` was received.  With an
 * operation that commutes, `inout` is the receiver's own.  Left and right then
 * depend on the process that folds: on the "view".
 */
#include <stdbool.h>
#include <stdint.h>

struct coll;

enum fold_shape {
	FOLD_BY_RANK,  /* a op (b op (c op d)): not MPICH's */
	FOLD_ODD,      /* pairs by powers of two; extra ones join odd ranks, */
	FOLD_EVEN,     /* or even ranks */
	FOLD_BINOMIAL, /* pairs by powers of two, the last ones incomplete */
	FOLD_CHAIN,    /* own, then the one before, and so on */
	FOLD_SCAN,
	FOLD_EXSCAN,
};

/* Over `n` members: ranks, the ranks of a node, or nodes. */
struct fold_tree {
	enum fold_shape shape;
	bool down;      /* the largest distance comes first */
	bool blocks;    /* each block of elements has a view of its own; */
	bool rest_last; /* what is left over is the last block's */
	bool ordered;   /* lower ranks are always on the left */
	bool of_nodes;
	int node; /* whose ranks they are; -1: not of a node */
	int n;
	int first; /* members count from this one */
	int own;   /* member that the sum is for */
};

struct fold_order {
	struct fold_tree top;
	struct fold_tree last; /* `leads`: of the root's node, comes last */
	bool by_node;
	bool leads; /* the first rank there stands for all other nodes */
};

/* Makes the order of a collective, for this process. */
void fold_order_make(struct fold_order *order, const struct coll *coll);
/* A node's tree, whose sum goes to the next level. */
struct fold_tree fold_order_node(const struct coll *coll, int node);

/*
 * For a reduction of two processes by an operation of MPI's that commutes.
 * Returns how many bytes, from the first, have rank 0's contribution on the
 * right.  The others have rank 1's.
 */
uint64_t fold_order_two(const struct coll *coll);
/*
 * True for such a reduction, which is folded in one go.  No sum lies anywhere
 * else.
 */
bool fold_order_is_of_two(const struct coll *coll);

static inline int fold_log2(int n)
{
	return 31 - __builtin_clz((unsigned)n);
}

/* Members beyond a power of two. */
static inline int fold_extra(const struct fold_tree *tree)
{
	return tree->n - (1 << fold_log2(tree->n));
}

/* Place of a member among those that are left when extra ones have joined. */
static inline unsigned fold_place(const struct fold_tree *tree, int member)
{
	const int extra = fold_extra(tree);

	return (unsigned)(member < 2 * extra ? member / 2 : member - extra);
}

/* Where a contribution or a sum lies; `ours`: it may be overwritten. */
struct fold_part {
	unsigned char *at;
	bool ours;
};

struct fold_run {
	const struct coll *coll;
	/* Where a rank's contribution lies. */
	struct fold_part (*part)(const struct fold_run *run, int rank);
	struct fold_part own; /* for it: this process's */
	/* Where a node's sum lies; NULL: it is folded here. */
	struct fold_part (*sum)(const struct fold_run *run, int node);
	bool subtrees;  /* a node's sum has those below it in the tree, too */
	uint64_t base;  /* bytes of the vector before what is there */
	uint64_t bytes; /* what is there */
	unsigned char *at; /* the result; may be exactly a contribution */
	/* Room for sums where contributions are not ours: each as large. */
	unsigned char *rooms;
	unsigned char *spare; /* and for one more */
	uint64_t room_bytes;

	/* fold_run.c's. */
	const struct fold_order *order;
	const struct fold_tree *tree; /* NULL: the whole order */
	unsigned from;                /* root of the part of the tree */
	unsigned view;
	unsigned n_rooms;
	uint64_t begin;
	uint64_t now;
};

/* Sums as deep as a tree of 64 leaves needs rooms at the same time. */
#define FOLD_ROOMS 8

void fold_order_run(struct fold_run *run);
/* Folds by a tree alone. */
void fold_order_run_tree(struct fold_run *run, const struct fold_tree *tree);
/* Folds the sums of node `from` and of those below it in the tree of nodes. */
void fold_order_run_subtree(struct fold_run *run,
			    const struct fold_order *order, unsigned from);
/*
 * Folds two sums of a vector's bytes from `base` on.  They are of the two
 * halves of a group of 2 << bit members.  With bit -1 they are of two members
 * that join.  `mine` becomes the sum of both.  `theirs` is undefined then.
 */
void fold_order_meet(const struct coll *coll, int bit, uint64_t base,
		     uint64_t bytes, unsigned char *mine,
		     unsigned char *theirs);

#endif
