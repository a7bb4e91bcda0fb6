/* SPDX-License-Identifier: BSD-3-Clause */

/* An application in Lua: its labels, its processes as coroutines, its run. */
#include "sim/sim_app.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_app_inside.h"

static const struct sim_app_setting *
setting_of(const struct sim_app_setting *settings, unsigned n, const char *name)
{
	/* The last setting of a name counts. */
	for (unsigned i = n; i > 0; i--)
		if (strcmp(settings[i - 1].name, name) == 0)
			return &settings[i - 1];
	return NULL;
}

/* label(name, count, function) */
static int add_label(lua_State *state)
{
	struct sim_app *app = sim_app_of(state);
	const char *name = luaL_checkstring(state, 1);
	const struct sim_app_setting *set = setting_of(
		app->choice->counts, app->choice->n_counts, name);
	const double count = set ? set->value : luaL_checknumber(state, 2);
	struct sim_label *label = &app->labels[app->n_labels];

	luaL_checktype(state, 3, LUA_TFUNCTION);
	luaL_argcheck(state, strlen(name) && strlen(name) < SIM_NAME_MAX, 1,
		      "1 to 47 letters");
	luaL_argcheck(state,
		      count >= 1 && count <= 1e9 && floor(count) == count, 2,
		      "a number of processes from 1 on");
	if (app->n_labels == SIM_APP_LABELS)
		return luaL_error(state, "more than %d labels", SIM_APP_LABELS);
	if (app->placement)
		return luaL_error(state, "a process defines no labels");
	if (sim_app_label(app, name) != UINT32_MAX)
		return luaL_error(state, "the label '%s' twice", name);
	*label = (struct sim_label){ .count = (uint32_t)count };
	strcpy(label->name, name);
	lua_settop(state, 3);
	app->functions[app->n_labels++] = luaL_ref(state, LUA_REGISTRYINDEX);
	return 0;
}

/* parameter(name, default) */
static int get_parameter(lua_State *state)
{
	struct sim_app *app = sim_app_of(state);
	const char *name = luaL_checkstring(state, 1);
	const struct sim_app_setting *set = setting_of(
		app->choice->parameters, app->choice->n_parameters, name);

	if (app->placement)
		return luaL_error(state, "a parameter is asked for outside of "
					 "labels' functions");
	if (set) {
		app->used[set - app->choice->parameters] = true;
		lua_pushnumber(state, set->value);
		/* Integers stay integers, as most sizes and counts are. */
		if (floor(set->value) == set->value &&
		    fabs(set->value) < 0x1p53) {
			lua_pop(state, 1);
			lua_pushinteger(state, (lua_Integer)set->value);
		}
	} else {
		luaL_checknumber(state, 2);
		lua_settop(state, 2);
	}
	return 1;
}

/* count(name): number of processes of a label */
static int get_count(lua_State *state)
{
	const struct sim_app *app = sim_app_of(state);
	const char *name = luaL_checkstring(state, 1);
	const uint32_t label = sim_app_label(app, name);

	if (label == UINT32_MAX)
		return luaL_error(state, "there is no label '%s'", name);
	lua_pushinteger(state, app->labels[label].count);
	return 1;
}

/* Refuses settings that the text does not use: they are most likely
 * misspelt. */
static int check_settings(struct sim_app *app, struct tree_fault *fault)
{
	const struct sim_app_choice *choice = app->choice;

	for (unsigned i = 0; i < choice->n_counts; i++)
		if (sim_app_label(app, choice->counts[i].name) == UINT32_MAX)
			return tree_fault_set(fault, -EINVAL,
					      "there is no label '%s'",
					      choice->counts[i].name);
	for (unsigned i = 0; i < choice->n_parameters; i++)
		if (!app->used[i])
			return tree_fault_set(fault, -EINVAL,
					      "it asks for no parameter '%s'",
					      choice->parameters[i].name);
	if (app->n_labels == 0)
		return tree_fault_set(fault, -EINVAL, "it defines no label");
	return 0;
}

int sim_app_new(struct sim_app **out, const struct sim_text *text,
		const struct sim_app_choice *choice, struct tree_fault *fault)
{
	struct sim_app *app = calloc(1, sizeof(*app));
	int rc = -ENOMEM;

	if (!app)
		return rc;
	app->choice = choice;
	app->culprit = UINT32_MAX;
	rc = sim_lua_begin(&app->lua, choice->memory);
	if (rc == 0) {
		*(void **)lua_getextraspace(app->lua.state) = NULL;
		sim_lua_function(&app->lua, "label", add_label, app);
		sim_lua_function(&app->lua, "parameter", get_parameter, app);
		sim_lua_function(&app->lua, "count", get_count, app);
		sim_block_open(app);
		rc = sim_lua_run(&app->lua, text->name, text->text, text->size,
				 fault);
	}
	if (rc == 0)
		rc = check_settings(app, fault);
	if (rc == 0)
		*out = app;
	else
		sim_app_free(app);
	return rc;
}

void sim_app_free(struct sim_app *app)
{
	if (!app)
		return;
	for (uint32_t i = 0; i < app->n_processes; i++) {
		free(app->processes[i].queue);
		free(app->processes[i].spare);
	}
	free(app->processes);
	sim_lua_end(&app->lua);
	free(app);
}

struct sim_label *sim_app_labels(struct sim_app *app, uint32_t *n)
{
	*n = app->n_labels;
	return app->labels;
}

/* Called when a process that stands for many reads a field of `me` that is not
 * set.  If that is its index, its label must be simulated exactly. */
