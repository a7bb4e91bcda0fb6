/* SPDX-License-Identifier: BSD-3-Clause */

/* Preloaded: a kernel that has little. */
#include <errno.h>
#include <sys/types.h>
#include <sys/uio.h>

int memfd_create(const char *name, unsigned flags);
ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n_to,
			 const struct iovec *from, unsigned long n_from,
			 unsigned long flags);

int memfd_create(const char *name, unsigned flags)
{
	(void)name;
	(void)flags;
	errno = ENOSYS;
	return -1;
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n_to,
			 const struct iovec *from, unsigned long n_from,
			 unsigned long flags)
{
	(void)pid;
	(void)to;
	(void)n_to;
	(void)from;
	(void)n_from;
	(void)flags;
	errno = EPERM;
	return -1;
}
