/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A process asks for a known state, by a word that its leader sees when a slice
 * begins.
 */
#include <errno.h>

#include "libbcs/strobe/process/strobe_process.h"

static uint32_t round_of(const struct strobe *strobe)
{
	return atomic_load(&strobe->head->state) / (STROBE_STOPPING + 1);
}

void strobe_engine_quiesce_ask(struct strobe *strobe)
{
	atomic_store(&strobe->head->wanted, 1);
	strobe_arm(strobe);
}

void strobe_engine_leave(struct strobe *strobe)
{
	atomic_store(&strobe->slot->gone, 1);
	strobe_tell_leader(strobe);
}

struct quiesce {
	struct strobe *strobe;
	uint32_t round;
};

static bool is_past(void *arg)
{
	const struct quiesce *quiesce = arg;

	return round_of(quiesce->strobe) != quiesce->round;
}

int strobe_engine_quiesce(struct strobe *strobe)
{
	struct quiesce quiesce = { strobe, round_of(strobe) };

	if (!strobe_must_stop(strobe))
		strobe_engine_quiesce_ask(strobe);
	strobe_engine_wait_until(strobe, is_past, &quiesce);
	return atomic_load(&strobe->head->reached) == quiesce.round + 1
		       ? 0
		       : -ETIMEDOUT;
}
