/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/strobe/base/strobe_arena.h"

#define LEAST_LOG2 6 /* bytes of the smallest, with what lies before it */

/* Before each block. */
struct place {
	uint64_t next;
	uint64_t class;
};

static struct place *place_at(unsigned char *memory, uint64_t block)
{
	return (struct place *)(memory + block - sizeof(struct place));
}

static unsigned class_of(uint64_t bytes)
{
	unsigned class = 0;

	while (bytes + sizeof(struct place) > UINT64_C(1)
						      << (class + LEAST_LOG2))
		class ++;
	return class;
}

static void sort_in(struct strobe_arena *arena, uint64_t block)
{
	struct place *place = place_at(arena->memory, block);

	place->next = arena->free[place->class];
	arena->free[place->class] = block;
}

static void take_returned(struct strobe_arena *arena)
{
	uint64_t block = atomic_exchange(&arena->returned->first, 0);
	uint64_t next;

	for (; block; block = next) {
		next = place_at(arena->memory, block)->next;
		sort_in(arena, block);
	}
}

static uint64_t take_new(struct strobe_arena *arena, unsigned class,
			 uint64_t spare)
{
	const uint64_t bytes = UINT64_C(1) << (class + LEAST_LOG2);
	uint64_t block;

	if (arena->end - arena->next < bytes + spare)
		return 0;
	block = arena->next + sizeof(struct place);
	place_at(arena->memory, block)->class = class;
	arena->next += bytes;
	return block;
}

uint64_t strobe_arena_get(struct strobe_arena *arena, uint64_t bytes,
			  uint64_t spare)
{
	const unsigned class = class_of(bytes);
	uint64_t block;

	if (class >= STROBE_CLASSES)
		return 0;
	if (!arena->free[class])
		take_returned(arena);
	block = arena->free[class];
	if (!block)
		return take_new(arena, class, spare);
	arena->free[class] = place_at(arena->memory, block)->next;
	return block;
}

void strobe_arena_put(unsigned char *memory, struct strobe_returned *returned,
		      uint64_t block)
{
	struct place *place = place_at(memory, block);

	place->next = atomic_load(&returned->first);
	while (!atomic_compare_exchange_weak(&returned->first, &place->next,
					     block))
		;
}
