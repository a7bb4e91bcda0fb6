/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_SITE_H
#define SHIM_SITE_H

/* Where in a program a call is, for messages. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mds/mmds/mmds.h"

/* The address behind this thread's call of MPI; 0 if that is not recorded. */
uint64_t site_of_call(void);

/* Does so within a call only, and returns 0 for MPI_Finalize. */
static inline uint64_t site_of_this_call(void)
{
	const struct mmds_thread *thread = mmds_thread;

	return thread && thread->paths && thread->inside ? thread->paths->site
							 : 0;
}

/* Does the same for MPI_Finalize, which is no recorded call while it runs. */
void site_set(const void *behind);

/*
 * Prints the command that tells file and line of an address behind a call of
 * this process.  Not from a signal handler.
 */
void site_help(uint64_t address);

/* "program+0x1234" of an address in a process. */
void site_text(pid_t pid, uint64_t address, char *text, size_t size);

#endif
