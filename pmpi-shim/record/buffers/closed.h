/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_CLOSED_H
#define SHIM_CLOSED_H

/*
 * Pages of the program's buffers that it may not touch, or not write, until its
 * first access.  The access is told to the pages' owner, opens the pages, and
 * goes on.
 *
 * System calls are not mended by that: they fail with EFAULT.  Neither are
 * those of other processes that reach into this one.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct closed {
	uintptr_t from; /* of the pages, and their end; */
	uintptr_t to;   /* they stay until the next one's */
	_Atomic bool is;
	_Atomic unsigned late; /* faults while it is not closed */
	/* The access, by the instruction at `at`.  NULL: nobody owns them. */
	void (*touched)(void *owner, const ucontext_t *at);
	void *owner;
};

/* Called once, before the others. */
void closed_start(void);

/*
 * Closes the whole pages of a buffer; a second time, it opens none of them.
 * `rights` are those that are left (PROT_NONE or PROT_READ).  NULL if there is
 * no whole page, too many are closed, or the kernel refuses.
 */
struct closed *closed_begin(const void *at, uint64_t bytes, int rights,
			    void (*touched)(void *owner, const ucontext_t *at),
			    void *owner);

/* Opens them; whether they were closed. */
bool closed_open(struct closed *closed);
/* Opens them; they have no owner any more. */
void closed_end(struct closed *closed);

static inline bool closed_meets(const struct closed *closed, uintptr_t at,
				uint64_t bytes)
{
	return at < closed->to && at + bytes > closed->from;
}

/* Whether any closed pages are among these bytes. */
bool closed_is_met(const void *at, uint64_t bytes);

/* The path of an instruction of the calling thread, as if it were a call. */
uint32_t closed_path(const ucontext_t *at);

#endif
