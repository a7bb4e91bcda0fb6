/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_NET_H
#define SHIM_HANG_NET_H

/*
 * The search between nodes.  A thread of each node's first process looks at the
 * board, and talks to the thread of the first node.
 */

/* All processes call both; the second when none waits for another any more. */
void hang_net_start(void);
void hang_net_stop(void);

#define HANG_STOPS                                                    \
	"BCS_DEADLOCK=stop: these ranks are stopped, for a debugger " \
	"(kill -CONT lets them go on)"

#endif
