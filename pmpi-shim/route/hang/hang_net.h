/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_NET_H
#define SHIM_HANG_NET_H

/*
 * Between nodes: a thread of each node's first process, which looks at the
 * board and speaks with the one of the first node.  Of all processes; the
 * others do nothing.
 */
void hang_net_start(void);
/* When no process waits for another any more. */
void hang_net_stop(void);

#define HANG_STOPS                                                    \
	"BCS_DEADLOCK=stop: these ranks are stopped, for a debugger " \
	"(kill -CONT lets them go on)"

#endif
