/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COPY_H
#define BCS_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "libbcs/base/tuning.h"

/*
 * Copies from the memory of one process to that of another, once, by either of
 * the two.  The other one may do something else meanwhile.
 */

/*
 * Lets other processes of this user copy from and to this one where Yama's
 * ptrace_scope is 1.  With 0 they may anyway; above 1 it cannot be allowed.
 * Returns 0 or -errno.  copy_forbid takes it back.
 */
int copy_allow(void);
void copy_forbid(void);

/*
 * Tests whether this process can copy from and to process `pid`, which has
 * called copy_allow and has `expected` in the word at its address `remote`.
 * Returns 0; -EPERM or -ENOSYS if the kernel forbids it; -ESRCH; -EFAULT;
 * -ENXIO if another word is there.  In another pid namespace `pid` names
 * another process.
 */
int copy_probe(pid_t pid, const void *remote, uint64_t expected);

/*
 * Copy from, and to, the pieces `remote` of process `pid`'s memory, in order,
 * up to the shorter list's total.  Lists may have any length, pieces may be
 * empty.
 *
 * Return 0; -ESRCH if the process is gone; -EFAULT if memory of either side is
 * not mapped; -EPERM.  After an error a part may have been copied.  Any thread
 * may call them.
 */
int copy_read(pid_t pid, const struct iovec *local, size_t n_local,
	      const struct iovec *remote, size_t n_remote);
int copy_write(pid_t pid, const struct iovec *local, size_t n_local,
	       const struct iovec *remote, size_t n_remote);

/*
 * True if a copy from or to `pid` failed with `error` because the kernel
 * forbids it, though the process lives: it may have called setuid.
 */
bool copy_is_refused(pid_t pid, int error);

static inline uint64_t copy_at_most(uint64_t bytes, uint64_t limit)
{
	return bytes < limit ? bytes : limit;
}

/*
 * True if `to` begins less than a cache line after `from`, modulo a page: rep
 * movsb takes some five times as long then.
 */
static inline bool copy_lies_badly(const void *to, const void *from)
{
	const uint64_t behind = ((uintptr_t)to - (uintptr_t)from) % 4096;

	return behind > 0 && behind < 64;
}

static inline bool copy_is_whole(const void *to, const void *from,
				 uint64_t bytes)
{
	return bytes >= COPY_WHOLE && !copy_lies_badly(to, from);
}

/* Up to COPY_FEW bytes, by overlapping words: faster than a call of memcpy. */
static inline void copy_few(void *to_p, const void *from_p, uint64_t bytes)
{
	const char *from = from_p;
	char *to = to_p;
	const uint64_t last = bytes - 1;

	if (bytes >= 8) {
		memcpy(to, from, 8);
		memcpy(to + bytes - 8, from + bytes - 8, 8);
	} else if (bytes >= 4) {
		memcpy(to, from, 4);
		memcpy(to + bytes - 4, from + bytes - 4, 4);
	} else if (bytes) {
		to[0] = from[0];
		to[last / 2] = from[last / 2];
		to[last] = from[last];
	}
}

/* A copy within this process's address space. */
static inline void copy_here(void *to, const void *from, uint64_t bytes)
{
	uint64_t done = 0;

	if (bytes <= COPY_FEW) {
		copy_few(to, from, bytes);
		return;
	}
	if (copy_is_whole(to, from, bytes)) {
		memcpy(to, from, bytes);
		return;
	}
	for (; bytes - done > COPY_PIECE; done += COPY_PIECE)
		memcpy((char *)to + done, (const char *)from + done,
		       COPY_PIECE);
	memcpy((char *)to + done, (const char *)from + done, bytes - done);
}

/*
 * Like copy_here, where another core may have the cache lines of one side:
 * prefetches a piece ahead, so that several lines come at a time.
 */
static inline void copy_ahead(void *to, const void *from, uint64_t bytes,
			      bool away)
{
	uint64_t asked = 0;
	uint64_t done;
	uint64_t n;

	if (bytes <= COPY_FEW) {
		copy_few(to, from, bytes);
		return;
	}
	if (copy_is_whole(to, from, bytes)) {
		memcpy(to, from, bytes);
		return;
	}
	for (done = 0; done < bytes; done += n) {
		for (; asked < done + 2 * COPY_PIECE && asked < bytes;
		     asked += 64)
			if (away)
				__builtin_prefetch((char *)to + asked, 1);
			else
				__builtin_prefetch((const char *)from + asked);
		n = copy_at_most(bytes - done, COPY_PIECE);
		memcpy((char *)to + done, (const char *)from + done, n);
	}
}

/*
 * Prefetch the lines that are read, or those that are written.  Written lines
 * are prefetched for writing: fetched for reading, they cost a second transfer.
 */
static inline void copy_in(void *to, const void *from, uint64_t bytes)
{
	copy_ahead(to, from, bytes, false);
}

static inline void copy_away(void *to, const void *from, uint64_t bytes)
{
	copy_ahead(to, from, bytes, true);
}

#endif
