/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The seal between slices.  A descriptor is posted by one compare-and-swap of a
 * word that counts seals, too.  So a thread that posts after the seal of a
 * slice has seen the seal.  Its descriptor carries at least the number of that
 * slice.  A slice takes the descriptors with an older number: every observer
 * sees the same ones.
 */
#include "libbcs/strobe/base/strobe_board.h"

#define SEAL (UINT64_C(1) << 32)

void strobe_ring_post(struct strobe_ring *ring, _Atomic uint64_t *sealed,
		      struct strobe_descriptor *descriptor)
{
	const uint64_t now = descriptor->slice;
	uint64_t tail = atomic_load(&ring->tail);
	uint32_t place;
	uint64_t least;

	do {
		place = (uint32_t)tail;
		least = atomic_load(sealed);
		descriptor->slice = now > least ? now : least;
		ring->descriptors[place % STROBE_RING] = *descriptor;
	} while (!atomic_compare_exchange_strong(
		&ring->tail, &tail,
		(tail & ~(SEAL - 1)) | (uint32_t)(place + 1)));
}

uint32_t strobe_ring_seal(struct strobe_ring *ring)
{
	ring->sure = ring->before;
	ring->before = ring->end;
	ring->end = (uint32_t)atomic_fetch_add(&ring->tail, SEAL);
	return ring->end;
}

const struct strobe_descriptor *strobe_ring_next(struct strobe_ring *ring,
						 uint32_t end, uint64_t slice)
{
	const uint32_t at = atomic_load_explicit(&ring->taken,
						 memory_order_relaxed);
	const struct strobe_descriptor
		*next = &ring->descriptors[at % STROBE_RING];

	if (at == end)
		return NULL;
	return next->slice < slice || (int32_t)(ring->sure - at) > 0 ? next
								     : NULL;
}

void strobe_ring_took(struct strobe_ring *ring, uint64_t slice)
{
	ring->descriptors[atomic_load(&ring->taken) % STROBE_RING]
		.slice = slice;
}

void strobe_ring_take(struct strobe_ring *ring)
{
	atomic_fetch_add(&ring->taken, 1);
}

bool strobe_ring_is_empty(struct strobe_ring *ring)
{
	return (uint32_t)atomic_load(&ring->tail) == atomic_load(&ring->taken);
}
