/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Makes and maps the flight recorder's file.  A page of a mapping that finds no
 * room on the disk is SIGBUS at its first use.  So the room is taken, and each
 * page written, at the start, where a failure is an error code.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mds/flight/flight_file.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define BLOCK 4096

/* A file above its limit (ulimit -f) would be a signal. */
static bool is_within_limit(uint32_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

static int write_zeroes(struct record_file *file, uint32_t bytes)
{
	static const unsigned char zeroes[BLOCK];
	int rc = 0;

	for (uint32_t n = 0; n < bytes && rc == 0; n += BLOCK)
		rc = record_file_write(file, zeroes, BLOCK);
	return rc;
}

/* Some file systems cannot reserve room: there, zeroes take it. */
static int take_room(struct record_file *file, uint32_t bytes)
{
	if (!is_within_limit(bytes))
		return -EFBIG;
	if (fallocate(file->fd, 0, 0, bytes) == 0)
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS
		       ? write_zeroes(file, bytes)
		       : -errno;
}

/* Older kernels than 5.14 do not know it: their pages come at first use. */
static int map(struct flight_file *file)
{
	file->memory = mmap(NULL, file->bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED, file->file.fd, 0);
	if (file->memory == MAP_FAILED)
		return -errno;
	if (madvise(file->memory, file->bytes, MADV_POPULATE_WRITE) == 0 ||
	    errno == EINVAL)
		return 0;
	munmap(file->memory, file->bytes);
	return -ENOSPC;
}

int flight_file_make(struct flight_file *file, const char *dir,
		     const char *name, uint32_t bytes)
{
	int rc = record_file_open(&file->file, dir, name);

	if (rc != 0)
		return rc;
	file->bytes = bytes;
	snprintf(file->path, sizeof(file->path), "%s/%s", dir, name);
	rc = take_room(&file->file, bytes);
	if (rc == 0)
		rc = map(file);
	if (rc != 0)
		record_file_close(&file->file, false);
	return rc;
}

int flight_file_show(struct flight_file *file)
{
	return record_file_close(&file->file, true);
}

void flight_file_remove(const struct flight_file *file)
{
	unlink(file->path);
}
