/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_ADD_H
#define BCS_WAITS_ADD_H

#include "analyzer/waits/waits_thread.h"

uint32_t waits_add_place(struct waits *waits, const char *call,
			 const char *site);
/* Adds up the thread's calls but for the last `keep`. */
void waits_add_calls(struct waits *waits, struct waits_thread *thread,
		     uint64_t keep);
/* Sorts the severest. */
void waits_add_end(struct waits *waits);

#endif
