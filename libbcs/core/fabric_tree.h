/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_TREE_H
#define BCS_FABRIC_TREE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/core/core.h"

/*
 * Asks members some questions down a binomial tree of messages.  It has
 * log n levels; a member sends and receives at most log n messages.  Only
 * fabric_net.c uses it, and only the member that holds the order asks.  So it
 * asks once at a time.
 */
struct fabric_tree;

/*
 * Starts a tree of the members of `comm`, on which nothing else may send.
 * `memory` is this member's global memory.  With MPI_THREAD_MULTIPLE a thread
 * of the tree serves questions, too.  Returns 0 or -ENOMEM.
 *
 * Ask only between the last member's start and the first member's stop.
 * Stopping NULL is fine.
 */
int fabric_tree_start(struct fabric_tree **tree_p, MPI_Comm comm,
		      unsigned char *memory);
void fabric_tree_stop(struct fabric_tree *tree);

/*
 * Takes one message of another member and handles it; false if there was none.
 * Any thread may call it; one at a time does the work, others return false.
 */
bool fabric_tree_serve(struct fabric_tree *tree);

/* Sets `holds` of each: the condition holds on all of its set. */
void fabric_tree_compare(struct fabric_tree *tree, struct core_query *queries,
			 uint32_t n);

/* The assignments of those that hold are made when this returns. */
void fabric_tree_assign(struct fabric_tree *tree,
			const struct core_query *queries, uint32_t n);

#endif
