/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_HARDWARE_H
#define BCS_SIM_HARDWARE_H

#include "sim/sim_system.h"

/* Fills in the defaults for everything but the model. */
void sim_hardware_of(struct sim_hardware *hardware,
		     const struct formula_system *model);

/* Finds hardware by name; the last of that name counts.  Returns -1 if there is
 * none. */
int sim_hardware_find(const struct sim_system *system, const char *name);

/* Copies a preset; false if there is none of that name. */
bool sim_hardware_preset(struct sim_hardware *hardware, const char *name);

/* Reads the table at index 1 of the Lua stack; raises Lua errors. */
void sim_hardware_from(lua_State *state, const struct sim_system *system,
		       struct sim_hardware *hardware);

#endif
