/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ROUSE_H
#define BCS_ROUSE_H

/*
 * Wakes whoever takes what was put for another process: its helper, or the
 * leader if it is on another node.
 *
 * A wake may be deferred: it is owed until the helper here runs next, or a
 * thread here has waited for long.  In an exchange both sides offer at nearly
 * the same time, and the second was mostly woken by the first.  To wake a
 * helper takes 5 us, or 40 us where its core sleeps; so a deferred wake takes
 * that off the way of a message, and without it each side pays it.
 */
#include "libbcs/demand/base/state.h"

/* Another process has something to get on with, which may be computing. */
void rouse_peer(struct engine *engine, uint32_t peer);
/* It is enough if the helper here does so next, or who waits long. */
void rouse_later(struct engine *engine, uint32_t peer);
/* Wakes those that are owed it. */
void rouse_owed(struct engine *engine);
/* Something is at the gateway. */
void rouse_leader(struct engine *engine);

#endif
