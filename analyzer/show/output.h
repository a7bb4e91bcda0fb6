/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_OUTPUT_H
#define BCS_OUTPUT_H

/*
 * Sends stdout to a file.  Returns 0, or -errno after it has printed the error.
 * `path` is kept by reference.
 */
int output_to(const char *path);

/*
 * The end of all that went to stdout.  Returns the exit status: 0; 2 after it
 * has said that not all could be written; silence where the reader has left.
 */
int output_end(void);

/* Columns of the terminal on stdout; 80 where there is none. */
unsigned output_width(void);

#endif
