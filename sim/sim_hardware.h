/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_HARDWARE_H
#define BCS_SIM_HARDWARE_H

#include "sim/sim_system.h"

/* What every piece of hardware is like unless it says otherwise. */
void sim_hardware_of(struct sim_hardware *hardware,
		     const struct formula_system *model);

/* -1 if the system has none of that name; the last one counts. */
int sim_hardware_find(const struct sim_system *system, const char *name);

/* False if there is no preset of that name. */
bool sim_hardware_preset(struct sim_hardware *hardware, const char *name);

/* From the table at 1 of `state`; raises errors. */
void sim_hardware_from(lua_State *state, const struct sim_system *system,
		       struct sim_hardware *hardware);

#endif
