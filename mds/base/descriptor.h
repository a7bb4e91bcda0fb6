/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DESCRIPTOR_H
#define BCS_DESCRIPTOR_H

#include <fcntl.h>
#include <unistd.h>

#define DESCRIPTOR_HIGH 40

/*
 * Moves our descriptor up, so that the program's files get the numbers that
 * they get without us.  Not above 63: the kernel would enlarge its table, which
 * stalls threads for 10 ms.
 */
static inline int descriptor_move_up(int fd)
{
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, DESCRIPTOR_HIGH);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

#endif
