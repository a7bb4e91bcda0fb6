/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_READING_H
#define BCS_READING_H

/*
 * Opens every file from outside. Somebody else may have made a record folder,
 * or a shared folder on the way to it. A link there may lead to private files,
 * and a pipe never ends.
 */
enum reading_from {
	READING_ARGUMENT, /* named on the command line: may be a pipe */
	READING_SETTING,  /* named there or in a variable, and read again */
	READING_RECORD,   /* lies in a record folder: may not be a link */
};

/*
 * Opens a file to read.  Only regular files are opened, and never waited for;
 * an argument may also be a pipe, which is waited for, or a terminal.  Returns
 * the descriptor, or -errno.
 */
int reading_open(const char *path, enum reading_from from);

/* The meaning of such an error and what to do, as text after "FILE: ". */
const char *reading_text(int rc, enum reading_from from);

#endif
