/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_TREE_H
#define BCS_FABRIC_TREE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/core/core.h"

/*
 * What a member asks of a set of members, down a binomial tree of messages: of
 * log n levels, of which each member sends and receives log n messages at most.
 * For fabric_net.c alone.  One question is under way at a time, of all members:
 * whoever asks holds the order.
 */
struct fabric_tree;

/*
 * Of the members of `comm`, which nothing else sends messages on; the memory is
 * this member's.  With MPI_THREAD_MULTIPLE a thread of its own serves, too.
 * 0 or -ENOMEM.  Nobody asks before all have started, nor when one stops, which
 * NULL is fine for.
 */
int fabric_tree_start(struct fabric_tree **tree_p, MPI_Comm comm,
		      unsigned char *memory);
void fabric_tree_stop(struct fabric_tree *tree);

/*
 * Takes what has come from other members and answers it; whether there was
 * any.  By any thread: one does, and the others find nothing.
 */
bool fabric_tree_serve(struct fabric_tree *tree);

/* Whether it holds on all of the set. */
bool fabric_tree_compare(struct fabric_tree *tree, const struct core_set *set,
			 const struct core_condition *condition);

/* Made on all of the set when it returns. */
void fabric_tree_assign(struct fabric_tree *tree, const struct core_set *set,
			const struct core_assignment *assignment);

#endif
