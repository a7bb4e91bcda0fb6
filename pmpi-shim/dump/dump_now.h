/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_DUMP_NOW_H
#define SHIM_DUMP_NOW_H

#include <mpi.h>
#include <stdbool.h>

struct record_writer;

/*
 * Writes the table `now`: the call that each thread is in, and where that waits
 * for requests, the transfers that it waits for.  From a signal handler too.
 */
void dump_now_write(struct record_writer *writer);

/*
 * Whether a request that we schedule is ready, so that nobody waits for it. The
 * route to the scheduler sets it; NULL: nothing is scheduled.
 */
extern bool (*dump_now_is_ready)(MPI_Request handle);

#endif
