/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EMDS_READ_H
#define BCS_EMDS_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/emds/emds.h"

/*
 * Reads the slices of a process one after the other, since a file may be larger
 * than memory. The contents of the file are not trusted.
 */
struct emds_head {
	bool ranked;
	uint64_t rank; /* in MPI_COMM_WORLD, if it has one */
	uint64_t pid;
	char host[256];
	char mode[16];
	uint64_t slice_ns; /* length of a slice by time, else 0 */
	uint64_t budget;   /* bytes that it may move; 0: unknown */
	uint64_t zero_ns;  /* beginning of slice 0, on the host's clock */
	uint64_t first_ns; /* the same, on the clock of the run's first node */
	uint64_t local_ranks;
	uint64_t resolution;
	uint64_t from;
	uint64_t to;
	uint64_t every;
};

struct emds_reader;

/* Returns 0, or -errno with one line in `why` that names file and place. */
int emds_open(struct emds_reader **reader_p, const char *path, char *why,
	      size_t why_size);
void emds_close(struct emds_reader *reader); /* NULL is fine */

const char *emds_path(const struct emds_reader *reader);
const struct emds_head *emds_head(const struct emds_reader *reader);

/*
 * Reads the next row.  Returns 1, or 0 at the end.  Times are in ns; EMDS_BEGIN
 * is since slice 0 began.  A file that is cut off or damaged ends early, see
 * emds_fault.
 */
int emds_next(struct emds_reader *reader, struct emds_row *row);

/*
 * The fault of the file, in one line; NULL if none was found in the part that
 * was read.
 */
const char *emds_fault(const struct emds_reader *reader);
/* Slices dropped for lack of room, in the part that was read. */
uint64_t emds_dropped(const struct emds_reader *reader);
/* The columns seen so far, a bit for each. */
uint64_t emds_columns(const struct emds_reader *reader);

#endif
