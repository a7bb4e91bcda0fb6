/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds record folders: those that a job has just made, and the newest one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/run/records.h"

/* PROGRAM.JOB.bcs or, if that was taken, PROGRAM.JOB.N.bcs. */
static bool is_of_job(const struct records *records, const char *name)
{
	char *middle = mem_print(".%s.", records->job);
	const char *at = strstr(name, middle);
	const size_t len = strlen(name);
	const bool is = at && len > 4 && strcmp(name + len - 4, ".bcs") == 0;

	free(middle);
	return is;
}

/* Name and time of change, as a key; NULL if it is not of the job. */
static char *key_of(const struct records *records, const char *name)
{
	char *path;
	struct stat st;
	int rc;

	if (!is_of_job(records, name))
		return NULL;
	path = mem_print("%s/%s", records->out, name);
	rc = stat(path, &st);
	free(path);
	if (rc != 0 || !S_ISDIR(st.st_mode))
		return NULL;
	return mem_print("%lld.%09ld %s", (long long)st.st_mtim.tv_sec,
			 st.st_mtim.tv_nsec, name);
}

void records_begin(struct records *records, const char *out, const char *job)
{
	DIR *dir = opendir(out);
	struct dirent *entry;
	char *key;

	*records = (struct records){ .out = out, .job = job };
	while (dir && (entry = readdir(dir))) {
		key = key_of(records, entry->d_name);
		if (key)
			intern_text(&records->before, key);
		free(key);
	}
	if (dir)
		closedir(dir);
}

void records_end(struct records *records)
{
	intern_clear(&records->before);
}

static bool is_new(const struct records *records, const char *name)
{
	char *key = key_of(records, name);
	const bool is = key && intern_find(&records->before, key,
					   strlen(key)) == INTERN_NONE;

	free(key);
	return is;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t records_list(const struct records *records, char ***list)
{
	DIR *dir = opendir(records->out);
	struct dirent *entry;
	char **paths = NULL;
	size_t room = 0;
	size_t n = 0;

	while (dir && (entry = readdir(dir))) {
		if (!is_new(records, entry->d_name))
			continue;
		paths = mem_grow(paths, &room, n, sizeof(*paths));
		paths[n++] = mem_print("%s/%s", records->out, entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (n)
		qsort(paths, n, sizeof(*paths), by_name);
	*list = paths;
	return n;
}

static uint64_t file_print(const char *folder, const char *name)
{
	char *path = mem_print("%s/%s", folder, name);
	struct stat st = { 0 };

	if (stat(path, &st) != 0)
		st.st_ino = 0;
	free(path);
	return ((uint64_t)st.st_ino * 31 + (uint64_t)st.st_mtim.tv_sec) * 31 +
	       (uint64_t)st.st_mtim.tv_nsec;
}

const char *records_short(const char *path, char here[PATH_MAX])
{
	size_t len;

	if (!getcwd(here, PATH_MAX))
		return path;
	len = strlen(here);
	if (strncmp(path, here, len) == 0 && path[len] == '/')
		return path + len + 1;
	return path;
}

/* Under a temporary name an empty file is none (run_unnamed.h). */
static bool is_file_of_rank(DIR *dir, const char *name)
{
	struct stat st;

	if (strncmp(name, "rank-", 5) == 0)
		return true;
	return strncmp(name, ".rank-", 6) == 0 &&
	       fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_size > 0;
}

bool records_has_file(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry = NULL;

	if (!dir)
		return false;
	while ((entry = readdir(dir)))
		if (is_file_of_rank(dir, entry->d_name))
			break;
	closedir(dir);
	return entry != NULL;
}

uint64_t records_print(const struct records *records)
{
	char **folders;
	const size_t n = records_list(records, &folders);
	struct dirent *entry;
	uint64_t sum = n;

	for (size_t i = 0; i < n; i++) {
		DIR *dir = opendir(folders[i]);

		while (dir && (entry = readdir(dir)))
			if (entry->d_name[0] != '.')
				sum += file_print(folders[i], entry->d_name);
		if (dir)
			closedir(dir);
		free(folders[i]);
	}
	free(folders);
	return sum;
}

static bool is_newer(const char *name, struct timespec *newest)
{
	const size_t len = strlen(name);
	struct stat st;

	if (len < 4 || strcmp(name + len - 4, ".bcs") != 0 ||
	    stat(name, &st) != 0 || !S_ISDIR(st.st_mode))
		return false;
	if (st.st_mtim.tv_sec < newest->tv_sec ||
	    (st.st_mtim.tv_sec == newest->tv_sec &&
	     st.st_mtim.tv_nsec <= newest->tv_nsec))
		return false;
	*newest = st.st_mtim;
	return true;
}

int records_newest(char path[PATH_MAX])
{
	struct timespec newest = { 0 };
	struct dirent *entry;
	DIR *dir = opendir(".");

	path[0] = '\0';
	while (dir && (entry = readdir(dir)))
		if (is_newer(entry->d_name, &newest))
			snprintf(path, PATH_MAX, "%s", entry->d_name);
	if (dir)
		closedir(dir);
	if (path[0])
		return 0;
	say_error("there is no *.bcs in this folder: which record is it?");
	return -ENOENT;
}

char *records_one(int argc, char **argv, char newest[PATH_MAX])
{
	if (argc > 1) {
		say_error("one record at a time");
		return NULL;
	}
	if (argc == 1)
		return argv[0];
	return records_newest(newest) == 0 ? newest : NULL;
}
