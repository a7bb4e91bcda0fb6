/* SPDX-License-Identifier: BSD-3-Clause */

/* Preloaded: a kernel that has no memfd_create. */
#include <errno.h>

int memfd_create(const char *name, unsigned flags);

int memfd_create(const char *name, unsigned flags)
{
	(void)name;
	(void)flags;
	errno = ENOSYS;
	return -1;
}
