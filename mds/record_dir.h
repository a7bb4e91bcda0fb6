/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_DIR_H
#define BCS_RECORD_DIR_H

#include <stdbool.h>
#include <stddef.h>

/* A record's folder: OUT/PROGRAM.JOB[.N].bcs. */
struct record_dir_options {
	const char *out; /* made if it is missing */
	const char *job; /* of the user; empty: the batch system's, or the */
	long number;     /* a number that no other job has */
	bool shared;     /* it may be there: a process of the job made it */
};

/*
 * Makes it.  A folder of that name is another run's: then it gets a number.
 * Puts its absolute path into `dir`.  Returns 0 or -errno.
 */
int record_dir_make(char *dir, size_t size,
		    const struct record_dir_options *options);

/*
 * The folder that `dir` lies in, on a machine that does not share it: mostly it
 * is there; who writes says so if it cannot be made.
 */
void record_dir_make_parent(char *dir);

#endif
