/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/input.h"
#include "analyzer/mem.h"
#include "analyzer/say.h"

#define INPUT_MAX (64u << 20)

static char *read_all(FILE *from, size_t *size)
{
	char *text = NULL;
	size_t room = 0;
	size_t n = 0;
	size_t got;

	do {
		text = mem_grow(text, &room, n, 1);
		got = fread(text + n, 1, room - n, from);
		n += got;
	} while (got && n < INPUT_MAX);
	*size = n;
	return text;
}

char *input_read(const char *path, size_t *size)
{
	char *text = NULL;
	FILE *from;

	errno = 0;
	from = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	if (from)
		text = read_all(from, size);
	if (!from || ferror(from)) {
		say_error("%s: %s", path, strerror(errno));
		free(text);
		text = NULL;
	} else if (*size >= INPUT_MAX) {
		say_error("%s: has more than %u MiB", path, INPUT_MAX >> 20);
		free(text);
		text = NULL;
	}
	if (from && from != stdin)
		fclose(from);
	return text;
}
