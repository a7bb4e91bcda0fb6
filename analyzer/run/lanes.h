/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LANES_H
#define BCS_LANES_H

/*
 * Reads the slices of all processes of a run, each from its file, in one order.
 * Where slices begin by time they are ordered by number, so that those of one
 * number follow each other.  Otherwise they are ordered by their beginning.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/emds/emds_read.h"

struct lane {
	struct emds_reader *reader;
	const struct emds_head *head;
	uint64_t rank;       /* RUN_UNRANKED and more: has none */
	struct emds_row row; /* the next; or the one that was taken */
	uint64_t since;      /* from the beginning of the one before it, ns */
	uint64_t before;     /* when that began */
	uint64_t n_rows;     /* that were taken */
	uint64_t n_slices;
};

struct lanes {
	struct lane *list;
	size_t n;
	size_t room;
	size_t *heap; /* those that have a row, the next one first */
	size_t n_heap;
	bool taken;       /* the first of the heap was */
	bool some_unread; /* a file was left out */
	bool by_time;
	uint64_t resolution;
};

/* Whether the folder has a file of slices. */
bool lanes_are_there(const char *path);

/*
 * Opens the files of the record, of these ranks only unless NULL. Returns 0, or
 * -errno after it has printed the error.  A file that cannot be read, or does
 * not belong to the first, is left out with a warning.
 */
int lanes_open(struct lanes *lanes, const char *path, const char *ranks);
/* False if something was wrong with a file, which is warned of. */
bool lanes_are_whole(const struct lanes *lanes);
/* Warns of files that were cut off. */
void lanes_close(struct lanes *lanes);

/* The process of the next row, which is in its `row`; NULL at the end. */
struct lane *lanes_next(struct lanes *lanes);

/* The number of its slice; by time, of the first that its row may have. */
uint64_t lanes_number(const struct lanes *lanes, const struct lane *lane);

/*
 * Slices that found no room, and the columns recorded, in the files read so
 * far.
 */
uint64_t lanes_dropped(const struct lanes *lanes);
uint64_t lanes_columns(const struct lanes *lanes);

#endif
