/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_OUTBOX_H
#define BCS_OUTBOX_H

/*
 * The Buffer Sender: puts descriptors into the inboxes of others, and keeps
 * what finds no room there.
 */
#include "libbcs/demand/base/state.h"

/*
 * Puts a descriptor into an inbox; false if that is full.  The payload is
 * `both_ways` if as much is coming to this process at the same time.  Needs no
 * token.
 */
bool outbox_put(struct engine *engine, uint32_t to,
		const struct board_cell *head, const void *payload,
		uint64_t n_payload, bool both_ways);
/* This and the functions below need the token.  Sends a descriptor without
 * payload, now or when there is room. */
void outbox_tell(struct engine *engine, uint32_t to,
		 const struct board_cell *head);
/* Queues a descriptor until there is room.  The payload is that of the send
 * `op`, which is done then; NULL: none. */
void outbox_tell_later(struct engine *engine, uint32_t to,
		       const struct board_cell *head, struct op *op);
/* True if nothing is queued for that process.  Otherwise a new descriptor has
 * to queue, too, to keep the order. */
bool outbox_is_empty(struct engine *engine, uint32_t to);
/* Sends all that is queued, as far as there is room by now. */
void outbox_flush(struct engine *engine);

#endif
