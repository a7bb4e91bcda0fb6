/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Counts the cores that this process may use, by its affinity and by the limits
 * of its control groups.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmpi-shim/job/cores.h"

#define CGROUPS "/sys/fs/cgroup"

/* Thousandths of a core that `quota` in each `period` is. */
static unsigned millicores(long long quota, long long period)
{
	if (quota <= 0 || period <= 0 || quota > LLONG_MAX / 1000)
		return UINT_MAX;
	quota = quota * 1000 / period;
	return quota < 1 ? 1 : quota < UINT_MAX ? (unsigned)quota : UINT_MAX;
}

static bool read_line(const char *dir, const char *name, char *line, int size)
{
	char path[PATH_MAX];
	FILE *file;
	bool ok;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >=
	    (int)sizeof(path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	ok = fgets(line, size, file) != NULL;
	fclose(file);
	return ok;
}

static unsigned quota_v1(const char *dir)
{
	char line[64];
	long long quota;
	long long period;

	if (!read_line(dir, "cpu.cfs_quota_us", line, sizeof(line)) ||
	    sscanf(line, "%lld", &quota) != 1 ||
	    !read_line(dir, "cpu.cfs_period_us", line, sizeof(line)) ||
	    sscanf(line, "%lld", &period) != 1)
		return UINT_MAX;
	return millicores(quota, period);
}

static unsigned quota_v2(const char *dir)
{
	char line[64];
	long long quota;
	long long period;

	/* Without a limit the first word is "max". */
	if (!read_line(dir, "cpu.max", line, sizeof(line)) ||
	    sscanf(line, "%lld %lld", &quota, &period) != 2)
		return UINT_MAX;
	return millicores(quota, period);
}

/*
 * The least of what the group and all above it have.  In a container the upper
 * part of the path may name what is not visible there: it is passed over.
 */
static unsigned least_upwards(const char *mount, const char *group,
			      unsigned (*look)(const char *dir))
{
	char dir[PATH_MAX];
	const size_t top = strlen(mount);
	unsigned least;
	unsigned found;

	if (snprintf(dir, sizeof(dir), "%s%s", mount, group) >=
	    (int)sizeof(dir))
		return UINT_MAX;
	least = look(dir);
	while (strlen(dir) > top) {
		*strrchr(dir, '/') = '\0';
		found = look(dir);
		least = found < least ? found : least;
	}
	return least;
}

/* The files to read in the folder of a control group, for each version. */
struct looks {
	unsigned (*v1)(const char *dir);
	unsigned (*v2)(const char *dir);
};

/*
 * Reads one line "ID:CONTROLLERS:GROUP" of /proc/self/cgroup; version 2 names
 * no controllers.
 */
static unsigned least_of_line(const char *root, char *line,
			      const struct looks *looks)
{
	char mount[PATH_MAX];
	char controllers[256];
	char *first = strchr(line, ':');
	char *second = first ? strchr(first + 1, ':') : NULL;

	if (!second || second[1] != '/')
		return UINT_MAX;
	*second = '\0';
	snprintf(controllers, sizeof(controllers), ",%s,", first + 1);
	snprintf(mount, sizeof(mount), "%s" CGROUPS, root);
	if (strcmp(controllers, ",,") == 0)
		return least_upwards(mount, second + 1, looks->v2);
	if (!strstr(controllers, ",cpu,"))
		return UINT_MAX;
	snprintf(mount, sizeof(mount), "%s" CGROUPS "/cpu", root);
	return least_upwards(mount, second + 1, looks->v1);
}

static unsigned least_of_groups(const char *root, const struct looks *looks)
{
	char line[PATH_MAX + 256];
	unsigned least = UINT_MAX;
	unsigned found;
	FILE *file;

	snprintf(line, sizeof(line), "%s/proc/self/cgroup", root);
	file = fopen(line, "re");
	if (!file)
		return least;
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		found = least_of_line(root, line, looks);
		least = found < least ? found : least;
	}
	fclose(file);
	return least;
}

unsigned cores_quota(const char *root)
{
	return least_of_groups(root, &(struct looks){ quota_v1, quota_v2 });
}

static bool has(const char *dir, const char *name)
{
	char line[64];

	return read_line(dir, name, line, sizeof(line));
}

/* 0 if cores go by this group; the root of all is none. */
static unsigned group_v1(const char *dir)
{
	const bool root = has(dir, "release_agent");

	return has(dir, "cpu.shares") && !root ? 0 : UINT_MAX;
}

static unsigned group_v2(const char *dir)
{
	return has(dir, "cpu.weight") ? 0 : UINT_MAX;
}

static bool in_group(const char *root)
{
	return least_of_groups(root, &(struct looks){ group_v1, group_v2 }) ==
	       0;
}

bool cores_go_by_session(const char *root)
{
	char dir[PATH_MAX];
	char line[64];

	snprintf(dir, sizeof(dir), "%s/proc/sys/kernel", root);
	return read_line(dir, "sched_autogroup_enabled", line, sizeof(line)) &&
	       strcmp(line, "1\n") == 0 && !in_group(root);
}

/* The quota of this process, read once: that takes some ten system calls. */
static unsigned quota_mine(void)
{
	static unsigned quota; /* 0: not read */

	if (!quota)
		quota = cores_quota("");
	return quota;
}

/* glibc's call takes any size, but then also hides how much was filled in. */
void cores_mine(struct cores *cores)
{
	memset(cores->mask, 0, sizeof(cores->mask));
	if (syscall(SYS_sched_getaffinity, 0, sizeof(cores->mask),
		    cores->mask) <= 0)
		memset(cores->mask, 0xff, sizeof(cores->mask));
	cores->quota = quota_mine();
}

unsigned cores_millicores(const struct cores *cores)
{
	unsigned count = 0;

	for (size_t i = 0; i < sizeof(cores->mask); i++)
		count += (unsigned)__builtin_popcount(cores->mask[i]);
	count = count ? count * 1000 : 1;
	return cores->quota < count ? cores->quota : count;
}
