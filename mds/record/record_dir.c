/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mds/record/record_dir.h"
#include "mds/record/record_file.h"

#define TRIES 1000

static void job_name(char *name, size_t size,
		     const struct record_dir_options *options)
{
	static const char *const vars[] = { "SLURM_JOB_ID", "PBS_JOBID",
					    "LSB_JOBID", "JOB_ID" };
	const char *value = options->job;

	for (size_t i = 0; !*value && i < sizeof(vars) / sizeof(vars[0]); i++)
		value = getenv(vars[i]) ? getenv(vars[i]) : "";
	if (*value)
		snprintf(name, size, "%s", value);
	else
		snprintf(name, size, "%ld", options->number);
}

static int dir_name(char *dir, size_t size, const char *out, const char *job,
		    int n)
{
	char place[PATH_MAX];
	char again[16] = "";
	int len;

	if (!realpath(out, place) &&
	    (mkdir(out, 0777) != 0 || !realpath(out, place)))
		return -errno;
	if (n > 1)
		snprintf(again, sizeof(again), ".%d", n);
	len = snprintf(dir, size, "%s/%s.%s%s.bcs", place,
		       program_invocation_short_name, job, again);
	return len < (int)size ? 0 : -ENAMETOOLONG;
}

int record_dir_make(char *dir, size_t size,
		    const struct record_dir_options *options)
{
	char job[128];
	int rc = -EEXIST;

	job_name(job, sizeof(job), options);
	for (int n = 1; rc == -EEXIST && n < TRIES; n++) {
		rc = dir_name(dir, size, options->out, job, n);
		if (rc == 0)
			rc = record_file_make_dir(dir);
		if (rc == -EEXIST && options->shared &&
		    record_file_dir_is_safe(dir))
			rc = 0;
	}
	return rc;
}

void record_dir_make_parent(char *dir)
{
	char *last = strrchr(dir, '/');

	if (!last)
		return;
	*last = '\0';
	mkdir(dir, 0777);
	*last = '/';
}
