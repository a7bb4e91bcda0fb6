/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_MACHINE_H
#define BCS_REPLAY_MACHINE_H

#include "analyzer/replay/replay.h"

/* The machine of a cluster, scaled to another. */
struct replay_machine {
	struct sim_machine of;
	const struct replay_choice *choice;
	uint32_t *members; /* of groups of the engine */
};

/* `machine`, of `of`, must not move afterwards. */
struct sim_machine replay_machine(struct replay_machine *machine);

#endif
