/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmpi-shim/job/proc_stat.h"

/* See proc(5); the second field ends in ')'. */
#define FIELD_THREADS 20
#define FIELD_STARTED 22

static void path_of(char *path, pid_t pid)
{
	char digits[16];
	int n = 0;

	path = stpcpy(path, "/proc/");
	do
		digits[n++] = (char)('0' + pid % 10);
	while ((pid /= 10) > 0);
	while (n > 0)
		*path++ = digits[--n];
	strcpy(path, "/stat");
}

/* A number in the file; 0 if it cannot be read. */
static uint64_t field_of(pid_t pid, int wanted)
{
	char path[64];
	char text[512];
	const char *at;
	uint64_t value = 0;
	ssize_t len;
	int fd;

	path_of(path, pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	at = strrchr(text, ')');
	for (int field = 2; at && field < wanted; field++)
		at = strchr(at + 1, ' ');
	for (at = at ? at + 1 : ""; *at >= '0' && *at <= '9'; at++)
		value = 10 * value + (uint64_t)(*at - '0');
	return value;
}

uint64_t proc_stat_started(pid_t pid)
{
	return field_of(pid, FIELD_STARTED);
}

int proc_stat_threads(void)
{
	return (int)field_of(getpid(), FIELD_THREADS);
}

unsigned proc_stat_tasks(pid_t tasks[], unsigned most)
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *entry;
	unsigned n = 0;

	if (!dir)
		return 0;
	while (n < most && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			tasks[n++] = (pid_t)atol(entry->d_name);
	closedir(dir);
	return n;
}
