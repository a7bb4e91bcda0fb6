/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORDS_H
#define BCS_RECORDS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/places/intern.h"

/*
 * The record folders PROGRAM.JOB.bcs of a job that appear, or change, in the
 * folder `out` after a certain moment.
 */
struct records {
	const char *out;
	const char *job;
	struct intern before; /* what was there: names and times of change */
};

/* That moment is now.  The texts are kept by reference. */
void records_begin(struct records *records, const char *out, const char *job);
void records_end(struct records *records);

/* The folders' paths, by name; *list and its texts are the caller's to free. */
size_t records_list(const struct records *records, char ***list);

/* `path` as the user would type it in the current folder; part of it. */
const char *records_short(const char *path, char here[PATH_MAX]);

/*
 * Whether a process has left its file there: one that is killed, or may not
 * write, does not.
 */
bool records_has_file(const char *path);

/* A number that changes whenever a file in one of the folders does. */
uint64_t records_print(const struct records *records);

/*
 * The record that changed last in the current folder.  Returns 0, or -ENOENT
 * after it has said that there is none.
 */
int records_newest(char path[PATH_MAX]);
/*
 * The one operand of a verb, or the newest record, whose name is put into
 * `newest`.  NULL after it has said what is wrong.
 */
char *records_one(int argc, char **argv, char newest[PATH_MAX]);

#endif
