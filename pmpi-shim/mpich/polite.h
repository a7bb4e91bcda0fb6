/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_POLITE_H
#define SHIM_POLITE_H

/*
 * MPICH never gives up a core while it waits.  With more ranks than cores each
 * waits for the scheduler then, not for a message.  The preload stands between
 * MPICH and UCX, sees every turn in which a thread waited in vain, and gives
 * the core up in its place.
 */
#include <stdint.h>

#include "mds/settings/settings.h"

/*
 * The waiting time of the calling thread, in ticks. The recorder clears
 * `waiting` and `given_up` when a call begins, and sets `last` to that moment.
 * It reads the two at the end of the call.
 */
struct polite_thread {
	uint64_t moved;    /* turns in which MPI got further */
	uint64_t waiting;  /* in turns that progressed nothing */
	uint64_t given_up; /* the part of it without the core */
	uint64_t last;     /* waiting is accounted up to here; 0: not waiting */
	uint64_t turns;    /* in vain, in a row */
};

extern __thread struct polite_thread polite_thread
	__attribute__((tls_model("initial-exec")));

/* Totals of the process; `given_up` is in ticks. */
struct polite_stats {
	const char *state; /* "on", "off" or "unavailable" */
	uint64_t yields;   /* that let others run */
	uint64_t sleeps;
	uint64_t given_up; /* in both */
};

/*
 * Before MPI_Init, after clock_start: what holds until polite_decide is called,
 * as far as the launcher tells how many ranks this node has.
 */
void polite_start(enum settings_polite wish);

/*
 * After MPI_Init and some communication: this node's ranks and the cores that
 * they may use together, in thousandths.  Says so if the user wants what this
 * MPICH does not offer.
 */
void polite_decide(unsigned local_ranks, unsigned millicores);

/*
 * Sets the share of the core for the run of the program. Before that, since
 * polite_start, MPI also yields where it would not during the run. Other jobs
 * may need the core when a program starts or ends.
 */
void polite_share_run(void);
void polite_unhurried(void);

/* May be called from a signal handler. */
void polite_get(struct polite_stats *stats);

/*
 * How much of its waiting a thread may sleep, in sixteenths, 1 to 8; 0 to be
 * not polite at all.
 */
unsigned polite_share(enum settings_polite wish, unsigned local_ranks,
		      unsigned millicores);

#endif
