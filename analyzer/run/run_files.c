/* SPDX-License-Identifier: BSD-3-Clause */

/* Lists the files of a record that are wanted, by rank. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run_files.h"
#include "analyzer/run/run_unnamed.h"
#include "mds/settings/settings.h"

static bool name_is_wanted(const char *name, const char *suffix,
			   const struct run_filter *filter)
{
	const size_t len = strlen(name);
	const size_t tail = strlen(suffix);
	long rank;
	int end = 0;

	if (len < tail || strcmp(name + len - tail, suffix) != 0)
		return false;
	if (!filter->ranks || sscanf(name, "rank-%ld%n", &rank, &end) != 1 ||
	    strcmp(name + end, suffix) != 0)
		return true;
	return settings_rank_in(filter->ranks, rank);
}

static void add(struct run_files *files, char *path)
{
	files->paths = mem_grow(files->paths, &files->room, files->n,
				sizeof(*files->paths));
	files->paths[files->n++] = path;
}

/* One under a temporary name is wanted if it is whole. */
static void consider(struct run_files *files, char *path, const char *suffix,
		     const struct run_filter *filter)
{
	char *name = run_unnamed_name(path);
	const char *own = strrchr(path, '/') + 1;

	if (name_is_wanted(name, suffix, filter) &&
	    (strcmp(name, own) == 0 || run_unnamed_is_whole(path)))
		add(files, path);
	else
		free(path);
	free(name);
}

static int by_name(const void *a, const void *b)
{
	char *x = run_unnamed_name(*(char *const *)a);
	char *y = run_unnamed_name(*(char *const *)b);
	const int order = strcmp(x, y);

	free(x);
	free(y);
	return order;
}

/* The number of paths from `from` on whose files are for one name. */
static size_t count_alike(const struct run_files *files, size_t from)
{
	size_t n = 1;

	while (from + n < files->n &&
	       by_name(&files->paths[from], &files->paths[from + n]) == 0)
		n++;
	return n;
}

/* Of several files for one name the newest stays. */
static void keep_newest(struct run_files *files)
{
	size_t kept = 0;
	size_t n;

	for (size_t i = 0; i < files->n; i += n) {
		char **alike = &files->paths[i];
		size_t newest;

		n = count_alike(files, i);
		newest = run_unnamed_newest(alike, n);
		for (size_t k = 0; k < n; k++)
			if (k != newest)
				free(alike[k]);
		files->paths[kept++] = alike[newest];
	}
	files->n = kept;
}

int run_files_list(struct run_files *files, const char *path,
		   const char *suffix, const struct run_filter *filter)
{
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	if (stat(path, &st) != 0)
		return -errno;
	files->from = S_ISDIR(st.st_mode) ? READING_RECORD : READING_SETTING;
	if (!S_ISDIR(st.st_mode)) {
		add(files, mem_text(path));
		return 0;
	}
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		consider(files, mem_print("%s/%s", path, entry->d_name), suffix,
			 filter);
	closedir(dir);
	if (files->n)
		qsort(files->paths, files->n, sizeof(*files->paths), by_name);
	keep_newest(files);
	return 0;
}

void run_files_clear(struct run_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->paths[i]);
	free(files->paths);
	*files = (struct run_files){ 0 };
}

void run_files_allow(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
