/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_BOARD_H
#define SHIM_HANG_BOARD_H

/* The waits of this node's processes, as they say them on the board. */
#include <stdbool.h>
#include <stdint.h>

#include "pmpi-shim/route/hang/hang.h"

struct hang_entry {
	int32_t rank;   /* in MPI_COMM_WORLD */
	uint32_t epoch; /* odd: the process is blocked, and `record` holds */
	uint32_t ended; /* enum blocked_end */
	struct blocked_record record;
};

static inline bool hang_is_blocked(const struct hang_entry *entry)
{
	return entry->epoch & 1;
}

/* The first look. */
void hang_board_read(uint32_t slot, struct hang_entry *entry);
/*
 * The second look, after a moment at which all entries of a search had been
 * read: whether this one held at that moment.
 */
bool hang_board_holds(uint32_t slot, const struct hang_entry *entry);
/* True if one of them is blocked or has ended. */
bool hang_board_may_be(void);

/* The slot of a rank; route_n_slots if it is of another node. */
uint32_t hang_board_slot(int32_t rank);
/* Records that messages to other nodes left the process of a slot. */
uint32_t hang_board_sent(uint32_t slot);

/* Where the threads of a process wait. */
void hang_board_places(uint32_t slot, const struct blocked_record *record,
		       hang_places *places);

/* Stops a process. */
void hang_board_stop(uint32_t slot);

#endif
