/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_AGAIN_H
#define SHIM_AGAIN_H

/*
 * Repeats a schedule.  BCS_RECORD=schedule records the outcomes that the
 * program does not determine.  These are the sources of receives and probes
 * from any source, and the answers of tests, of MPI_Waitany and the like.  With
 * BCS_REPLAY, each call gets the recorded answer.
 *
 * Both are entries of the table of calls (pmpi.h) above those of route/.  So
 * they serve messages of the scheduler and of MPI alike, and cost nothing
 * unless they are wanted.
 */

/*
 * After process_join and before route_start: reads the schedule to repeat.
 * Collective over the world.  Ends the program with status 2 if the schedule
 * cannot be used.
 */
void again_prepare(void);
/* After route_start. */
void again_start(void);
/* Before route_stop. */
void again_stop(void);

#endif
