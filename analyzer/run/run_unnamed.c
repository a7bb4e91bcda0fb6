/* SPDX-License-Identifier: BSD-3-Clause */

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run_unnamed.h"
#include "mds/record/record.h"

#define SUFFIX ".gz"

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The length of `name` before its last part, ".DIGITS"; 0: it has none. */
static size_t less_number(const char *name, size_t len)
{
	const size_t all = len;

	while (len > 0 && isdigit((unsigned char)name[len - 1]))
		len--;
	return len > 1 && len < all && name[len - 1] == '.' ? len - 1 : 0;
}

/* The length of NAME in the temporary name .NAME.PID.N; 0: it is none. */
static size_t name_length(const char *base)
{
	const size_t tail = strlen(SUFFIX);
	size_t len;

	if (*base != '.')
		return 0;
	len = less_number(base + 1, strlen(base + 1));
	len = less_number(base + 1, len);
	return len > tail && memcmp(base + 1 + len - tail, SUFFIX, tail) == 0
		       ? len
		       : 0;
}

char *run_unnamed_name(const char *path)
{
	const char *base = base_of(path);
	const size_t len = name_length(base);

	return len ? mem_print("%.*s", (int)len, base + 1) : mem_text(base);
}

/* Most of these files are empty, and are not opened. */
bool run_unnamed_is_whole(const char *path)
{
	struct record *record;
	struct stat st;
	char why[512];
	bool whole;

	if (!name_length(base_of(path)) || lstat(path, &st) != 0 ||
	    st.st_size == 0 ||
	    record_open(&record, path, READING_RECORD, why, sizeof(why)) != 0)
		return false;
	whole = record_state(record) == RECORD_WHOLE;
	record_free(record);
	return whole;
}

static struct timespec time_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 ? st.st_mtim : (struct timespec){ 0 };
}

static bool is_before(struct timespec a, struct timespec b)
{
	return a.tv_sec < b.tv_sec ||
	       (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

size_t run_unnamed_newest(char *const *paths, size_t n)
{
	size_t newest = 0;

	for (size_t i = 1; i < n; i++)
		if (is_before(time_of(paths[newest]), time_of(paths[i])))
			newest = i;
	return newest;
}

static bool is_for(const char *base, const char *name)
{
	const size_t len = name_length(base);

	return len && len == strlen(name) && memcmp(base + 1, name, len) == 0;
}

char *run_unnamed_find(const char *path)
{
	const char *name = base_of(path);
	char *folder = mem_print("%.*s", (int)(name - path), path);
	const struct dirent *entry;
	char *found = NULL;
	DIR *dir = NULL;

	if (access(path, F_OK) != 0)
		dir = opendir(*folder ? folder : ".");
	while (dir && !found && (entry = readdir(dir))) {
		if (!is_for(entry->d_name, name))
			continue;
		found = mem_print("%s%s", folder, entry->d_name);
		if (run_unnamed_is_whole(found))
			break;
		free(found);
		found = NULL;
	}
	if (dir)
		closedir(dir);
	free(folder);
	return found;
}
