/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/mem.h"
#include "analyzer/preload.h"
#include "analyzer/say.h"

#define LIBRARY "libbcs-pmpi.so"

/* From the folder of the command: in a build, and installed. */
static const char *const places[] = { "../pmpi-shim", BCS_LIB_FROM_BIN };
#define N_PLACES (sizeof(places) / sizeof(places[0]))

/* The folder that this program is in, with a slash at the end. */
static int own_folder(char *folder)
{
	const ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	if (len < 0)
		return -errno;
	folder[len] = '\0';
	strrchr(folder, '/')[1] = '\0';
	return 0;
}

static int find(char *path)
{
	char folder[PATH_MAX];
	char *candidate;
	int rc = own_folder(folder);

	for (size_t i = 0; rc == 0 && i < N_PLACES; i++) {
		candidate = mem_print("%s%s/" LIBRARY, folder, places[i]);
		if (realpath(candidate, path)) {
			free(candidate);
			return 0;
		}
		free(candidate);
	}
	say_error("%s is neither beside this command's build nor installed",
		  LIBRARY);
	return -ENOENT;
}

int preload_set(void)
{
	const char *others = getenv("LD_PRELOAD");
	char path[PATH_MAX];
	char *value;
	int rc = find(path);

	if (rc != 0)
		return rc;
	if (strpbrk(path, " :")) {
		say_error("%s: the loader takes no path with a blank or a "
			  "colon; install it elsewhere",
			  path);
		return -EINVAL;
	}
	value = mem_print("%s%s%s", path, others && *others ? ":" : "",
			  others ? others : "");
	setenv("LD_PRELOAD", value, 1);
	free(value);
	return 0;
}
