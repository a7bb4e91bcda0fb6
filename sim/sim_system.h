/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_SYSTEM_H
#define BCS_SIM_SYSTEM_H

/*
 * A system: nodes of several kinds under networks of several levels.  It is
 * described by tables in Lua:
 *
 *	return { name = "two racks", network = "ethernet",
 *	         { network = "infiniband", count = 2,
 *	           { cpu = "xeon", count = 8, labels = { worker = 12 } } },
 *	         { cpu = "xeon", labels = { master = 1 } } }
 *
 * `cpu` and `network` name hardware: a preset, or one defined by hardware{ name
 * = , like = , t_min = ... } with the parameters of formula.h.
 */
#include "model/formula.h"
#include "sim/sim_lua.h"

#define SIM_NAME_MAX 48
/* Most labels with places of their own on a kind of node. */
#define SIM_LABELS_MAX 16
#define SIM_NODES_MAX  4000000

struct sim_hardware {
	struct formula_system model;
	double eager; /* largest eager message, in bytes */
	bool overlap; /* large messages move while their receiver computes */
	bool by_processes; /* P of the formulas is processes, not nodes */
};

struct sim_places {
	char label[SIM_NAME_MAX];
	uint32_t count;
};

struct sim_node_kind {
	uint32_t cpu; /* index in `hardware` */
	/* The network inside the node, an index in `hardware`. */
	uint32_t inside;
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
	uint32_t parent; /* the outermost network has itself */
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

/* A text, and its name for error messages. */
struct sim_text {
	const char *name;
	const char *text;
	size_t size;
};

/*
 * Runs `n` texts.  All but the last define hardware; the last returns the
 * system.  Returns 0; -EINVAL with the reason in `fault`; or -ENOMEM.
 */
int sim_system_read(struct sim_system *system, const struct sim_text *texts,
		    unsigned n, struct tree_fault *fault);

/*
 * Makes a system of `nodes` equal nodes, each with `places` processes of any
 * label.  The model's curves are not copied, so it must outlive the system.
 */
int sim_system_alike(struct sim_system *system,
		     const struct formula_system *model, uint32_t nodes,
		     uint32_t places, bool by_processes);

void sim_system_clear(struct sim_system *system);

#endif
