/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MMDS_WRITING_H
#define BCS_MMDS_WRITING_H

#include <stdint.h>

#include "mds/mmds/mmds.h"

/* Shared by the writers of a process's tables. */
struct record_writer;

/*
 * The thread's last call, if it is over but not counted yet.  Otherwise an
 * empty call, counted nowhere.
 */
static inline struct mmds_frame mmds_past(const struct mmds_thread *thread)
{
	const uint64_t last = thread->last;
	const struct mmds_frame *past = thread->past;

	if (past)
		return *past;
	return (struct mmds_frame){ .start = last,
				    .end = last,
				    .comm = MMDS_NONE };
}

static inline uint64_t mmds_past_bytes(const struct mmds_frame *past)
{
	return past->sent > past->received ? past->sent : past->received;
}

/* The cell after `cell`, going from thread to thread. */
static inline struct mmds_cell *mmds_cell_next(struct mmds_thread **thread,
					       struct mmds_cell *cell)
{
	if (cell)
		cell = cell->next;
	while (!cell && *thread) {
		*thread = (*thread)->next;
		if (*thread)
			cell = __atomic_load_n(&(*thread)->cells,
					       __ATOMIC_ACQUIRE);
	}
	return cell;
}

/* A copy of the cell, with the past call if that belongs to it. */
struct mmds_cell mmds_cell_sum(const struct mmds_thread *thread,
			       const struct mmds_cell *cell);

/* Writes the table distributions. */
void mmds_write_hists(struct record_writer *writer);

#endif
