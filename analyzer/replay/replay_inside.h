/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_INSIDE_H
#define BCS_REPLAY_INSIDE_H

/* A replay while it is put together, runs and ends. */
#include "analyzer/replay/replay_machine.h"
#include "analyzer/replay/replay_source.h"

struct replay {
	const char *path;
	const struct replay_choice *choice;
	struct traces traces;
	struct replay_comms comms;
	struct replay_source *sources;
	uint32_t n;      /* sources, and traces */
	uint32_t n_open; /* traces that are open */
	struct sim_label label;
	struct sim_placement placement;
	struct sim_cluster *cluster;
	struct sim_engine *engine;
	struct replay_machine machine;
	struct sim_cores cores;
	struct tree_fault fault;
};

/* Opens the traces, and puts each source where it begins.  Returns 0, or -errno
 * after it has said why. */
int replay_open(struct replay *replay);

/* Says why the simulation ended, and returns `rc`. */
int replay_say_why(const struct replay *replay, int rc);
void replay_take(const struct replay *replay, struct replay_result *result);

#endif
