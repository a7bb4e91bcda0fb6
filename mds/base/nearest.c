/* SPDX-License-Identifier: BSD-3-Clause */
#include "mds/base/nearest.h"

#include <string.h>

#define LETTERS 63 /* longer names are not compared */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters to add, drop or change until `a` is `b` (Levenshtein). */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[LETTERS + 1];
	unsigned diagonal;
	unsigned above;

	for (unsigned j = 0; j <= strlen(b); j++)
		row[j] = j;
	for (unsigned i = 0; a[i]; i++) {
		diagonal = row[0];
		row[0] = i + 1;
		for (unsigned j = 0; b[j]; j++) {
			above = row[j + 1];
			row[j + 1] = least(diagonal + (a[i] != b[j]),
					   least(above, row[j]) + 1);
			diagonal = above;
		}
	}
	return row[strlen(b)];
}

const char *nearest_name(const char *mistyped, const char *const *names)
{
	const size_t length = strlen(mistyped);
	unsigned best = (unsigned)(length + 2) / 3;
	const char *nearest = NULL;
	unsigned letters;

	if (length > LETTERS)
		return NULL;
	for (; *names; names++) {
		if (strlen(*names) > LETTERS)
			continue;
		letters = distance(mistyped, *names);
		if (letters <= best && (!nearest || letters < best)) {
			best = letters;
			nearest = *names;
		}
	}
	return nearest;
}
