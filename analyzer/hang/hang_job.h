/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HANG_JOB_H
#define BCS_HANG_JOB_H

#include <stddef.h>

#include "analyzer/run/run.h"

/* A running job, by the folder of its record. */
struct hang_job {
	char *dir;
	size_t n; /* processes that write it, once they were looked for */
};

/*
 * Finds the job of a process or of a record's folder.  The process is a rank,
 * or an ancestor of ranks such as mpiexec.  Returns 0, or -ENOENT after it has
 * said why not.  Either way hang_job_end is called.
 */
int hang_job_find(struct hang_job *job, const char *pid_or_dir);
void hang_job_end(struct hang_job *job);

/*
 * Reads what the ranks are in.  That takes no right to trace them, and stops
 * none of them.  Returns 0, or -ESRCH after it has said why not.
 */
int hang_job_read(struct hang_job *job, struct run **run_p);
/* Says why there is nothing to read. */
void hang_job_say_none(struct hang_job *job);

#endif
