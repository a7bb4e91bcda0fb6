/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_DUMP_FILE_H
#define SHIM_DUMP_FILE_H

/* The name and the contents of a process's file of the record. */
#define DUMP_FILE_NAME 128

/* The file of the process with that rank; -1: of this one, without a world. */
void dump_file_name(char *name, int rank);

/* Takes what the next file needs, while it is to be had. */
void dump_file_reserve(void);

/*
 * Writes the file of this process; one thread at a time, from a signal handler
 * too.  Returns 0 or -errno.
 */
int dump_file_write(const char *reason);

#endif
