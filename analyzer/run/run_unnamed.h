/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_UNNAMED_H
#define BCS_RUN_UNNAMED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A process that has lost the right to make names in the record's folder, as by
 * setuid, leaves its record under the temporary name .NAME.PID.N (FORMAT.md).
 */

/* The name that `path`'s file has or was to get; newly allocated. */
char *run_unnamed_name(const char *path);
/* Whether that is a temporary name of a record that is whole. */
bool run_unnamed_is_whole(const char *path);
/* The newest of several paths whose files are for one name. */
size_t run_unnamed_newest(char *const *paths, size_t n);
/* Where there is no file `path`: that under its temporary name, or NULL. */
char *run_unnamed_find(const char *path);

#endif
