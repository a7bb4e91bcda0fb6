/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_ADD_H
#define BCS_WAITS_ADD_H

#include "analyzer/waits/waits_thread.h"

uint32_t waits_add_place(struct waits *waits, const char *call,
			 const char *site);
/* The thread has begun another call, which moves so many bytes. */
void waits_add_begin(struct waits *waits, struct waits_thread *thread,
		     uint64_t bytes);
/* Before its last call, the thread was so long without a core. */
void waits_add_core(struct waits_thread *thread, uint64_t time);
/* The thread has ended. */
void waits_add_thread(struct waits *waits, const struct waits_thread *thread);
/* Adds up the thread's calls but for the last `keep`. */
void waits_add_calls(struct waits *waits, struct waits_thread *thread,
		     uint64_t keep);

#endif
