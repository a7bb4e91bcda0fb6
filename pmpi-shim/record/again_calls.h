/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_AGAIN_CALLS_H
#define SHIM_AGAIN_CALLS_H

/*
 * Numbers of calls and their places in the program, for schedules: one table
 * for the schedule that is recorded, one for that which is repeated.
 */
#include <stdint.h>

#include "mds/schedule.h"
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

/* The entry of the program's current call; if it is new, its call is 0. */
struct again_call *again_calls_find(struct again_calls *calls,
				    enum shim_call call);
/* Takes a new entry into use. */
void again_calls_take(struct again_calls *calls, struct again_call *entry,
		      enum shim_call call, uint32_t number);
/* "program+0x1234" of the current call. */
void again_calls_place(char place[AGAIN_PLACE]);

/* The build id of the program in hexadecimal digits; empty: it has none. */
void again_calls_build(char build[SCHEDULE_BUILD + 1]);

#endif