static int get_own(lua_State *thread)
{
	struct sim_app *app = sim_app_of(thread);
	const struct sim_app_process *process = *(void **)lua_getextraspace(
		thread);
	const char *field = lua_tostring(thread, 2);

	if (!process || !field || strcmp(field, "index") != 0)
		return 0;
	return sim_app_refuse(thread, app,
			      app->placement->classes[process->number].label);
}

/* Pushes `me`, the argument of the label's function. */
static void push_me(struct sim_app_process *process)
{
	lua_State *thread = process->thread;
	const struct sim_class *class = &process->app->placement
						 ->classes[process->number];
	const struct sim_label *label = &process->app->labels[class->label];

	lua_createtable(thread, 0, 3);
	lua_pushstring(thread, label->name);
	lua_setfield(thread, -2, "label");
	lua_pushinteger(thread, label->count);
	lua_setfield(thread, -2, "count");
	if (class->count == 1) {
		lua_pushinteger(thread, class->index);
		lua_setfield(thread, -2, "index");
		return;
	}
	lua_createtable(thread, 0, 1);
	lua_pushlightuserdata(thread, process->app);
	lua_pushcclosure(thread, get_own, 1);
	lua_setfield(thread, -2, "__index");
	lua_setmetatable(thread, -2);
}

static int process_fault(struct sim_app_process *process, int status)
{
	struct sim_app *app = process->app;

	if (app->culprit != UINT32_MAX)
		return -EXDEV;
	sim_lua_fault(process->thread, status, &app->fault);
	return -EPROTO;
}

/* Runs the process up to its next block.  Returns 1 if it has ended, 0 if not,
 * or a negative error. */
static int resume(struct sim_app_process *process)
{
	lua_State *main = process->app->lua.state;
	int results;
	int status;

	if (!process->started) {
		push_me(process);
		process->started = true;
		process->given = 1;
	}
	sim_lua_rest(&process->app->lua);
	status = lua_resume(process->thread, main, process->given, &results);
	/* The values that a block yields are also those that it returns. */
	process->given = results;
	if (status == LUA_YIELD)
		return 0;
	if (status != LUA_OK)
		return process_fault(process, status);
	luaL_unref(main, LUA_REGISTRYINDEX, process->anchor);
	process->thread = NULL;
	return 1;
}

static int next(void *self, struct sim_op *op)
{
	struct sim_app_process *process = self;
	int rc;

	while (process->at == process->n) {
		rc = resume(process);
		if (rc < 0)
			return rc;
		if (rc == 1) {
			*op = (struct sim_op){ .kind = SIM_END };
			return 0;
		}
	}
	*op = process->queue[process->at++];
	return 0;
}

/* Makes the coroutines.  Runs as a protected call, since memory may run out. */
static int make_threads(lua_State *state)
{
	struct sim_app *app = lua_touserdata(state, 1);

	for (uint32_t i = 0; i < app->n_processes; i++) {
		struct sim_app_process *process = &app->processes[i];

		process->thread = lua_newthread(state);
		process->anchor = luaL_ref(state, LUA_REGISTRYINDEX);
		*(void **)lua_getextraspace(process->thread) = process;
		lua_rawgeti(process->thread, LUA_REGISTRYINDEX,
			    app->functions[app->placement->classes[i].label]);
	}
	return 0;
}

int sim_app_start(struct sim_app *app, const struct sim_placement *placement,
		  struct sim_engine *engine,
		  int (*group)(void *self, uint32_t group, uint64_t labels),
		  void *self)
{
	struct sim_source source = { .next = next };

	app->placement = placement;
	app->engine = engine;
	app->group = group;
	app->self = self;
	app->groups[app->n_groups++] = UINT64_MAX;
	app->processes = calloc(placement->n_classes, sizeof(*app->processes));
	if (!app->processes)
		return -ENOMEM;
	app->n_processes = placement->n_classes;
	for (uint32_t i = 0; i < placement->n_classes; i++) {
		app->processes[i].app = app;
		app->processes[i].number = i;
		source.self = &app->processes[i];
		sim_engine_process(engine, i, &source,
				   placement->classes[i].count);
	}
	lua_pushcfunction(app->lua.state, make_threads);
	lua_pushlightuserdata(app->lua.state, app);
	app->lua.closed = true;
	return lua_pcall(app->lua.state, 1, 0, 0) == LUA_OK ? 0 : -ENOMEM;
}

const char *sim_app_fault(const struct sim_app *app)
{
	return app->fault.text;
}

uint32_t sim_app_culprit(const struct sim_app *app)
{
	return app->culprit;
}

void sim_app_name(const struct sim_app *app, uint32_t process, char *text,
		  size_t size)
{
	const struct sim_class *class = &app->placement->classes[process];
	const struct sim_label *label = &app->labels[class->label];

	if (class->count > 1 || label->count == 1)
		snprintf(text, size, "%s", label->name);
	else
		snprintf(text, size, "%s %u", label->name, class->index);
}

void sim_app_where(const struct sim_app *app, uint32_t process, char *text,
		   size_t size)
{
	lua_State *thread = app->processes[process].thread;
	lua_Debug debug;
	size_t n;

	sim_app_name(app, process, text, size);
	n = strlen(text);
	if (thread && lua_getstack(thread, 1, &debug) &&
	    lua_getinfo(thread, "Sl", &debug))
		snprintf(text + n, size - n, " at %s:%d", debug.short_src,
			 debug.currentline);
}
