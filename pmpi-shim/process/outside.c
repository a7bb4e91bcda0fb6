/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds that the program ends within a call that it made too early or too late.
 * A call that returned left its stack to later calls: its return address is no
 * longer where it was.
 */
#include "pmpi-shim/process/outside.h"

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/record/findings/thread_level.h"

static _Thread_local struct {
	enum shim_call call;
	uintptr_t ra;
	uintptr_t fa; /* 0: there was none */
} last;

void outside_note(enum shim_call call, const void *ra, const void *fa)
{
	last.call = call;
	last.ra = (uintptr_t)ra;
	last.fa = (uintptr_t)fa;
}

__attribute__((no_sanitize("address"))) bool outside_is_now(void)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	return last.fa > here && ((const uintptr_t *)last.fa)[1] == last.ra;
}

void outside_tell(struct mmds_thread *thread)
{
	findings_outside(thread_level_key(thread, last.call,
					  (const void *)last.ra,
					  (const void *)last.fa),
			 !process.ended);
}
