/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_AGAIN_OPEN_H
#define SHIM_AGAIN_OPEN_H

/*
 * Requests that receive from any source and are not over. Their sources go to
 * the schedule in the order in which the receives were posted: a source waits
 * here for those before it.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Requests that are known here. */
extern uint32_t again_n_open;

/* A receive was posted.  MPI_REQUEST_NULL: MPI refused it. */
void again_open_post(MPI_Request request);
/* A persistent receive was made. */
void again_open_make(MPI_Request request);
/* Starts a persistent receive.  Returns false if the request is none. */
bool again_open_start(MPI_Request request);
/* The number of an open receive, from 1 on; 0: it is none. */
uint64_t again_open_number(MPI_Request request);
/*
 * The receive is over.  `source` is what it received, as in the row of sources.
 */
void again_open_over(MPI_Request request, uint64_t source);
/* The program freed the request. */
void again_open_free(MPI_Request request);
/* Writes all sources; those of open receives are `rest`. */
void again_open_end(uint64_t rest);

#endif
