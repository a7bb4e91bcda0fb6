/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_SITES_H
#define BCS_REPLAY_SITES_H

#include "analyzer/replay/replay.h"
#include "analyzer/trace/traces.h"

enum replay_change {
	REPLAY_AS_IT_WAS,
	REPLAY_FREE,
	REPLAY_ASYNC,
};

/* The changes of a process's call paths, as they are met. */
struct replay_sites {
	struct intern paths;
	struct replay_site {
		enum replay_change change;
		uint32_t request; /* under way; REPLAY_NONE: none */
	} * of;
	size_t room;
};

#define REPLAY_NONE UINT32_MAX

/* NULL: nothing is changed anywhere. */
struct replay_site *replay_sites_of(struct replay_sites *sites,
				    const struct replay_choice *choice,
				    const struct traces_process *process,
				    uint32_t path);
void replay_sites_clear(struct replay_sites *sites);

#endif
