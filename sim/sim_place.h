/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_PLACE_H
#define BCS_SIM_PLACE_H

#include "sim/sim_system.h"

/* A label and its number of processes. */
struct sim_label {
	char name[SIM_NAME_MAX];
	uint32_t count;
	bool exact; /* each process is simulated by itself */
	/* Set by sim_place: the label's processes in the engine. */
	uint32_t first;
	uint32_t n;
};

/* A process of the engine: one or several alike processes of a label. */
struct sim_class {
	uint32_t label;
	uint32_t index; /* of the first process, within the label */
	uint32_t count;
	uint32_t node;   /* of the first process */
	uint32_t nodes;  /* number of nodes, from `node` on */
	uint32_t own;    /* processes of the label on each of these nodes */
	uint32_t beside; /* processes of all labels on each of these nodes */
};

struct sim_placement {
	struct sim_class *classes;
	uint32_t n_classes;
	uint32_t *on_node; /* processes, by node */
	uint32_t nodes_used;
};

/*
 * Puts processes on nodes that have places for them, label by label, from the
 * first node on.  Returns 0; -ENOSPC if there is no room for all, with the
 * reason in `fault`; or -ENOMEM.
 */
int sim_place(struct sim_placement *placement, const struct sim_system *system,
	      struct sim_label *labels, uint32_t n_labels,
	      struct tree_fault *fault);
void sim_place_clear(struct sim_placement *placement);

#endif
