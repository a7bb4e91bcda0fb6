/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The parameters of a piece of hardware: a preset, a fitted system or a table
 * in Lua.
 */
#include "sim/sim_hardware.h"

#include <math.h>
#include <string.h>

#include "model/preset.h"

#define EAGER 8192 /* about as in MPICH */

void sim_hardware_of(struct sim_hardware *hardware,
		     const struct formula_system *model)
{
	*hardware = (struct sim_hardware){ .model = *model, .eager = EAGER };
}

int sim_hardware_find(const struct sim_system *system, const char *name)
{
	for (uint32_t i = system->n_hardware; i > 0; i--)
		if (strcmp(system->hardware[i - 1].model.name, name) == 0)
			return (int)i - 1;
	return -1;
}

bool sim_hardware_preset(struct sim_hardware *hardware, const char *name)
{
	const struct preset *preset = preset_find(name);

	if (preset)
		sim_hardware_of(hardware, &preset->system);
	return preset != NULL;
}

static void take_like(lua_State *state, const struct sim_system *system,
		      struct sim_hardware *hardware, const char *like)
{
	const int found = sim_hardware_find(system, like);
	struct formula_system empty;

	if (found >= 0) {
		*hardware = system->hardware[found];
	} else if (*like == '\0') {
		formula_system_init(&empty, "");
		sim_hardware_of(hardware, &empty);
	} else if (!sim_hardware_preset(hardware, like)) {
		luaL_error(state, "there is no hardware '%s'", like);
	}
}

static double number_here(lua_State *state, const char *field)
{
	int is;
	const double number = lua_tonumberx(state, -1, &is);

	if (!is || !isfinite(number))
		luaL_error(state, "'%s' is to be a number", field);
	return number;
}

static const char *const own_fields[] = { "name",  "like",    "log_base",
					  "eager", "overlap", "by_processes" };
#define N_OWN (sizeof(own_fields) / sizeof(own_fields[0]))

static int refuse_field(lua_State *state, const char *field)
{
	const char *known[FORMULA_PARAMS + N_OWN + 1] = { NULL };

	for (unsigned i = 0; i < FORMULA_PARAMS; i++)
		known[i] = formula_param_name((enum formula_param)i);
	memcpy(known + FORMULA_PARAMS, own_fields, sizeof(own_fields));
	return sim_lua_unknown_field(state, "hardware", field, known);
}

static void take_field(lua_State *state, struct sim_hardware *hardware,
		       const char *field)
{
	const enum formula_param param = formula_param_find(field);

	if (param != FORMULA_PARAMS)
		hardware->model.params[param] = number_here(state, field);
	else if (strcmp(field, "log_base") == 0)
		hardware->model.log_base = number_here(state, field);
	else if (strcmp(field, "eager") == 0)
		hardware->eager = number_here(state, field);
	else if (strcmp(field, "overlap") == 0)
		hardware->overlap = lua_toboolean(state, -1);
	else if (strcmp(field, "by_processes") == 0)
		hardware->by_processes = lua_toboolean(state, -1);
	else if (strcmp(field, "name") != 0 && strcmp(field, "like") != 0)
		refuse_field(state, field);
}

void sim_hardware_from(lua_State *state, const struct sim_system *system,
		       struct sim_hardware *hardware)
{
	const char *name;

	luaL_checktype(state, 1, LUA_TTABLE);
	name = sim_lua_text(state, 1, "name", NULL);
	if (*name == '\0' || strlen(name) >= FORMULA_NAME_MAX)
		luaL_error(state, "a name of 1 to %d letters",
			   FORMULA_NAME_MAX - 1);
	take_like(state, system, hardware, sim_lua_text(state, 1, "like", ""));
	lua_pushnil(state);
	while (lua_next(state, 1)) {
		if (lua_type(state, -2) != LUA_TSTRING)
			luaL_error(state, "hardware has names of fields only");
		take_field(state, hardware, lua_tostring(state, -2));
		lua_pop(state, 1);
	}
	strcpy(hardware->model.name, name);
}
