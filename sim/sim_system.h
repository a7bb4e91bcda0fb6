/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_SYSTEM_H
#define BCS_SIM_SYSTEM_H

/*
 * A system: nodes of several kinds under networks of several levels.  It is
 * written down in Lua, as tables:
 *
 *	return { name = "two racks", network = "ethernet",
 *	         { network = "infiniband", count = 2,
 *	           { cpu = "xeon", count = 8, labels = { worker = 12 } } },
 *	         { cpu = "xeon", labels = { master = 1 } } }
 *
 * cpu and network name hardware, which is a preset or defined by
 * hardware{ name = , like = , t_min = ... } with the parameters of formula.h.
 */
#include "model/formula.h"
#include "sim/sim_lua.h"

#define SIM_NAME_MAX   48
#define SIM_LABELS_MAX 16 /* with places of their own on a kind of node */
#define SIM_NODES_MAX  4000000

struct sim_hardware {
	struct formula_system model;
	double eager; /* bytes up to which a sender needs no receiver */
	bool overlap; /* large messages move while their receiver computes */
	bool by_processes; /* P of the formulas: these, not nodes */
};

struct sim_places {
	char label[SIM_NAME_MAX];
	uint32_t count;
};

struct sim_node_kind {
	uint32_t cpu;    /* hardware */
	uint32_t inside; /* hardware of the network in it */
	struct sim_places places[SIM_LABELS_MAX];
	uint32_t n_places;
	uint32_t any; /* places for labels that have none of their own */
};

struct sim_node {
	uint32_t kind;
	uint32_t network;
};

struct sim_network {
	uint32_t hardware;
	uint32_t parent; /* of the outermost: itself */
	uint32_t depth;
};

struct sim_system {
	char name[SIM_NAME_MAX];
	struct sim_hardware *hardware;
	uint32_t n_hardware;
	struct sim_node_kind *kinds;
	uint32_t n_kinds;
	struct sim_node *nodes;
	uint32_t n_nodes;
	struct sim_network *networks;
	uint32_t n_networks;
};

/* A text and what messages call it. */
struct sim_text {
	const char *name;
	const char *text;
	size_t size;
};

/*
 * Runs `n` texts; those before the last define hardware, the last one returns
 * the system.  Returns 0 or, with the reason in `fault`, -EINVAL; or -ENOMEM.
 */
int sim_system_read(struct sim_system *system, const struct sim_text *texts,
		    unsigned n, struct tree_fault *fault);

/*
 * So many nodes that are all of one model, whose curves are not copied: it has
 * to stay.  `places`: processes of any label on each.
 */
int sim_system_alike(struct sim_system *system,
		     const struct formula_system *model, uint32_t nodes,
		     uint32_t places, bool by_processes);

void sim_system_clear(struct sim_system *system);

#endif
