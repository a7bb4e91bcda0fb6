/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_OUTBOX_H
#define BCS_OUTBOX_H

/*
 * The Buffer Sender: puts descriptors into the inboxes of others, and keeps
 * what finds no room there.
 */
#include "libbcs/demand/base/state.h"

/*
 * False if the inbox is full.  The payload is crossed if there is as much
 * coming for this process at the same time.  Needs no token.
 */
bool outbox_put(struct engine *engine, uint32_t to,
		const struct board_cell *head, const void *payload,
		uint64_t n_payload, bool crossed);
/* With the token, as what follows: whenever there is room; without payload. */
void outbox_tell(struct engine *engine, uint32_t to,
		 const struct board_cell *head);
/* The same; with the payload of the send that it is for, unless NULL. */
void outbox_tell_later(struct engine *engine, uint32_t to,
		       const struct board_cell *head, struct op *op);
/* Whether nothing waits for room there: else all has to wait behind it. */
bool outbox_is_empty(struct engine *engine, uint32_t to);
/* As far as there is room by now. */
void outbox_flush(struct engine *engine);

#endif
