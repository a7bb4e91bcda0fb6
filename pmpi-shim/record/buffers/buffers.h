/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_BUFFERS_H
#define SHIM_BUFFERS_H

/*
 * Which variables of the program its calls name as buffers, for the table
 * `buffers` of the record.  The reader finds in the program's debug data how
 * long they are and what they hold.  Only where BCS_STRICT has `buffers`.
 */
#include <mpi.h>
#include <stdint.h>

enum buffer_use { BUFFER_SENT, BUFFER_RECEIVED };

/* Once, before anything changes the table of MPI's functions. */
void buffers_prepare(void);
/* Once, behind all that changes it. */
void buffers_start(void);

/* Bytes from the first, at `*lb` from the buffer, to the last; 0: unknown. */
uint64_t buffers_span(MPI_Count count, MPI_Datatype type, MPI_Aint *lb);

/*
 * A call of the calling thread has such a buffer.  `fp` is the frame pointer
 * that its wrapper had.  The type has to be good.
 */
void buffers_look(enum buffer_use use, const void *fp, const void *at,
		  MPI_Count count, MPI_Datatype type);

struct record_writer;

/* Writes the table; from a signal handler, too. */
void buffers_write(struct record_writer *writer);

#endif
