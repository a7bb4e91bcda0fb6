/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The folder of a record, and its files: made under another name, filled, and
 * shown by renaming.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mds/base/descriptor.h"
#include "mds/record/record_file.h"

#define TRIES      1000
#define ROOM_LEAST 4096

mode_t record_file_mask = 077;

/* Makes the temporary names of this process differ. */
static _Atomic unsigned n_files;

static size_t append(char *to, size_t len, const char *text)
{
	const size_t n = strlen(text);

	if (len + n <= NAME_MAX)
		memcpy(to + len, text, n + 1);
	return len + n;
}

/* Avoids stdio, which signal handlers may not use. */
static char *append_digits(char *to, unsigned number)
{
	char text[12];
	char *p = text + sizeof(text);

	*--p = '\0';
	do {
		*--p = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	return stpcpy(to, p);
}

static size_t append_number(char *to, size_t len, unsigned number)
{
	char text[12];

	append_digits(text, number);
	return append(to, append(to, len, "."), text);
}

static int set_names(struct record_file *file, const char *name)
{
	char *to = file->temporary;
	size_t len = append(to, append(to, 0, "."), name);

	append(file->name, 0, name);
	len = append_number(to, len, (unsigned)getpid());
	len = append_number(to, len, atomic_fetch_add(&n_files, 1));
	return len > NAME_MAX ? -ENAMETOOLONG : 0;
}

int record_file_make_dir(const char *dir)
{
	return mkdir(dir, 0777 & ~record_file_mask) < 0 ? -errno : 0;
}

bool record_file_dir_is_safe(const char *dir)
{
	struct stat st;

	return lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() &&
	       (st.st_mode & 022 & record_file_mask) == 0;
}

static int open_dir(const char *dir)
{
	const int rc = record_file_make_dir(dir);
	int fd;

	if (rc != 0 && rc != -EEXIST)
		return rc;
	fd = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * Refuses a folder of another user, where its owner could replace our record
 * under its name.  It compares owners of the folder and of a new file, since a
 * file server may map our user id.
 */
static bool is_of_one_owner(const struct record_file *file)
{
	struct stat dir;
	struct stat own;

	return fstat(file->dir, &dir) == 0 && fstat(file->fd, &own) == 0 &&
	       dir.st_uid == own.st_uid;
}

/* A temporary name that exists belongs to another process or an earlier run, so
 * the next one is tried. */
static int open_new(struct record_file *file, const char *name)
{
	int rc = -EEXIST;

	for (int i = 0; rc == -EEXIST && i < TRIES; i++) {
		rc = set_names(file, name);
		if (rc < 0)
			return rc;
		file->fd = openat(file->dir, file->temporary,
				  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
				  0666 & ~record_file_mask);
		rc = file->fd < 0 ? -errno : 0;
	}
	return rc;
}

int record_file_open(struct record_file *file, const char *dir,
		     const char *name)
{
	int rc;

	file->shown = false;
	file->unnamed = false;
	file->kept = false;
	file->dir = open_dir(dir);
	if (file->dir < 0)
		return file->dir;
	rc = open_new(file, name);
	if (rc == 0 && !is_of_one_owner(file)) {
		rc = -EPERM;
		unlinkat(file->dir, file->temporary, 0);
		close(file->fd);
	}
	if (rc < 0)
		close(file->dir);
	return rc;
}

static int identify(int fd, struct record_file_id *id)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return -errno;
	*id = (struct record_file_id){ st.st_dev, st.st_ino };
	return 0;
}

static int identify_both(struct record_file *file)
{
	const int rc = identify(file->dir, &file->dir_id);

	return rc < 0 ? rc : identify(file->fd, &file->id);
}

static bool is_that(int fd, const struct record_file_id *id)
{
	struct record_file_id now;

	return identify(fd, &now) == 0 && now.device == id->device &&
	       now.inode == id->inode;
}

/* Reserves as much room on the disk as there is. */
static void take_room(int fd, size_t room)
{
	while (room >= ROOM_LEAST &&
	       fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)room) != 0 &&
	       errno == ENOSPC)
		room /= 2;
}

