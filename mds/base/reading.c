/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens a file from outside, unless it is of a kind that is not wanted. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/base/reading.h"

static int check(mode_t mode, enum reading_from from)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return 0;
	case S_IFDIR:
		return -EISDIR;
	case S_IFLNK:
		return -ELOOP;
	case S_IFIFO:
		return from == READING_ARGUMENT ? 0 : -ESPIPE;
	case S_IFCHR:
		return from == READING_ARGUMENT ? 0 : -ENOTBLK;
	case S_IFBLK:
		return -ENOTBLK;
	default:
		return -ENOTSOCK;
	}
}

/* Checks before opening, since opening a device may act on it. */
static int check_name(const char *path, enum reading_from from)
{
	struct stat st;
	const int rc = from == READING_RECORD ? lstat(path, &st)
					      : stat(path, &st);

	return rc < 0 ? -errno : check(st.st_mode, from);
}

/* Checks again after opening: the file may have been replaced meanwhile. */
static int check_opened(int fd, enum reading_from from)
{
	struct stat st;

	return fstat(fd, &st) < 0 ? -errno : check(st.st_mode, from);
}

int reading_open(const char *path, enum reading_from from)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
	int rc = check_name(path, from);
	int fd;

	if (rc < 0)
		return rc;
	if (from != READING_ARGUMENT)
		flags |= O_NONBLOCK;
	if (from == READING_RECORD)
		flags |= O_NOFOLLOW;
	fd = open(path, flags);
	if (fd < 0)
		return -errno;
	rc = check_opened(fd, from);
	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}

const char *reading_text(int rc, enum reading_from from)
{
	const int error = -rc;

	if (error == EISDIR)
		return "is a folder, not a file: name a file in it";
	if (error == ELOOP && from == READING_RECORD)
		return "is a symbolic link: put the file itself in its place";
	if (error == ESPIPE)
		return "is a pipe, not a file: save what it gives in a file";
	if (error == ENOTBLK)
		return "is a device, not a file: name a regular file";
	if (error == ENOTSOCK)
		return "is a socket, not a file: name a regular file";
	return strerror(error);
}
