/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_BUFFER_CALLS_H
#define SHIM_BUFFER_CALLS_H

/*
 * For the functions that gen_buffers.py writes.  They stand in the table of
 * MPI's functions and look at the program's buffers: whether they are long
 * enough (buffers.h), and where they are used again (reuse.h).  How many
 * elements a buffer has depends on the call's peer, its message or its
 * communicator.
 */
#include <stddef.h>

#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/buffers/buffers.h"

/* The wrapper's frame pointer, in a function that the wrapper calls. */
#define BUFFER_CALLER (*(void *const *)__builtin_frame_address(0))

/*
 * Before and after MPI's call: built-in types are checked before it, others
 * after it, if MPI took them.  `ends` if the call is a blocking one.
 */
void buffer_before(enum buffer_use use, const void *fp, const void *at,
		   MPI_Count count, MPI_Datatype type);
void buffer_behind(int rc, bool ends, enum buffer_use use, const void *fp,
		   const void *at, MPI_Count count, MPI_Datatype type);

void buffer_behind_bcast(int rc, MPI_Comm comm, int root, const void *fp,
			 const void *at, MPI_Count count, MPI_Datatype type);

/* The same where only MPI knows the count. */
void buffer_given(const void *one, const void *other);
void buffer_found(bool ends, enum buffer_use use, const void *fp,
		  const void *at, MPI_Count count, MPI_Datatype type);

/* `count`, or 0 where MPI does not use the buffer. */
static inline MPI_Count buffer_of_peer(int peer, MPI_Count count)
{
	return peer == MPI_PROC_NULL ? 0 : count;
}

MPI_Count buffer_of_message(const MPI_Message *message, MPI_Count count);

/*
 * Numbers of blocks that the buffers of a collective may have at this process.
 * All are 0 after an error and on an intercommunicator.
 */
struct buffer_blocks {
	MPI_Count one;
	MPI_Count each;    /* one for each rank */
	MPI_Count root;    /* one, at the root alone */
	MPI_Count at_root; /* one for each rank, at the root alone */
	MPI_Count later;   /* one, but none at the first rank */
	int rank;
};

struct buffer_blocks buffer_blocks(int rc, MPI_Comm comm, int root);

/*
 * Looks at a buffer of n blocks, where they lie: the address may be another
 * variable's.  Not where MPI reads no counts.
 */
void buffer_parts_found(bool ends, enum buffer_use use, const void *fp,
			const void *at, const int *counts, const int *displs,
			MPI_Count n, MPI_Datatype type);
void buffer_parts_found_c(bool ends, enum buffer_use use, const void *fp,
			  const void *at, const MPI_Count *counts,
			  const MPI_Aint *displs, MPI_Count n,
			  MPI_Datatype type);
MPI_Count buffer_sum(const int *counts, MPI_Count n);
MPI_Count buffer_sum_c(const MPI_Count *counts, MPI_Count n);

/* Put functions into the table: these; and those of calls with other buffers,
 * which are only opened. */
void buffer_calls_install(void);
void buffer_calls_install_others(void);

#endif