int record_file_reserve(struct record_file *file, const char *dir,
			const char *name, size_t room)
{
	int rc = set_names(file, name);

	file->shown = false;
	file->unnamed = true;
	file->kept = false;
	file->room = room > 0;
	if (rc < 0)
		return rc;
	file->dir = open_dir(dir);
	if (file->dir < 0)
		return file->dir;
	file->dir = descriptor_move_up(file->dir);
	file->fd = openat(file->dir, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC,
			  0666 & ~record_file_mask);
	rc = file->fd < 0 ? -errno : 0;
	if (rc != 0)
		goto no_file;
	file->fd = descriptor_move_up(file->fd);
	rc = is_of_one_owner(file) ? identify_both(file) : -EPERM;
	if (rc == 0) {
		take_room(file->fd, room);
		return 0;
	}
	close(file->fd);
no_file:
	close(file->dir);
	return rc;
}

int record_file_keep(struct record_file *file, const char *dir,
		     const char *name)
{
	int rc = record_file_open(file, dir, name);

	if (rc < 0)
		return rc;
	file->dir = descriptor_move_up(file->dir);
	file->fd = descriptor_move_up(file->fd);
	rc = identify_both(file);
	if (rc < 0)
		record_file_close(file, false);
	else
		file->kept = true;
	return rc;
}

int record_file_empty(const struct record_file *file)
{
	if (!record_file_is_there(file))
		return -EBADF;
	if (ftruncate(file->fd, 0) < 0 || lseek(file->fd, 0, SEEK_SET) < 0)
		return -errno;
	return 0;
}

void record_file_drop(struct record_file *file)
{
	file->kept = false;
	if (record_file_is_there(file))
		record_file_close(file, false);
}

bool record_file_is_there(const struct record_file *file)
{
	return is_that(file->dir, &file->dir_id) &&
	       is_that(file->fd, &file->id);
}

static int write_all(int fd, const unsigned char *bytes, size_t size)
{
	ssize_t n;

	for (; size > 0; bytes += n, size -= (size_t)n) {
		do
			n = write(fd, bytes, size);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO;
	}
	return 0;
}

/*
 * A write above the file size limit (ulimit -f) must fail for us, and not end
 * the program.  So its signal is blocked during the write, and removed if it
 * came.
 */
int record_file_write(struct record_file *file, const unsigned char *bytes,
		      size_t size)
{
	const struct timespec now = { 0, 0 };
	sigset_t limit;
	sigset_t before;
	int rc;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	rc = write_all(file->fd, bytes, size);
	if (rc == -EFBIG)
		sigtimedwait(&limit, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

/* Gives back room that was reserved and not used. */
static int name_reserved(struct record_file *file)
{
	const off_t size = lseek(file->fd, 0, SEEK_CUR);
	char own[32];
	int rc;

	if (size < 0 || (file->room && ftruncate(file->fd, size) != 0))
		return -errno;
	append_digits(stpcpy(own, "/proc/self/fd/"), (unsigned)file->fd);
	do {
		rc = linkat(AT_FDCWD, own, file->dir, file->temporary,
			    AT_SYMLINK_FOLLOW) == 0
			     ? 0
			     : -errno;
		if (rc == -EEXIST && set_names(file, file->name) < 0)
			return -ENAMETOOLONG;
	} while (rc == -EEXIST);
	file->unnamed = rc != 0;
	return rc;
}

int record_file_show(struct record_file *file)
{
	const int rc = file->unnamed ? name_reserved(file) : 0;

	if (rc != 0)
		return rc;
	if (renameat(file->dir, file->temporary, file->dir, file->name) < 0)
		return -errno;
	file->shown = true;
	return 0;
}

/* Whether the file or its folder was removed, so that its content is lost. */
static bool is_removed(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

int record_file_close(struct record_file *file, bool good)
{
	int rc = 0;

	if (file->kept)
		return good ? 0 : record_file_empty(file);
	if (file->shown && is_removed(file->fd))
		rc = -ENOENT;
	else if (good && file->unnamed)
		rc = record_file_show(file);
	/* A full quota may show only now (NFS). */
	if (close(file->fd) < 0 && errno != EINTR)
		rc = -errno;
	if (good && rc == 0 && !file->shown)
		rc = record_file_show(file);
	if (!file->shown && !file->unnamed)
		unlinkat(file->dir, file->temporary, 0);
	close(file->dir);
	return rc;
}
