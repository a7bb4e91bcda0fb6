/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_AGAIN_CALLS_H
#define SHIM_AGAIN_CALLS_H

/*
 * Numbers of calls and their places in the program, for schedules: one table
 * for the schedule that is recorded, one for that which is repeated.
 */
#include <stdint.h>

#include "mds/schedule/schedule.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/shim.h"

#define AGAIN_CALLS 1024 /* a power of two; further places share numbers */
#define AGAIN_PLACE 128

struct again_call {
	uint64_t site;
	uint32_t call; /* + 1; 0: unused */
	uint32_t number;
};

struct again_calls {
	unsigned n;
	struct again_call calls[2 * AGAIN_CALLS];
};

/* The entry of that call and place, or the unused one where it would be. */
static inline struct again_call *
again_calls_at(struct again_calls *calls, enum shim_call call, uint64_t site)
{
	const uint64_t key = (site ^ (uint64_t)call << 48) *
			     UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(key >> 32);
	struct again_call *entry;

	for (;; i++) {
		entry = &calls->calls[i % (2 * AGAIN_CALLS)];
		if (entry->call == 0 ||
		    (entry->site == site && entry->call == call + 1))
			return entry;
	}
}

/* The entry of the program's current call; if it is new, its call is 0. */
static inline struct again_call *again_calls_find(struct again_calls *calls,
						  enum shim_call call)
{
	struct again_call *entry = again_calls_at(calls, call,
						  site_of_this_call());

	/* All places beyond the first thousand are one, for each call. */
	if (__builtin_expect(entry->call == 0, 0) && calls->n >= AGAIN_CALLS)
		return again_calls_at(calls, call, 0);
	return entry;
}

/* Takes a new entry into use. */
void again_calls_take(struct again_calls *calls, struct again_call *entry,
		      enum shim_call call, uint32_t number);
/* "program+0x1234" of the current call. */
void again_calls_place(char place[AGAIN_PLACE]);

/* The build id of the program in hexadecimal digits; empty: it has none. */
void again_calls_build(char build[SCHEDULE_BUILD + 1]);

#endif
