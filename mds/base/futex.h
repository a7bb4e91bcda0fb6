/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FUTEX_H
#define BCS_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FUTEX_FOREVER UINT64_MAX

/* Sleeps while the word holds `seen`, for at most `ns`; may wake early. */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t seen,
			      uint64_t ns)
{
	const struct timespec time = {
		.tv_sec = (time_t)(ns / 1000000000),
		.tv_nsec = (long)(ns % 1000000000),
	};

	syscall(SYS_futex, word, FUTEX_WAIT, seen,
		ns == FUTEX_FOREVER ? NULL : &time, NULL, 0);
}

/* Wakes all sleepers on the word, in any process. */
static inline void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

#endif
