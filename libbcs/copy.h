/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COPY_H
#define BCS_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/*
 * Bytes from the memory of one process to that of another, copied once, by one
 * of the two, while the other does something else.
 */

/*
 * Lets any other process of this user copy from and to this one, as the kernel
 * may ask for (Yama).  Returns 0, also where it does not ask; or -errno.
 */
int copy_allow(void);

/*
 * Whether copying from and to process `pid` works here: it has to have called
 * copy_allow, and to have `expected` in the word at its address `remote`.
 * Returns 0; -EPERM or -ENOSYS if the kernel forbids it, -ESRCH or -EFAULT; or
 * -ENXIO if there is another word: `pid` is a process of that number, but not
 * the one that was meant, which lives in another pid namespace.
 */
int copy_probe(pid_t pid, const void *remote, uint64_t expected);

/*
 * Copy from, and to, the pieces of memory `remote` of process `pid`, in order
 * and as much as the shorter of both lists holds.  The lists may be of any
 * length and size, pieces may be empty; both are only read.
 *
 * Returns 0; -ESRCH if the process is gone, -EFAULT if memory of either is not
 * there, -EPERM.  Some of it may have been copied then.  Any thread.
 */
int copy_read(pid_t pid, const struct iovec *local, size_t n_local,
	      const struct iovec *remote, size_t n_remote);
int copy_write(pid_t pid, const struct iovec *local, size_t n_local,
	       const struct iovec *remote, size_t n_remote);

#endif
