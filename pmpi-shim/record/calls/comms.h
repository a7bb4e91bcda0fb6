/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_COMMS_H
#define SHIM_COMMS_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "mds/mmds/mmds.h"

/*
 * The ranks that a process of a topology receives from and sends to;
 * MPI_PROC_NULL stands for none.  The caller frees both.
 */
struct shim_neighbors {
	int n_in;
	int n_out;
	int *in;
	int *out;
};

/*
 * A communicator as we know it.  Its row in the record has a number that all
 * its members find without talking to each other.  The number is made of a hash
 * over the members, and of how many communicators of the same members there are
 * at the time.  All members make them in the same order.  The row of a freed
 * communicator is used again by the next one of the same members.  So a program
 * that makes and frees them again and again has one line for them all.
 */
struct shim_comm {
	uint32_t row;
	int rank;
	int size;
	int remote_size; /* 0: an intracommunicator */
	/* Neighbours, where it has a topology; asked for when first needed. */
	bool topology_known;
	struct shim_neighbors neighbors;
};

struct record_writer;

/*
 * Rows of communicators that were looked up lately, below their handles.  Each
 * has one place; 0 is no handle.
 */
#define SHIM_COMM_RECENT   64
#define SHIM_COMM_ROW_BITS 20
extern _Atomic uint64_t shim_comm_recent[SHIM_COMM_RECENT];

static inline _Atomic uint64_t *shim_comm_place(MPI_Comm comm)
{
	const uint64_t handle = abi_handle_word(comm);

	return &shim_comm_recent[(handle ^ handle >> 25) % SHIM_COMM_RECENT];
}

uint32_t shim_comm_row_slow(MPI_Comm comm);

/* The row of a communicator that was met before, else MMDS_NONE. */
static inline uint32_t shim_comm_row(MPI_Comm comm)
{
	/* The whole answer is in the word: no order with others is needed. */
	const uint64_t recent = atomic_load_explicit(shim_comm_place(comm),
						     memory_order_relaxed);

	if (__builtin_expect(
		    recent >> SHIM_COMM_ROW_BITS == abi_handle_word(comm), 1))
		return recent & ((1u << SHIM_COMM_ROW_BITS) - 1);
	return shim_comm_row_slow(comm);
}

/*
 * NULL if there was no room for it.  The handle must be good.  Any thread;
 * inside of a recorded call only, as all of these.
 */
struct shim_comm *shim_comm_known(MPI_Comm comm);
/*
 * Never NULL: one stands for all that found no room.  Its rank is none, and it
 * has no members: nothing is to be read for them of what the program gave.
 */
const struct shim_comm *shim_comm_get(MPI_Comm comm);

/* A communicator was made: all its members come here in the same order. */
void shim_comm_made(MPI_Comm comm);
/*
 * Meets a communicator that cannot be asked yet, but has the members of
 * `parent`.
 */
void shim_comm_made_like(MPI_Comm comm, MPI_Comm parent);
/*
 * Before and after a call that frees a communicator: what is known of the
 * handle, or NULL, and that MPI freed it.  Another thread may have been given
 * the handle in between; its entry is left alone.
 */
struct shim_comm *shim_comm_met(MPI_Comm comm);
void shim_comm_gone(MPI_Comm comm, struct shim_comm *was);
void shim_comm_named(MPI_Comm comm, const char *name);

/* The rank in MPI_COMM_WORLD of a rank of the communicator's other side. */
uint32_t shim_comm_world_rank(MPI_Comm comm, int rank);

/*
 * Asks MPI for the neighbours of this process, whose rank is `rank`; none
 * without a topology.  False if there is no memory.
 */
bool shim_neighbors_ask(MPI_Comm comm, int rank, struct shim_neighbors *found);

/* Windows count with the communicator that they were made of. */
void shim_win_made(MPI_Win win, MPI_Comm comm);
/* Before and after MPI_Win_free, as of communicators; 0: nothing is known. */
uint64_t shim_win_met(MPI_Win win);
void shim_win_gone(MPI_Win win, uint64_t was);
uint32_t shim_win_row(MPI_Win win);
uint32_t shim_win_world_rank(MPI_Win win, int rank);

/* Writes the table `communicators`; from a signal handler too. */
void shim_comms_write(struct record_writer *writer);

/* The ranks in one group of all of another, to be freed; NULL: no memory. */
int *shim_ranks_in(MPI_Group in, MPI_Group group, int size);

#endif
