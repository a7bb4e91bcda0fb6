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

#define REPLAY_NONE UINT32_MAX

struct replay_site {
	enum replay_change change;
};

/* The changes of a process's call paths, as they are met. */
struct replay_sites {
	struct intern paths;
	struct replay_site *of;
	size_t room;
	struct intern keys; /* path, communicator, peer and tag */
	uint32_t *requests; /* by key */
	size_t requests_room;
};

/* NULL: nothing is changed anywhere. */
const struct replay_site *replay_sites_of(struct replay_sites *sites,
					  const struct replay_choice *choice,
					  const struct traces_process *process,
					  uint32_t path);
/* The request under way of the call's path, communicator, peer and tag, or
 * REPLAY_NONE.  Valid until the next call of this function. */
uint32_t *replay_sites_request(struct replay_sites *sites,
			       const struct trace_event *call);
void replay_sites_clear(struct replay_sites *sites);

#endif
