/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIMULATE_SYSTEM_H
#define BCS_SIMULATE_SYSTEM_H

#include "sim/sim_system.h"

#define SIMULATE_HARDWARE_MAX 8

struct simulate_system_choice {
	const char *name;
	uint32_t nodes; /* 0: as many as it has */
	const char *hardware[SIMULATE_HARDWARE_MAX];
	unsigned n_hardware;
};

struct simulate_system {
	struct sim_system system;
	struct formula_system model; /* what it is made of, if that is one */
};

/*
 * A system in Lua, with our hardware and the user's; or a preset, or what was
 * fitted.  Returns 0; 2 after it has said what is wrong.
 */
int simulate_system_load(struct simulate_system *system,
			 const struct simulate_system_choice *choice);
void simulate_system_clear(struct simulate_system *system);

#endif
