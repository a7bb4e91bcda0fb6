/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The helper thread of a process: the leader's runs the slices of the node, the
 * others are DMA Helpers while nobody waits in theirs.
 */
#include <sys/prctl.h>

#include "libbcs/strobe/leader/strobe_leader.h"
#include "libbcs/strobe/strobe_helper.h"
#include "mds/base/futex.h"
#include "mds/base/thread.h"

static void serve(struct strobe *strobe)
{
	uint32_t seen;

	while (!atomic_load(&strobe->ending)) {
		/* Before the look: what is ordered then ends the sleep. */
		seen = atomic_load(&strobe->slot->helper);
		if (!strobe_dma_run(strobe))
			futex_wait(&strobe->slot->helper, seen, FUTEX_FOREVER);
	}
}

static void *helper_main(void *arg)
{
	struct strobe *strobe = arg;

	prctl(PR_SET_TIMERSLACK, 1);
	strobe_turn_helper();
	if (strobe->leader)
		strobe_leader_main(strobe);
	else
		serve(strobe);
	return NULL;
}

int strobe_helper_start(struct strobe *strobe)
{
	const int rc = thread_start(&strobe->helper, helper_main, strobe);

	strobe->has_helper = rc == 0;
	return rc;
}

void strobe_helper_stop(struct strobe *strobe)
{
	if (!strobe->has_helper)
		return;
	atomic_store(&strobe->ending, true);
	atomic_fetch_add(&strobe->slot->helper, 1);
	futex_wake(&strobe->slot->helper);
	if (strobe->leader) {
		atomic_store(&strobe->head->armed, 1);
		futex_wake(&strobe->head->armed);
	}
	thread_join(strobe->helper);
	strobe->has_helper = false;
}
