/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PLACE_H
#define BCS_PLACE_H

/*
 * Finds the files that belong to the command: beside it in a build, and where
 * it is installed.
 */

/*
 * Looks for `file` ("": the folder itself) in these folders, as seen from that
 * of the command; the list ends with NULL.  Returns 0 with the whole path in
 * `path`, of PATH_MAX, or -errno.
 */
int place_find(char *path, const char *const folders[], const char *file);

#define PLACE_PRELOAD      "libbcs-pmpi.so"
#define PLACE_PRELOAD_OMPI "libbcs-ompi.so" /* for programs of Open MPI */
extern const char *const place_preload[];
/* Why it is not found: a build with Open MPI has none. */
const char *place_no_preload(void);
const char *place_no_preload_ompi(void);

#endif
