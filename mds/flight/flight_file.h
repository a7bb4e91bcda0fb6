/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FLIGHT_FILE_H
#define BCS_FLIGHT_FILE_H

#include <stdint.h>

#include "mds/record/record_file.h"

/* A file that is mapped for as long as the process lives. */
struct flight_file {
	struct record_file file;
	char path[PATH_MAX];
	void *memory;
	uint32_t bytes;
};

/*
 * Makes a file of `bytes` zeroes in a record's folder, with all its room on the
 * disk, and maps it.  It has a temporary name yet.  Returns 0 or -errno.
 */
int flight_file_make(struct flight_file *file, const char *dir,
		     const char *name, uint32_t bytes);
/* Gives the file its name, and closes what is open.  Returns 0 or -errno. */
int flight_file_show(struct flight_file *file);
/* Removes the name; the memory stays. */
void flight_file_remove(const struct flight_file *file);

#endif
