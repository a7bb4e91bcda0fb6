/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FLIGHT_RING_H
#define BCS_FLIGHT_RING_H

#include <stdbool.h>
#include <stdint.h>

/* The part of the flight recorder (flight.h) that a thread of the program
 * writes. */
#define FLIGHT_NO_COMM UINT16_MAX
#define FLIGHT_UNTIMED (-1.0f)

/* An entry of a ring. */
struct flight_call {
	uint64_t start; /* ticks; 0: not read, as of most posting calls */
	uint32_t path;
	uint16_t call;
	uint16_t comm; /* row of a communicator; FLIGHT_NO_COMM */
	int32_t peer;  /* peer and tag as MPI gives them */
	int32_t tag;
	uint32_t bytes; /* at most UINT32_MAX */
	float took;     /* ticks; 0: the thread is in it; FLIGHT_UNTIMED */
};

struct flight_thread;

/*
 * A thread's ring: `n` calls, a power of two.  False if there is none left.
 * The caller serializes these calls.
 */
struct flight_ring {
	uint64_t *entered;
	struct flight_call *calls;
	struct flight_call *end;
	struct flight_thread *row; /* NULL: not in the file */
};
bool flight_ring_take(struct flight_ring *ring, unsigned id);

/* Shows the entry of the next call to readers. */
static inline void flight_ring_show(const struct flight_ring *ring)
{
	/* Orders the entry before the number that shows it. */
	__atomic_store_n(ring->entered, *ring->entered + 1, __ATOMIC_RELEASE);
}

/* A call that was not to be timed takes time: shows it as under way. */
static inline void flight_call_late(const struct flight_ring *ring,
				    struct flight_call *call, uint64_t start)
{
	call->start = start;
	call->bytes = 0;
	call->took = 0;
	flight_ring_show(ring);
}

#endif
