/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A Lua state for untrusted text.  Limits its memory and time, and reads
 * checked fields.
 */
#include "sim/sim_lua.h"

#include <errno.h>
#include <lualib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/base/nearest.h"
#include "mds/base/utf8.h"

#define HOOK 100000 /* instructions between two checks of the limit */
/* Percent by which memory grows between two collections.  Large, because each
 * collection goes through all live coroutines. */
#define GC_PAUSE 1000

static void *allocate(void *self, void *old, size_t old_size, size_t size)
{
	struct sim_lua *lua = self;
	void *room;

	/* If `old` is NULL, Lua passes a kind of object as old_size. */
	if (!old)
		old_size = 0;
	if (size == 0) {
		free(old);
		lua->memory -= old_size;
		return NULL;
	}
	if (size > old_size &&
	    lua->memory + (size - old_size) > lua->memory_max)
		return NULL;
	room = realloc(old, size);
	if (room)
		lua->memory += size - old_size;
	return room;
}

static struct sim_lua *lua_of(lua_State *state)
{
	void *self;

	lua_getallocf(state, &self);
	return self;
}

static void hook(lua_State *state, lua_Debug *debug)
{
	struct sim_lua *lua = lua_of(state);

	lua->left -= HOOK;
	if (lua->left >= 0)
		return;
	/* luaL_error would name the line of the caller, not the one that
	 * runs. */
	lua_getinfo(state, "Sl", debug);
	lua_pushfstring(state,
			"%s:%d: %d million instructions without a block: an "
			"endless loop?",
			debug->short_src, debug->currentline,
			SIM_LUA_COUNT / 1000000);
	lua_error(state);
}

/* Escapes what could upset a terminal; keeps newlines and tabs. */
static void put_shown(const char *text)
{
	char one[8] = "";
	char shown[8];
	unsigned n;

	for (; *text; text += n) {
		n = utf8_length(text);
		n = n ? n : 1;
		memcpy(one, text, n);
		one[n] = '\0';
		utf8_escape(shown, sizeof(shown), one);
		fputs(*one == '\n' || *one == '\t' ? one : shown, stderr);
	}
}

static int print(lua_State *state)
{
	const int n = lua_gettop(state);

	for (int i = 1; i <= n; i++) {
		luaL_tolstring(state, i, NULL);
		if (i > 1)
			fputc('\t', stderr);
		put_shown(lua_tostring(state, -1));
		lua_pop(state, 1);
	}
	fputc('\n', stderr);
	return 0;
}

static const luaL_Reg libraries[] = {
	{ LUA_GNAME, luaopen_base },
	{ LUA_TABLIBNAME, luaopen_table },
	{ LUA_STRLIBNAME, luaopen_string },
	{ LUA_MATHLIBNAME, luaopen_math },
	{ NULL, NULL },
};

/* Functions that reach files, load code, run without limit, or do not give the
 * same result every time. */
static const char *const forbidden[][12] = {
	{ LUA_GNAME, "collectgarbage", "dofile", "load", "loadfile", "pcall",
	  "xpcall", "rawset", "setmetatable", "getmetatable", "warn", NULL },
	{ LUA_TABLIBNAME, "move", NULL },
	{ LUA_STRLIBNAME, "dump", "find", "gmatch", "gsub", "match", "pack",
	  "packsize", "unpack", "rep", NULL },
	{ LUA_MATHLIBNAME, "random", "randomseed", NULL },
};
#define N_FORBIDDEN (sizeof(forbidden) / sizeof(forbidden[0]))

static void forbid(lua_State *state, const char *const *names)
{
	lua_getglobal(state, *names);
	while (*++names) {
		lua_pushnil(state);
		lua_setfield(state, -2, *names);
	}
	lua_pop(state, 1);
}

/* Refuses globals that processes set; only the top level of a text may. */
static int set_global(lua_State *state)
{
	struct sim_lua *lua = lua_of(state);

	if (lua->closed)
		return luaL_error(state,
				  "the global '%s' is set by a process, which "
				  "has nothing in common with others: make it "
				  "local",
				  luaL_tolstring(state, 2, NULL));
	lua_rawset(state, lua_upvalueindex(1));
	return 0;
}

/* Puts an empty table in front of the globals, so that writes to them are
 * seen. */
static void guard_globals(lua_State *state)
{
	lua_newtable(state);
	lua_newtable(state);
	lua_pushglobaltable(state);
	lua_pushnil(state);
	lua_setfield(state, -2, LUA_GNAME);
	lua_pushvalue(state, -1);
	lua_pushcclosure(state, set_global, 1);
	lua_setfield(state, -3, "__newindex");
	lua_setfield(state, -2, "__index");
	lua_pushboolean(state, 0);
	lua_setfield(state, -2, "__metatable");
	lua_setmetatable(state, -2);
	lua_setfield(state, LUA_REGISTRYINDEX, "bcs");
}

