/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Makes the memory of a board as a file of the kernel, and joins it by a ticket
 * through /proc.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libbcs/base/board_memory.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* A file above its limit (ulimit -f) would be a signal. */
static bool is_within_limit(uint64_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

static void *map(int fd, uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    0);

	return memory == MAP_FAILED ? NULL : memory;
}

static bool is_that(int fd, const struct board_ticket *ticket)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == ticket->device &&
	       st.st_ino == ticket->inode;
}

static bool ticket_fill(struct board_ticket *ticket, int fd, uint64_t bytes)
{
	struct stat st;

	if (!is_within_limit(bytes) || ftruncate(fd, (off_t)bytes) != 0 ||
	    fstat(fd, &st) != 0)
		return false;
	*ticket = (struct board_ticket){ .pid = getpid(),
					 .fd = fd,
					 .device = st.st_dev,
					 .inode = st.st_ino,
					 .bytes = bytes };
	return true;
}

void *board_memory_make(struct board_ticket *ticket, uint64_t bytes)
{
	const int fd = memfd_create("bcs-board", MFD_CLOEXEC);
	void *memory = NULL;

	*ticket = (struct board_ticket){ .fd = -1 };
	if (fd < 0)
		return NULL;
	if (ticket_fill(ticket, fd, bytes))
		memory = map(fd, bytes);
	if (!memory) {
		ticket->fd = -1;
		close(fd);
	}
	return memory;
}

void *board_memory_join(const struct board_ticket *ticket)
{
	char path[64];
	void *memory = NULL;
	int fd;

	if (ticket->fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", ticket->pid, ticket->fd);
	/* Another process of that number may have a pipe or a device there. */
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	if (is_that(fd, ticket))
		memory = map(fd, ticket->bytes);
	close(fd);
	return memory;
}

void board_memory_close(const struct board_ticket *ticket)
{
	if (ticket->fd >= 0)
		close(ticket->fd);
}

void board_memory_free(void *memory, uint64_t bytes)
{
	if (memory)
		munmap(memory, bytes);
}

int board_memory_take(void *memory, uint64_t bytes)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t from = (uintptr_t)memory & ~(page - 1);
	const uintptr_t to = (uintptr_t)memory + bytes;

	if (madvise((void *)from, (to - from + page - 1) & ~(page - 1),
		    MADV_POPULATE_WRITE) == 0)
		return 0;
	return errno == EINVAL ? 0 : -errno; /* a kernel before 5.14 */
}
