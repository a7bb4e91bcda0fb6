/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_DUMP_NOW_H
#define SHIM_DUMP_NOW_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/mmds/mmds.h"

struct record_writer;

/*
 * Writes the table `now`: the call that each thread is in, and where that waits
 * for requests, the transfers and collectives that it waits for.  From a signal
 * handler too.
 */
void dump_now_write(struct record_writer *writer);

#define DUMP_NOW_WAITS 16

/* A transfer or a collective that a call waits for. */
struct dump_wait {
	bool is_send;
	bool is_coll; /* without peer and tag */
	uint64_t key; /* of the call that began it */
	int peer;
	int tag;
	uint32_t comm; /* its row, or MMDS_NONE */
};

/*
 * The requests that a thread's call waits for, at most DUMP_NOW_WAITS; the
 * collectives only if no transfer is open.  From any thread, and from a signal
 * handler.  Returns how many there are.
 */
size_t dump_now_waits(const struct mmds_frame *now,
		      struct dump_wait waits[DUMP_NOW_WAITS]);

/*
 * Whether a request that we schedule is ready, so that nobody waits for it. The
 * route to the scheduler sets it; NULL: nothing is scheduled.
 */
extern bool (*dump_now_is_ready)(MPI_Request handle);

#endif
