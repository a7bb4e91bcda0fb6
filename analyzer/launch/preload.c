/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/place.h"
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

int preload_set(void)
{
	const char *others = getenv("LD_PRELOAD");
	char path[PATH_MAX];
	char *value;

	if (place_find(path, place_preload, PLACE_PRELOAD) != 0) {
		say_error("%s", place_no_preload());
		return -ENOENT;
	}
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
	asan_allow();
	return 0;
}
