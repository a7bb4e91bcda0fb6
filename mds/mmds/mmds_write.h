/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MMDS_WRITE_H
#define BCS_MMDS_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "mds/mmds/mmds.h"

struct record_writer;

/*
 * Writes the tables of FORMAT.md that tell of calls and where they came from.
 * May be called from a signal handler, while threads go on.
 */
void mmds_write(struct record_writer *writer);

/*
 * Sums over all threads: traffic of a communicator; dropped calls; whether some
 * were not timed; ticks of our own overhead.
 */
struct mmds_comm mmds_comm_sum(uint32_t comm);
uint64_t mmds_dropped(void);
bool mmds_some_untimed(void);
uint64_t mmds_overhead_ticks(void);

/*
 * Calls whose path is not sure (callpath_doubt), and their time: cut where no
 * room was left, and guessed.
 */
struct mmds_doubts {
	uint64_t cut;
	uint64_t cut_ticks;
	uint64_t guessed;
	uint64_t guessed_ticks;
	uint32_t guessed_in; /* module of most of that time; UINT32_MAX: none */
};

struct mmds_doubts mmds_doubts(void);

#endif
