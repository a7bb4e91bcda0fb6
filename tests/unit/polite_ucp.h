/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_POLITE_UCP_H
#define TESTS_POLITE_UCP_H

/*
 * Stands in for UCX: each turn is counted, does its work if there is any, and
 * brings what was asked for.
 */
extern unsigned polite_ucp_done;
extern unsigned long polite_ucp_turns;
extern void (*polite_ucp_work)(void);

/*
 * Stands in for MPICH: a turn with its lock held.  `inside` is called before it
 * is let go.
 */
unsigned polite_mpich_turn(void (*inside)(void));

#endif
