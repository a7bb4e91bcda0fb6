/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ROUSE_H
#define BCS_ROUSE_H

/*
 * Wakes the thread that takes descriptors for another process: its helper, or
 * the leader here if that process is on another node.
 *
 * To wake a helper takes 5 us, or 40 us if its core sleeps.  A wake may be
 * deferred: it waits until the helper here runs next, or until a thread here
 * has waited for long.  In an exchange both sides offer at nearly the same
 * time, and the first has mostly woken the helper of the second.  A deferred
 * wake then delays no message.  Without it each side pays for a wake.
 */
#include "libbcs/demand/base/state.h"

/* Wakes now: the peer has something to do, and may be computing. */
void rouse_peer(struct engine *engine, uint32_t peer);
/* Defers the wake if the helper here is awake and the peer, on this node, is
 * not blocked.  Otherwise wakes now. */
void rouse_later(struct engine *engine, uint32_t peer);
/* Makes the deferred wakes. */
void rouse_deferred(struct engine *engine);
/* Wakes the leader: a descriptor is at the gateway. */
void rouse_leader(struct engine *engine);

#endif
