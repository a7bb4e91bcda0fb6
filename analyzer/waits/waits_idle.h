/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_IDLE_H
#define BCS_WAITS_IDLE_H

#include "analyzer/waits/waits_thread.h"

/*
 * How long cores were idle because threads waited in calls, where there are
 * more threads than cores.  A thread that does not wait is taken to want a
 * core. So what calls in another form gain is bounded: a host does the same
 * work with all of its cores.
 */
struct waits_idle;

/* On hosts of so many cores. */
struct waits_idle *waits_idle_new(uint64_t cores);
void waits_idle_free(struct waits_idle *idle);

/*
 * The thread's last call is complete.  It waits until call.wait_to; or with
 * `whole`, until its end.
 */
void waits_idle_call(struct waits_idle *idle, struct waits_thread *thread,
		     bool whole);
/* The thread has no more calls. */
void waits_idle_end(struct waits_idle *idle, struct waits_thread *thread);

/* By how much a run without idle cores is shorter, in ns. */
uint64_t waits_idle_gain(struct waits_idle *idle);

#endif
