/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_AGAIN_PARTS_H
#define SHIM_AGAIN_PARTS_H

/* Functions that the files of again/ share. */
#include <stdbool.h>

#include "mds/schedule/schedule.h"
#include "pmpi-shim/shim.h"

/* again_counts.c: the calling thread is the one whose calls count. */
void again_threads(void);
/* True if this thread's calls count; all do below MPI_THREAD_MULTIPLE. */
bool again_thread_counts(void);
extern bool again_counts_all;
extern bool again_serves[SHIM_N_CALLS]; /* calls with entries here */

/*
 * True in a call of the program's own, from such a thread. False where MPI
 * itself calls MPI, as MPI-IO does.
 */
static inline bool again_counts(void)
{
	const struct mmds_thread *thread = mmds_thread;

	if (thread && thread->inside && !again_serves[thread->now->call])
		return false;
	return again_counts_all || again_thread_counts();
}

/* again_record.c; again_record_stop is called before the file ends. */
void again_record_start(void);
void again_record_stop(void);
/* The table of calls below the entries that record. */
extern struct shim_pmpi again_recorded;
/* again_record_done.c, after again_record_start */
void again_record_done_install(struct shim_pmpi *table);

/* The status to give to a call, if the program ignores it. */
static inline MPI_Status *again_status(MPI_Status *status, MPI_Status *own)
{
	return status == MPI_STATUS_IGNORE ? own : status;
}

/*
 * The message that a call with that answer received, as in the row of sources.
 */
uint64_t again_record_source(int rc, const MPI_Status *status);

/*
 * again_told.c: the schedule that is repeated. NULL, or one line that says why
 * it cannot be had.
 */
const char *again_told_open(const char *dir);
bool again_told_is_there(void);
/* The program ends: its schedule must have ended, too. */
void again_told_end(void);
/*
 * The recorded outcome of the program's current call. False if there is none,
 * and the call takes its own way.
 */
bool again_told(enum shim_call call, struct schedule_outcome *outcome);
/* The recorded source of the receive that is posted now. */
uint64_t again_told_source(void);
/* The recorded slice of the next descriptor; UINT64_MAX: there is none. */
uint64_t again_told_slice(void);
/* The next element of the outcome's list. */
uint64_t again_told_listed(void);
/* The recorded outcome does not fit the call. */
void again_told_misfits(const struct schedule_outcome *outcome,
			enum shim_call call);

/* again_slices.c: collective over the world. */
void again_slices_start(bool records, bool repeats);
void again_slices_stop(void);

/* again_replay.c: the rest of what repeats is in again_replay.h. */
void again_replay_start(void);
void again_replay_stop(void);

#endif
