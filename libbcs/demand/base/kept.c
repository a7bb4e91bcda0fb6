/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "libbcs/demand/base/kept.h"

/* Rooms of this size are kept: free() would give their pages back to the
 * system, and the next message would fault them in again. */
static bool is_large(uint64_t bytes)
{
	return bytes > BOARD_INLINE / 2;
}

static void kept_change(struct engine *engine, uint64_t by)
{
	uint32_t behind;

	engine->kept += by;
	behind = engine->kept > ENGINE_ROOMS * BOARD_INLINE;
	if (behind !=
	    atomic_load_explicit(&engine->slot->backlog, memory_order_relaxed))
		atomic_store_explicit(&engine->slot->backlog, behind,
				      memory_order_relaxed);
}

unsigned char *kept_room_get(struct engine *engine, uint64_t bytes)
{
	unsigned char *room;

	if (is_large(bytes) && engine->n_rooms)
		room = engine->rooms[--engine->n_rooms];
	else
		room = malloc(is_large(bytes) ? BOARD_INLINE : bytes);
	if (room)
		kept_change(engine, bytes);
	return room;
}

static void room_put(struct engine *engine, unsigned char *room, uint64_t bytes)
{
	kept_change(engine, -bytes);
	if (is_large(bytes) && engine->n_rooms < ENGINE_ROOMS)
		engine->rooms[engine->n_rooms++] = room;
	else
		free(room);
}

void kept_message_free(struct engine *engine, struct message *message)
{
	if (message->payload != message->few)
		room_put(engine, message->payload, message->head.bytes);
	if (engine->spare)
		free(message);
	else
		engine->spare = message;
}

static void messages_free(struct engine *engine)
{
	struct match_message *left;

	while ((left = match_next_unexpected(engine->match, NULL))) {
		match_withdraw(engine->match, left);
		kept_message_free(engine, (struct message *)left);
	}
}

void kept_free(struct engine *engine)
{
	if (engine->match)
		messages_free(engine);
	while (engine->n_rooms)
		free(engine->rooms[--engine->n_rooms]);
	free(engine->spare);
}
