/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_EVENTS_H
#define SHIM_EVENTS_H

/*
 * The trace of this process (mds/trace/trace.h): where it begins and ends, and
 * what calls and requests leave in it.
 */
#include <mpi.h>
#include <stdbool.h>

#include "mds/mmds/mmds.h"
#include "mds/trace/trace.h"

struct shim_pending;
struct shim_place;

/* Once, before the first call is recorded; does nothing without BCS_TRACE. */
void events_start(void);
/* Waits shortly until earlier events are in the file; async-signal-safe. */
void events_flush(void);
/* Writes the remaining events and ends the trace. */
void events_stop(void);
bool events_are_on(void);

/* Gives a thread its ring.  `is_new`: these are its first calls. */
void events_thread(struct mmds_thread *thread, bool is_new);

/* MPI_Init and MPI_Finalize, which are outside of the account. */
void events_outside(unsigned call, uint64_t start, uint64_t end);
/* A phase begins or ends, recording goes off or on. */
void events_moment(enum trace_kind kind);

/* Whether the thread's calls go to a trace; the functions below need it. */
static inline bool events_are_wanted(const struct mmds_frame *f)
{
	return __builtin_expect(f->thread->ring != NULL, 0);
}

/* A recorded call begins. */
void events_enter(struct mmds_frame *f);
/* A recorded call is over. */
void events_call(struct mmds_frame *f);
/* Items of the call that is under way. */
void events_sent(struct mmds_frame *f, uint32_t comm, int dest, int tag,
		 uint64_t bytes, uint64_t request);
void events_came(struct mmds_frame *f, uint32_t comm, const MPI_Status *status,
		 uint64_t request);
/* A persistent request was started. */
void events_started(struct mmds_frame *f, const struct shim_place *place);
/* A request ended: with what came, or, if `status` is NULL, with nothing. */
void events_ended(struct mmds_frame *f, const struct shim_pending *pending,
		  const MPI_Status *status);

#endif
