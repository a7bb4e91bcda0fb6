/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/cli/place.h"

const char *const place_preload[] = { "../pmpi-shim", BCS_LIB_FROM_BIN, NULL };

const char *place_no_preload(void)
{
	return strcmp(BCS_MPI, "mpich") == 0
		       ? PLACE_PRELOAD " is neither beside this command's "
				       "build nor installed"
		       : PLACE_PRELOAD " needs MPICH, and this is a build "
				       "with Open MPI (meson setup "
				       "-Dmpi=mpich makes one)";
}

const char *place_no_preload_ompi(void)
{
	return "this is a program of Open MPI, and " PLACE_PRELOAD_OMPI
	       " is neither beside this command's build nor installed (meson "
	       "setup -Dopenmpi=enabled makes one)";
}

/* The folder that this program is in, with a slash at the end. */
static int own_folder(char *folder)
{
	const ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	/* A container may have no /proc. */
	if (len < 0 && !realpath((char *)getauxval(AT_EXECFN), folder))
		return -errno;
	if (len >= 0)
		folder[len] = '\0';
	strrchr(folder, '/')[1] = '\0';
	return 0;
}

int place_find(char *path, const char *const folders[], const char *file)
{
	char folder[PATH_MAX];
	char *candidate;
	int rc = own_folder(folder);

	for (; rc == 0 && *folders; folders++) {
		candidate = mem_print("%s%s/%s", folder, *folders, file);
		if (realpath(candidate, path)) {
			free(candidate);
			return 0;
		}
		free(candidate);
	}
	return rc ? rc : -ENOENT;
}
