/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_FILES_H
#define BCS_RUN_FILES_H

#include <stddef.h>

#include "analyzer/run/run.h"
#include "mds/base/reading.h"

/*
 * The files of a record, by name; of those whose name tells a rank only the
 * ones that the filter wants.  Of several for one name it is the newest
 * (run_unnamed.h).
 */
struct run_files {
	char **paths;
	size_t n;
	size_t room;
	enum reading_from from; /* of all of them */
};

/*
 * `path` is the folder, whose files end with `suffix`, or the one file.
 * Returns 0 or -errno.
 */
int run_files_list(struct run_files *files, const char *path,
		   const char *suffix, const struct run_filter *filter);
void run_files_clear(struct run_files *files);
/* Lets as many files be open at once as the system does. */
void run_files_allow(void);

#endif
