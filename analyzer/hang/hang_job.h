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
 * Finds the job of a process or of a record's folder.  The process is a rank,
 * or an ancestor of ranks such as mpiexec.  Returns 0, or -ENOENT after it has
 * said why not.  Either way hang_job_end is called.
 */
int hang_job_find(struct hang_job *job, const char *pid_or_dir);
void hang_job_end(struct hang_job *job);

/*
 * Makes the ranks write their records, with the calls that they are in.  That
 * takes no right to trace them, and stops none of them.  Waits until all have
 * answered, or two seconds.  Warns of ranks that cannot be asked or did not
 * answer.  Returns how many did.
 */
size_t hang_job_ask(const struct hang_job *job);

#endif
