/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the ranks of a job in /proc: each holds the record's folder open. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/hang/hang_job.h"
#include "analyzer/launch/kin.h"
#include "mds/settings.h"

#define PATIENCE_MS 2000
#define LOOK_MS     10

#define SIGNAL_NAME "BCS_DUMP_SIGNAL="

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

static bool rank_add(pid_t pid, void *arg)
{
	struct hang_job *job = arg;
	char *dir = record_of(pid);
	const bool is_one = dir && strcmp(dir, job->dir) == 0;

	free(dir);
	if (!is_one)
		return false;
	job->ranks = mem_grow(job->ranks, &job->room, job->n,
			      sizeof(*job->ranks));
	job->ranks[job->n++] = pid;
	return false;
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
		job->dir = root.dir;
	}
	return job->dir != NULL;
}

int hang_job_find(struct hang_job *job, const char *pid_or_dir)
{
	*job = (struct hang_job){ .n = 0 };
	if (!find_dir(job, pid_or_dir)) {
		say_error(is_number(pid_or_dir)
				  ? "process %s is no rank under bcs, and has "
				    "started none"
				  : "%s: no such folder",
			  pid_or_dir);
		return -ENOENT;
	}
	each_process(rank_add, job);
	if (job->n)
		return 0;
	say_error("%s: no process of this machine writes it", pid_or_dir);
	return -ENOENT;
}

void hang_job_end(struct hang_job *job)
{
	free(job->ranks);
	free(job->dir);
}

/* The signal that the environment of the process names. */
static int signal_of(pid_t pid)
{
	struct settings scratch = { .dump_signal = SIGUSR2 };
	char name[64];
	char *entry = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%ld/environ", (long)pid);
	file = fopen(name, "re");
	while (file && getdelim(&entry, &room, '\0', file) > 0)
		if (strncmp(entry, SIGNAL_NAME, strlen(SIGNAL_NAME)) == 0)
			settings_find("BCS_DUMP_SIGNAL")
				->set(&scratch, entry + strlen(SIGNAL_NAME));
	free(entry);
	if (file)
		fclose(file);
	return scratch.dump_signal;
}

/* Sends the signal, unless it would end the process. */
static bool ask(pid_t pid)
{
	const int signal = signal_of(pid);

	return signal && kin_catches(pid, signal) && kill(pid, signal) == 0;
}

/* The number of ranks whose files were written since then. */
static size_t written_since(const char *dir, const struct timespec *since)
{
	DIR *files = opendir(dir);
	const struct dirent *entry;
	struct stat is;
	size_t n = 0;

	while (files && (entry = readdir(files))) {
		if (strncmp(entry->d_name, "rank-", 5) != 0 ||
		    !strstr(entry->d_name, ".gz") ||
		    fstatat(dirfd(files), entry->d_name, &is, 0) != 0)
			continue;
		n += is.st_mtim.tv_sec > since->tv_sec ||
		     (is.st_mtim.tv_sec == since->tv_sec &&
		      is.st_mtim.tv_nsec >= since->tv_nsec);
	}
	if (files)
		closedir(files);
	return n;
}

/* Files get the time of the kernel's last tick, as this clock shows it. */
static void moment(struct timespec *now)
{
	clock_gettime(CLOCK_REALTIME_COARSE, now);
}

static size_t await(const struct hang_job *job, size_t n_asked,
		    const struct timespec *since)
{
	const struct timespec look = { 0, LOOK_MS * 1000000 };
	size_t n = 0;

	for (int ms = 0; ms < PATIENCE_MS; ms += LOOK_MS) {
		n = written_since(job->dir, since);
		if (n >= n_asked)
			break;
		nanosleep(&look, NULL);
	}
	return n;
}

size_t hang_job_ask(const struct hang_job *job)
{
	struct timespec since;
	size_t n_asked = 0;
	size_t n;

	moment(&since);
	for (size_t i = 0; i < job->n; i++) {
		if (ask(job->ranks[i]))
			n_asked++;
		else
			say_warning("process %ld cannot be asked: it has no "
				    "handler for the signal",
				    (long)job->ranks[i]);
	}
	n = await(job, n_asked, &since);
	if (n < n_asked)
		say_warning("%zu of %zu ranks did not answer: they may be "
			    "stopped; what they saved last is shown",
			    n_asked - n, n_asked);
	return n;
}
