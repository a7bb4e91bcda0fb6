/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_THREAD_LEVEL_H
#define SHIM_THREAD_LEVEL_H

/*
 * Finds threads that call MPI though the program's thread level forbids it: at
 * a thread's first call, and at one in MMDS_SAMPLE of its calls.
 */
#include "pmpi-shim/shim.h"

/* In MPI_Init, of the thread that calls it. */
void thread_level_start(void);

/*
 * True if a thread that may not call MPI makes a call that any thread may make.
 * The call is not recorded, so that the thread's first recorded call is looked
 * at.
 */
bool thread_level_leaves_out(enum shim_call call);

/* A thread makes its first recorded call; the addresses are the wrapper's. */
void thread_level_look(struct mmds_thread *thread, enum shim_call call,
		       const void *ra, const void *fa);

/*
 * The record is about to be written by this thread, which may be in a call: the
 * program may end for two at a time.  Takes no lock.
 */
void thread_level_look_now(void);

/* The cell of a call that the thread is about to make. */
uint64_t thread_level_key(struct mmds_thread *thread, enum shim_call call,
			  const void *ra, const void *fa);

#endif
