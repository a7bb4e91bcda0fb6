/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_FILE_H
#define BCS_RECORD_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A file that takes its name when it is whole, as a writer needs it that may
 * run in a signal handler (record.h).  All return 0 or -errno.
 */
struct record_file {
	int dir;
	int fd;
	bool shown;
	char name[NAME_MAX + 1];
	char temporary[NAME_MAX + 1];
};

int record_file_open(struct record_file *file, const char *dir,
		     const char *name);
int record_file_write(struct record_file *file, const unsigned char *bytes,
		      size_t size);
/* Gives the file its name now: what is written from now on stays. */
int record_file_show(struct record_file *file);
/*
 * Gives the file its name, or removes it if it is not `good` or on an error.
 * One that was shown is left as it is; -ENOENT if somebody removed it.
 */
int record_file_close(struct record_file *file, bool good);

#endif
