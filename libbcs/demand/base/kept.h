/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_KEPT_H
#define BCS_KEPT_H

/*
 * Messages that came before their receives, and room for their payloads.  A
 * process that keeps many bytes shows it, and others then offer their messages.
 * All functions need the token.
 */
#include "libbcs/demand/base/state.h"

/* Room for the payload of a message, or NULL. */
unsigned char *kept_room_get(struct engine *engine, uint64_t bytes);
/* Frees a message that was received. */
void kept_message_free(struct engine *engine, struct message *message);
/*
 * Call it when the engine stops: frees messages that nobody received, and all
 * room.
 */
void kept_free(struct engine *engine);

#endif
