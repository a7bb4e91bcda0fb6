/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * process_vm_readv and process_vm_writev take up to 1024 pieces and 2 GiB at a
 * time.  Where memory is missing they stop early, even within a piece, and the
 * next call returns the error.  So the first call passes the lists as they are,
 * which is usually enough.  A loop over windows of the rest follows.  A window
 * is a copy of a part of a list: its first piece may be partly done, and the
 * caller's lists must not change.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"

typedef ssize_t (*transfer_fn)(pid_t pid, const struct iovec *local,
			       unsigned long n_local,
			       const struct iovec *remote,
			       unsigned long n_remote, unsigned long flags);

/* The rest of a list: from the byte `done` of its first piece on. */
struct rest {
	const struct iovec *pieces;
	size_t n;
	size_t done;
};

/* Drops `bytes`, and the empty pieces after them.  False if nothing is left. */
static bool rest_drop(struct rest *rest, size_t bytes)
{
	rest->done += bytes;
	while (rest->n > 0 && rest->done >= rest->pieces->iov_len) {
		rest->done -= rest->pieces->iov_len;
		rest->pieces++;
		rest->n--;
	}
	return rest->n > 0;
}

static bool both_drop(struct rest *local, struct rest *remote, size_t bytes)
{
	bool more = rest_drop(local, bytes);

	return rest_drop(remote, bytes) && more;
}

/* The rest must not be empty.  Returns the pieces of the window. */
static size_t rest_window(const struct rest *rest, struct iovec *window)
{
	const struct iovec *first = rest->pieces;
	size_t n = copy_at_most(rest->n, COPY_WINDOW);

	window[0].iov_base = (char *)first->iov_base + rest->done;
	window[0].iov_len = first->iov_len - rest->done;
	for (size_t i = 1; i < n; i++)
		window[i] = first[i];
	return n;
}

/* The bytes that were copied, or -errno. */
static ssize_t transfer_once(transfer_fn transfer, pid_t pid,
			     const struct iovec *local, size_t n_local,
			     const struct iovec *remote, size_t n_remote)
{
	ssize_t n;

	do
		n = transfer(pid, local, n_local, remote, n_remote, 0);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static ssize_t transfer_window(transfer_fn transfer, pid_t pid,
			       const struct rest *local,
			       const struct rest *remote)
{
	struct iovec here[COPY_WINDOW], there[COPY_WINDOW];
	const size_t n_here = rest_window(local, here);
	const size_t n_there = rest_window(remote, there);

	return transfer_once(transfer, pid, here, n_here, there, n_there);
}

static int transfer_rest(transfer_fn transfer, pid_t pid, struct rest *local,
			 struct rest *remote, size_t done)
{
	while (both_drop(local, remote, done)) {
		ssize_t n = transfer_window(transfer, pid, local, remote);

		if (n <= 0) /* no error, yet nothing: it would go on for ever */
			return n < 0 ? (int)n : -EIO;
		done = (size_t)n;
	}
	return 0;
}

/* The first call takes the lists as they are, and is the last one mostly. */
static int transfer_all(transfer_fn transfer, pid_t pid,
			const struct iovec *local, size_t n_local,
			const struct iovec *remote, size_t n_remote)
{
	struct rest here = { .pieces = local, .n = n_local };
	struct rest there = { .pieces = remote, .n = n_remote };
	ssize_t n = transfer_once(transfer, pid, local,
				  copy_at_most(n_local, IOV_MAX), remote,
				  copy_at_most(n_remote, IOV_MAX));

	if (n < 0)
		return (int)n;
	return transfer_rest(transfer, pid, &here, &there, (size_t)n);
}

/*
 * Yama's setting. 1: a process must allow others to copy.  Without Yama the
 * file does not exist.
 */
static char ptrace_scope(void)
{
	const int fd = open("/proc/sys/kernel/yama/ptrace_scope",
			    O_RDONLY | O_CLOEXEC);
	char scope = '0';

	if (fd < 0)
		return scope;
	if (read(fd, &scope, 1) != 1)
		scope = '1';
	close(fd);
	return scope;
}

static bool allowed;

int copy_allow(void)
{
	if (ptrace_scope() != '1')
		return 0;
	if (prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0) == 0)
		allowed = true;
	else if (errno != EINVAL) /* a kernel without Yama */
		return -errno;
	return 0;
}

void copy_forbid(void)
{
	if (allowed)
		prctl(PR_SET_PTRACER, 0, 0, 0, 0);
	allowed = false;
}

int copy_probe(pid_t pid, const void *remote, uint64_t expected)
{
	uint64_t word = ~expected;
	const struct iovec here = { .iov_base = &word,
				    .iov_len = sizeof(word) };
	const struct iovec there = { .iov_base = (void *)(uintptr_t)remote,
				     .iov_len = sizeof(word) };
	int rc = copy_read(pid, &here, 1, &there, 1);

	if (rc == 0 && word != expected)
		return -ENXIO;
	return rc;
}

bool copy_is_refused(pid_t pid, int error)
{
	if (error == -ESRCH)
		return kill(pid, 0) == 0 || errno == EPERM;
	return error == -EPERM || error == -EACCES || error == -ENOSYS;
}

int copy_read(pid_t pid, const struct iovec *local, size_t n_local,
	      const struct iovec *remote, size_t n_remote)
{
	return transfer_all(process_vm_readv, pid, local, n_local, remote,
			    n_remote);
}

int copy_write(pid_t pid, const struct iovec *local, size_t n_local,
	       const struct iovec *remote, size_t n_remote)
{
	return transfer_all(process_vm_writev, pid, local, n_local, remote,
			    n_remote);
}
