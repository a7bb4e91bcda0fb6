/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HANG_JOB_H
#define BCS_HANG_JOB_H

#include <stddef.h>
#include <sys/types.h>

/* The ranks of a running job on this machine, and the folder of its record. */
struct hang_job {
	char *dir; /* the record's */
	pid_t *ranks;
	size_t n;
	size_t room;
};

/*
 * Of a process: a rank, or one whose descendants are ranks, such as mpiexec; or
 * of the record's folder.  Returns 0, or -ENOENT after it has said why not;
 * either way it has to be ended.
 */
int hang_job_find(struct hang_job *job, const char *pid_or_dir);
void hang_job_end(struct hang_job *job);

/*
 * Makes the ranks write what they are in, which takes no right to trace them
 * and stops none of them, and waits until they did, or two seconds.  Says which
 * did not.  Returns how many did.
 */
size_t hang_job_ask(const struct hang_job *job);

#endif
