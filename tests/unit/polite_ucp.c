/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "tests/unit/polite_ucp.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT unsigned polite_ucp_done;
EXPORT unsigned long polite_ucp_turns;
EXPORT void (*polite_ucp_work)(void);

unsigned ucp_worker_progress(void *worker);

EXPORT unsigned ucp_worker_progress(void *worker)
{
	(void)worker;
	polite_ucp_turns++;
	if (polite_ucp_work)
		polite_ucp_work();
	return polite_ucp_done;
}
