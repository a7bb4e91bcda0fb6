/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes a page to its file.  A temporary file beside it is written first and
 * then renamed, so that no page is ever half written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/html/html_file.h"
#include "mds/base/reading.h"

/* Whether the file begins as our pages do. */
static bool is_ours(const char *path)
{
	const size_t size = strlen(HTML_PAGE_MARK);
	char text[sizeof(HTML_PAGE_MARK)];
	const int fd = reading_open(path, READING_RECORD);
	const bool ours = fd >= 0 && read(fd, text, size) == (ssize_t)size &&
			  memcmp(text, HTML_PAGE_MARK, size) == 0;

	if (fd >= 0)
		close(fd);
	return ours;
}

/* A device or pipe such as /dev/stdout holds nothing that could be lost. */
static bool is_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 &&
	       (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode));
}

static int may_write(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0 || is_ours(path))
		return 0;
	say_error("%s: is there, and is not a page of bcs html: remove it, or "
		  "name another file with --output",
		  path);
	return -EEXIST;
}

static int say_failed(const char *path, int error)
{
	say_error("%s: %s", path, strerror(error));
	return -error;
}

/* To an open file, which is closed. */
static int write_to(const struct html_page *page, FILE *to, size_t *size_p)
{
	int rc = 0;
	long size;

	errno = 0;
	html_page_write(page, to);
	size = ftell(to);
	*size_p = size > 0 ? (size_t)size : 0;
	if (fflush(to) != 0 || ferror(to))
		rc = errno ? errno : EIO;
	if (fclose(to) != 0 && rc == 0)
		rc = errno;
	return rc;
}

static int replace(const struct html_page *page, const char *path,
		   size_t *size_p)
{
	char *beside = mem_print("%s.XXXXXX", path);
	const int fd = mkstemp(beside);
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	int rc = to ? write_to(page, to, size_p) : errno;

	if (rc == 0 && rename(beside, path) != 0)
		rc = errno;
	if (rc != 0 && fd >= 0)
		unlink(beside);
	free(beside);
	return rc ? say_failed(path, rc) : 0;
}

int html_file_write(const struct html_page *page, const char *path,
		    size_t *size_p)
{
	FILE *to;
	int rc;

	*size_p = 0;
	if (strcmp(path, "-") == 0) {
		html_page_write(page, stdout);
		return 0;
	}
	if (is_device(path)) {
		to = fopen(path, "w");
		rc = to ? write_to(page, to, size_p) : errno;
		return rc ? say_failed(path, rc) : 0;
	}
	rc = may_write(path);
	return rc ? rc : replace(page, path, size_p);
}