static int open_all(lua_State *state)
{
	for (const luaL_Reg *library = libraries; library->name; library++) {
		luaL_requiref(state, library->name, library->func, 1);
		lua_pop(state, 1);
	}
	for (size_t i = 0; i < N_FORBIDDEN; i++)
		forbid(state, forbidden[i]);
	lua_pushcfunction(state, print);
	lua_setglobal(state, "print");
	guard_globals(state);
	return 0;
}

int sim_lua_begin(struct sim_lua *lua, uint64_t memory_max)
{
	*lua = (struct sim_lua){ .memory_max = memory_max };
	lua->state = lua_newstate(allocate, lua);
	if (!lua->state)
		return -ENOMEM;
	lua_pushcfunction(lua->state, open_all);
	if (lua_pcall(lua->state, 0, 0, 0) != LUA_OK) {
		sim_lua_end(lua);
		return -ENOMEM;
	}
	lua_gc(lua->state, LUA_GCINC, GC_PAUSE, 0, 0);
	lua_sethook(lua->state, hook, LUA_MASKCOUNT, HOOK);
	sim_lua_rest(lua);
	return 0;
}

void sim_lua_end(struct sim_lua *lua)
{
	if (lua->state)
		lua_close(lua->state);
	lua->state = NULL;
}

void sim_lua_function(struct sim_lua *lua, const char *name,
		      lua_CFunction function, void *self)
{
	lua_pushlightuserdata(lua->state, self);
	lua_pushcclosure(lua->state, function, 1);
	lua_setglobal(lua->state, name);
}

int sim_lua_fault(lua_State *state, int status, struct tree_fault *fault)
{
	const char *text = lua_tostring(state, -1);

	if (status == LUA_ERRMEM)
		text = "it takes more memory than it is given";
	return tree_fault_set(fault, -EINVAL, "%s",
			      text ? text : "an error that is no text");
}

int sim_lua_run(struct sim_lua *lua, const char *name, const char *text,
		size_t size, struct tree_fault *fault)
{
	lua_State *state = lua->state;
	int status;

	lua_pushfstring(state, "@%s", name);
	status = luaL_loadbufferx(state, text, size, lua_tostring(state, -1),
				  "t");
	if (status == LUA_OK) {
		lua_getfield(state, LUA_REGISTRYINDEX, "bcs");
		lua_setupvalue(state, -2, 1);
		sim_lua_rest(lua);
		status = lua_pcall(state, 0, 1, 0);
	}
	if (status != LUA_OK)
		return sim_lua_fault(state, status, fault);
	lua_remove(state, -2);
	return 0;
}

void sim_lua_rest(struct sim_lua *lua)
{
	lua->left = SIM_LUA_COUNT;
}

double sim_lua_number(lua_State *state, int table, const char *field,
		      double otherwise, double min, double max)
{
	double number = otherwise;
	int is = 1;

	if (lua_getfield(state, table, field) != LUA_TNIL)
		number = lua_tonumberx(state, -1, &is);
	lua_pop(state, 1);
	if (!is || !(number >= min && number <= max))
		luaL_error(state, "'%s' is to be a number from %f to %f", field,
			   min, max);
	return number;
}

const char *sim_lua_text(lua_State *state, int table, const char *field,
			 const char *otherwise)
{
	const char *text = otherwise;

	/* The string stays in the table, so the pointer stays valid. */
	if (lua_getfield(state, table, field) == LUA_TSTRING)
		text = lua_tostring(state, -1);
	else if (!lua_isnil(state, -1) || !otherwise)
		luaL_error(state, "'%s' is to be a text", field);
	lua_pop(state, 1);
	return text;
}

static bool is_known(const char *field, const char *const *known)
{
	for (; *known; known++)
		if (strcmp(field, *known) == 0)
			return true;
	return false;
}

int sim_lua_unknown_field(lua_State *state, const char *what, const char *field,
			  const char *const *known)
{
	const char *nearest = nearest_name(field, known);

	if (nearest)
		return luaL_error(state,
				  "%s has no field '%s': did you mean '%s'?",
				  what, field, nearest);
	return luaL_error(state, "%s has no field '%s'", what, field);
}

void sim_lua_check_fields(lua_State *state, int table, const char *what,
			  const char *const *known, bool elements)
{
	lua_pushnil(state);
	while (lua_next(state, table)) {
		lua_pop(state, 1);
		if (lua_type(state, -1) == LUA_TSTRING) {
			if (!is_known(lua_tostring(state, -1), known))
				sim_lua_unknown_field(state, what,
						      lua_tostring(state, -1),
						      known);
		} else if (!elements) {
			luaL_error(state, "%s has named fields only", what);
		}
	}
}
