/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/place.h"
#include "analyzer/launch/linked.h"
#include "analyzer/launch/preload.h"

/*
 * A program that is linked with AddressSanitizer's library refuses to start
 * where another is preloaded, for it wants to be the first.  Ours calls nothing
 * that would have to be seen by it.
 */
static void asan_allow(void)
{
	static const char order[] = "verify_asan_link_order";
	const char *options = getenv("ASAN_OPTIONS");
	char *value;

	if (options && strstr(options, order))
		return;
	value = mem_print("%s%s%s=0", options ? options : "",
			  options && *options ? ":" : "", order);
	setenv("ASAN_OPTIONS", value, 1);
	free(value);
}

/*
 * Open MPI's launcher hands the other recorder to its ranks by itself
 * (pmpi-shim/mpich/handover.c).  A build with Open MPI has that one alone.
 */
static int find(char *path, char *const *command)
{
	const bool is_other = linked_with_open_mpi(command);

	if (!is_other && place_find(path, place_preload, PLACE_PRELOAD) == 0)
		return 0;
	if (place_find(path, place_preload, PLACE_PRELOAD_OMPI) == 0)
		return 0;
	say_error("%s",
		  is_other ? place_no_preload_ompi() : place_no_preload());
	return -ENOENT;
}

static int put_first(const char *path, const char *others)
{
	char *value;

	if (strpbrk(path, " :")) {
		say_error("%s: the loader takes no path with a blank or a "
			  "colon; install it elsewhere",
			  path);
		return -EINVAL;
	}
	value = mem_print("%s%s%s", path, *others ? ":" : "", others);
	setenv("LD_PRELOAD", value, 1);
	free(value);
	return 0;
}

int preload_set(char *const *command)
{
	const char *others = getenv("LD_PRELOAD");
	char path[PATH_MAX];
	int rc = 0;

	if (!others)
		others = "";
	/* The user knows better, as of a Python program of Open MPI. */
	if (!strstr(others, PLACE_PRELOAD_OMPI)) {
		rc = find(path, command);
		if (rc == 0)
			rc = put_first(path, others);
	}
	if (rc == 0)
		asan_allow();
	return rc;
}
