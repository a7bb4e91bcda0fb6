/* SPDX-License-Identifier: BSD-3-Clause */

/* Tells which records were written on request, while the command goes on. */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/base/say.h"
#include "analyzer/launch/written.h"
#include "analyzer/run/records.h"
#include "analyzer/run/run_unnamed.h"

struct timespec written_now(void)
{
	struct timespec now;

	/* The clock that the kernel takes times of files from. */
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return now;
}

static bool is_since(struct timespec when, struct timespec since)
{
	return when.tv_sec > since.tv_sec ||
	       (when.tv_sec == since.tv_sec && when.tv_nsec >= since.tv_nsec);
}

/* Under a temporary name an empty file is none (run_unnamed.h). */
static bool is_record(const char *path, off_t size)
{
	char *name = run_unnamed_name(path);
	const size_t len = strlen(name);
	const bool is = strncmp(name, "rank-", 5) == 0 && len > 3 &&
			strcmp(name + len - 3, ".gz") == 0 &&
			(size > 0 || strcmp(name, path) == 0);

	free(name);
	return is;
}

static size_t count(const char *path, struct timespec since)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	struct stat st;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 &&
		     is_record(entry->d_name, st.st_size) &&
		     is_since(st.st_mtim, since);
	if (dir)
		closedir(dir);
	return n;
}

static bool say_folder(const char *path, struct timespec since)
{
	const size_t n = count(path, since);
	char here[PATH_MAX];

	path = records_short(path, here);
	if (n > 0)
		say_error("%zu process%s wrote to %s; see it with: bcs report "
			  "%s",
			  n, n == 1 ? "" : "es", path, path);
	return n > 0;
}

void written_say(const struct records *records, struct timespec since)
{
	bool any = false;
	char **paths;
	const size_t n = records_list(records, &paths);

	for (size_t i = 0; i < n; i++) {
		any |= say_folder(paths[i], since);
		free(paths[i]);
	}
	free(paths);
	if (!any)
		say_error("no process has written its record yet: they can "
			  "from the end of MPI_Init on");
}
