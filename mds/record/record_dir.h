/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_DIR_H
#define BCS_RECORD_DIR_H

#include <stdbool.h>
#include <stddef.h>

/* The name of a record's folder: OUT/PROGRAM.JOB[.N].bcs. */
struct record_dir_options {
	const char *out; /* made if it is missing */
	const char *job; /* by the user; empty: the batch system's number, */
	long number;     /* else this one, which no other job has */
	bool shared;     /* another process of the job may have made it */
};

/*
 * Makes the folder.  If one of that name is there, it is of another run: the
 * new one gets a number N.  Puts its absolute path into `dir`.  Returns 0 or
 * -errno.
 */
int record_dir_make(char *dir, size_t size,
		    const struct record_dir_options *options);

/*
 * Makes the folder that `dir` lies in, for machines that do not share it with
 * the first one.  Does not report errors: the writer of the record will.
 */
void record_dir_make_parent(char *dir);

#endif
