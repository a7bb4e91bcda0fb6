/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_COMM_ROWS_H
#define SHIM_COMM_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The rows of the table of communicators.  A row is taken while a communicator
 * lives, and taken again by the next one of the same members.
 */
struct shim_comm;

/* Takes the first free row of the hash; MMDS_NONE if there is no room. */
uint32_t comm_rows_join(uint64_t hash, const char *name,
			const struct shim_comm *comm);
void comm_rows_leave(uint32_t row);
void comm_rows_name(uint32_t row, const char *name);
uint64_t comm_rows_hash(uint32_t row);
/* Tells the flight recorder of those that there are; later ones are told of
 * when they come. */
void comm_rows_tell(void);
/* Its line in the table, by number; false if there is none. */
bool comm_rows_about(uint32_t row, uint64_t *id, uint32_t *rank,
		     uint32_t *size);

/* How many communicators found no room. */
uint32_t comm_rows_missed(void);

#endif
