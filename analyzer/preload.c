/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/mem.h"
#include "analyzer/place.h"
#include "analyzer/preload.h"
#include "analyzer/say.h"

int preload_set(void)
{
	const char *others = getenv("LD_PRELOAD");
	char path[PATH_MAX];
	char *value;

	if (place_find(path, place_preload, PLACE_PRELOAD) != 0) {
		say_error(PLACE_PRELOAD " is neither beside this command's "
					"build nor installed");
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
	return 0;
}
