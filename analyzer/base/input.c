/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a whole input file, or stdin, up to a limit. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/input.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"

#define INPUT_MAX (64u << 20)

static bool is_too_large(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size >= INPUT_MAX;
}

/* Reads up to INPUT_MAX bytes.  Returns 0 or -errno. */
static int read_all(int fd, char **text, size_t *size)
{
	size_t room = 0;
	size_t n = 0;
	ssize_t got;

	if (is_too_large(fd))
		return -EFBIG;
	do {
		*text = mem_grow(*text, &room, n, 1);
		got = read(fd, *text + n, room - n);
		n += got > 0 ? (size_t)got : 0;
	} while (n < INPUT_MAX && (got > 0 || (got < 0 && errno == EINTR)));
	*size = n;
	if (got < 0)
		return -errno;
	return n >= INPUT_MAX ? -EFBIG : 0;
}

char *input_read(const char *path, enum reading_from from, size_t *size)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	const int fd = is_stdin ? STDIN_FILENO : reading_open(path, from);
	char *text = NULL;
	int rc = fd < 0 ? fd : read_all(fd, &text, size);

	if (fd >= 0 && !is_stdin)
		close(fd);
	if (rc == 0)
		return text;
	if (rc == -EFBIG)
		say_error("%s: has more than %u MiB", path, INPUT_MAX >> 20);
	else
		say_error("%s: %s", path, reading_text(rc, from));
	free(text);
	return NULL;
}
