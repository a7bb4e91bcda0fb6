/* SPDX-License-Identifier: BSD-3-Clause */

/* Paths on a command line, in two groups with a ':' between them. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/diff/diff.h"

int diff_split(int argc, char **argv, size_t *n_a, size_t *n_b)
{
	int colon = -1;
	int colons = 0;

	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], ":") != 0)
			continue;
		colon = i;
		colons++;
	}
	if (colons == 0 && argc != 2)
		return -EINVAL;
	if (colons > 1 || colon == 0 || colon == argc - 1)
		return -EINVAL;
	*n_a = colons ? (size_t)colon : 1;
	*n_b = (size_t)argc - *n_a - (size_t)colons;
	return 0;
}

int diff_twice(int argc, char **argv)
{
	char one[PATH_MAX];
	char other[PATH_MAX];

	for (int i = 0; i < argc; i++)
		for (int j = i + 1; j < argc && strcmp(argv[j], ":") != 0; j++)
			if (realpath(argv[i], one) &&
			    realpath(argv[j], other) &&
			    strcmp(one, other) == 0) {
				say_error("%s: is in the same group twice",
					  argv[j]);
				return -EINVAL;
			}
	return 0;
}
