/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_DUMP_SPARE_H
#define SHIM_DUMP_SPARE_H

#include <stdbool.h>

/*
 * Two files for a process that may change its user after MPI_Init, and so may
 * lose the right to make names in the record's folder.  They are made at the
 * start, under temporary names, and written in turn: a process that is killed
 * leaves one of them whole.
 */
struct record_writer;

/*
 * At the start, for a record called `name`; takes none where the process cannot
 * change its user.
 */
void dump_spare_take(const char *name);
/*
 * After the record was written with the outcome `rc`.  True if rights are
 * missing and a spare file may be written.  If the record has its name, spare
 * files are emptied: they are older.
 */
bool dump_spare_is_for(int rc);
/* Returns 0 or -errno, as record_rewrite does. */
int dump_spare_begin(struct record_writer **writer_p);
/* The record that was begun is whole: the one before it is emptied. */
void dump_spare_done(void);
/* After the last record: removes what is not needed. */
void dump_spare_end(void);

#endif
