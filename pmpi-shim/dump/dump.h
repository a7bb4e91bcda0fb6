/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_DUMP_H
#define SHIM_DUMP_H

#include <stdbool.h>

/*
 * The process ends: writes its file of the record, as far as it got, in place
 * of an earlier one.  May be called from a signal handler; calls no MPI.
 * `reason` is what FORMAT.md says; the first stands, but for a crash after
 * MPI_Finalize.  Does nothing in a fork, or where nothing is recorded.
 */
void dump_write(const char *reason);

/*
 * Asks for a record from a process that goes on; does nothing if it has ended.
 */
void dump_request(void);

/* Likewise, in case that nothing can be written later. */
void dump_save(void);

/* The process goes on after what was taken for its end. */
void dump_take_back(void);

/* Whether a file is written at all. */
bool dump_is_wanted(void);

/* Recording begins, and what was asked for before is written now. */
void dump_begin(void);

/*
 * Makes the other processes of this node write theirs, and waits a moment until
 * they did: this one's end will be theirs.  May be called from a signal
 * handler.
 */
void dump_alarm(void);

/* From MPI_Init on, fatal signals write the record; the dump signal too. */
void dump_signals_start(void);

#endif
