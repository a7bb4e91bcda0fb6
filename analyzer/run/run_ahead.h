/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_AHEAD_H
#define BCS_RUN_AHEAD_H

#include <stddef.h>

/*
 * Opens files ahead of the one thread that takes them, in their order.  A large
 * record takes most of its time for unpacking, or for waiting for a file
 * system.
 */
struct record;
struct run_ahead;
struct run_files;

struct run_opened {
	struct record *record; /* the taker's; NULL if rc is not 0 */
	int rc;                /* as of record_open */
	char why[512];
};

/* The files are kept by reference. */
struct run_ahead *run_ahead_start(const struct run_files *files);
/* The next file; as often as there are files. */
void run_ahead_take(struct run_ahead *ahead, struct run_opened *opened);
/* After the last file was taken. */
void run_ahead_end(struct run_ahead *ahead);

#endif
