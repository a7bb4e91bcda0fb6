/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds a job's record, and reads the flight recorders of its ranks.  A rank
 * holds the folder open, which /proc shows to those who may trace it.  Without
 * that right, the records in the current folder are searched for the process.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/hang/hang_job.h"
#include "analyzer/launch/kin.h"
#include "analyzer/run/flight/run_flight.h"
#include "analyzer/run/run_files.h"

static bool is_record(const char *path)
{
	const size_t n = strlen(path);

	return n > 4 && strcmp(path + n - 4, ".bcs") == 0;
}

/* The record that the process writes, to be freed; NULL: no rank under bcs. */
static char *record_of(pid_t pid)
{
	char name[64];
	char path[PATH_MAX];
	DIR *fds;
	const struct dirent *entry;
	char *found = NULL;
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/%ld/fd", (long)pid);
	fds = opendir(name);
	while (fds && !found && (entry = readdir(fds))) {
		n = readlinkat(dirfd(fds), entry->d_name, path,
			       sizeof(path) - 1);
		path[n > 0 ? n : 0] = '\0';
		if (is_record(path))
			found = mem_text(path);
	}
	if (fds)
		closedir(fds);
	return found;
}

/* Calls `one` for each process, until it returns true; whether one did. */
static bool each_process(bool (*one)(pid_t pid, void *arg), void *arg)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	bool over = false;
	pid_t pid;

	while (dir && !over && (entry = readdir(dir))) {
		pid = (pid_t)strtol(entry->d_name, NULL, 10);
		over = pid > 0 && one(pid, arg);
	}
	if (dir)
		closedir(dir);
	return over;
}

struct root {
	pid_t pid;
	char *dir;
};

static bool is_of_root(pid_t pid, void *arg)
{
	struct root *root = arg;

	if (kin_descends(pid, root->pid))
		root->dir = record_of(pid);
	return root->dir != NULL;
}

static bool is_one(pid_t pid, void *arg)
{
	struct hang_job *job = arg;
	char *dir = record_of(pid);

	job->n += dir && strcmp(dir, job->dir) == 0;
	free(dir);
	return false;
}

static bool is_of(const char *path, pid_t root)
{
	enum run_alive alive;
	struct flight *flight;
	char why[512];
	bool is;

	if (run_flight_open(&flight, path, READING_RECORD, &alive, why,
			    sizeof(why)) != 0)
		return false;
	is = (alive == RUN_ALIVE || alive == RUN_STOPPED) &&
	     kin_descends((pid_t)flight_head(flight)->pid, root);
	flight_close(flight);
	return is;
}

/* Whether a rank with a flight recorder in the folder descends from `root`. */
static bool has_rank_of(const char *dir, pid_t root)
{
	const struct run_filter all = { 0 };
	struct run_files files = { 0 };
	bool found = false;

	if (run_files_list(&files, dir, FLIGHT_SUFFIX, &all) != 0)
		return false;
	for (size_t i = 0; i < files.n && !found; i++)
		found = is_of(files.paths[i], root);
	run_files_clear(&files);
	return found;
}

static char *find_here(pid_t root)
{
	DIR *here = opendir(".");
	const struct dirent *entry;
	char *found = NULL;

	while (here && !found && (entry = readdir(here)))
		if (is_record(entry->d_name) &&
		    has_rank_of(entry->d_name, root))
			found = realpath(entry->d_name, NULL);
	if (here)
		closedir(here);
	return found;
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static bool find_dir(struct hang_job *job, const char *what)
{
	struct root root = { .dir = NULL };

	if (!is_number(what)) {
		job->dir = realpath(what, NULL);
	} else {
		root.pid = (pid_t)strtol(what, NULL, 10);
		each_process(is_of_root, &root);
		job->dir = root.dir ? root.dir : find_here(root.pid);
	}
	return job->dir != NULL;
}

int hang_job_find(struct hang_job *job, const char *pid_or_dir)
{
	*job = (struct hang_job){ .n = 0 };
	if (find_dir(job, pid_or_dir))
		return 0;
	say_error(is_number(pid_or_dir)
			  ? "process %s is no rank under bcs, and has started "
			    "none; the record's folder may be named instead"
			  : "%s: no such folder",
		  pid_or_dir);
	return -ENOENT;
}

int hang_job_read(struct hang_job *job, struct run **run_p)
{
	const struct run_filter all = { 0 };

	if (run_load_living(run_p, job->dir, &all) == 0)
		return 0;
	hang_job_say_none(job);
	return -ESRCH;
}

void hang_job_say_none(struct hang_job *job)
{
	each_process(is_one, job);
	if (job->n)
		say_error("%s: its ranks have no flight recorder: BCS_FLIGHT "
			  "is off, or the folder had no room",
			  job->dir);
	else
		say_error("%s: no process of this machine writes it", job->dir);
}

void hang_job_end(struct hang_job *job)
{
	free(job->dir);
}
