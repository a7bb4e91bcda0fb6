/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_REUSE_H
#define SHIM_REUSE_H

/*
 * Where the program first uses a buffer again after a blocking call, and how
 * long it computed until then, for the table `reuses` of the record.  A use of
 * a buffer that was sent is a write to it.  So far can the wait for a
 * nonblocking form of the call move.  Only with BCS_ADVISE.
 */
#include <mpi.h>
#include <stdbool.h>

#include "pmpi-shim/record/buffers/buffers.h"

/* Before MPI's initialization, and after it. */
void reuse_prepare(void);
void reuse_start(void);
/* True from then on, unless it cannot be had. */
extern bool reuse_is_looked_for;

/* A call is about to get such a buffer. */
void reuse_given(enum buffer_use use, const void *at, MPI_Count count,
		 MPI_Datatype type);
/* The same, of one or two buffers of unknown length. */
void reuse_given_at(const void *one, const void *other);

/* A blocking call with that buffer is over. */
void reuse_look(enum buffer_use use, const void *at, MPI_Count count,
		MPI_Datatype type);

/* Other processes may reach into the program's memory from now on. */
void reuse_stop(void);

struct record_writer;

/* Writes the table; from a signal handler, too. */
void reuse_write(struct record_writer *writer);

#endif
