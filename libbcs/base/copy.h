/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COPY_H
#define BCS_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>

/*
 * Bytes from the memory of one process to that of another, copied once, by one
 * of the two, while the other does something else.
 */

/*
 * Lets any other process of this user copy from and to this one where Yama's
 * ptrace_scope is 1: without it all may, and above 1 nobody can be let. Returns
 * 0, also where it does not ask; or -errno.  copy_forbid takes it back.
 */
int copy_allow(void);
void copy_forbid(void);

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

/*
 * Whether a copy from or to `pid` ended with this error because the kernel does
 * not allow it, though the process is there: it may have dropped its rights.
 */
bool copy_is_refused(pid_t pid, int error);

static inline uint64_t copy_at_most(uint64_t bytes, uint64_t limit)
{
	return bytes < limit ? bytes : limit;
}

/*
 * From so many bytes on it is faster to leave a copy to the processor as a
 * whole (memcpy does so by rep movsb), most of all where the lines are another
 * core's.
 */
#define COPY_WHOLE 8192u

/*
 * Within pages, `to` begins less than a line behind `from`: the processor takes
 * longer then, some five times as long.
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

/*
 * Else it goes in pieces that memcpy does not leave to the processor, as it
 * does from some 2 KiB on.
 */
#define COPY_PIECE 1024u

#define COPY_FEW 16u

/* So few that to call memcpy takes longer: words that overlap. */
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

/* Within what this process sees. */
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
 * The same, where another processor may have the lines of one side: of what
 * goes in pieces they are asked for one ahead, so that several come at a time.
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
 * Those that are read; and those that are written, which cost as much again
 * where they are only had to be read.
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
