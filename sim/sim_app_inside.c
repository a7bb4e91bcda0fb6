/* SPDX-License-Identifier: BSD-3-Clause */

/* Functions of an application that other files of sim/ share. */
#include <stdlib.h>
#include <string.h>

#include "sim/sim_app_inside.h"

struct sim_app *sim_app_of(lua_State *state)
{
	return lua_touserdata(state, lua_upvalueindex(1));
}

uint32_t sim_app_label(const struct sim_app *app, const char *name)
{
	for (uint32_t i = 0; i < app->n_labels; i++)
		if (strcmp(app->labels[i].name, name) == 0)
			return i;
	return UINT32_MAX;
}

struct sim_app_process *sim_app_caller(lua_State *thread)
{
	struct sim_app_process *process = *(void **)lua_getextraspace(thread);

	if (!process)
		luaL_error(thread, "a block outside of a label's function");
	if (!lua_isyieldable(thread))
		luaL_error(thread, "a block in a function that 'operations' "
				   "or a sort calls: it has no place there");
	process->n = 0;
	process->at = 0;
	return process;
}

struct sim_op *sim_app_push(lua_State *thread, struct sim_app_process *process)
{
	const uint32_t room = process->room ? 2 * process->room : 2;
	struct sim_op *grown;

	if (process->n == process->room) {
		grown = realloc(process->queue, room * sizeof(*grown));
		if (!grown)
			luaL_error(thread, "there is no memory left");
		process->queue = grown;
		process->room = room;
	}
	process->queue[process->n] = (struct sim_op){ .threads = 1 };
	return &process->queue[process->n++];
}

int sim_app_refuse(lua_State *thread, struct sim_app *app, uint32_t label)
{
	app->culprit = label;
	return luaL_error(thread, "'%s' has to be simulated exactly",
			  app->labels[label].name);
}
