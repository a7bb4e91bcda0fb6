/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_KEPT_H
#define BCS_KEPT_H

/*
 * Messages that came before their receives, and room for what they carry.  A
 * process that keeps much of them says so, and others offer theirs then.  All
 * with the token.
 */
#include "libbcs/demand/base/state.h"

/* Room for the payload of a message, or NULL. */
unsigned char *kept_room_get(struct engine *engine, uint64_t bytes);
/* The message was received. */
void kept_message_free(struct engine *engine, struct message *message);
/* When the engine stops: those that nobody received, and all room. */
void kept_free(struct engine *engine);

#endif
