/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_LUA_H
#define BCS_SIM_LUA_H

/*
 * Lua for descriptions that come from anywhere: no files, no system, no code
 * but text, a limit on memory and one on what is done without a pause.  Nothing
 * that is left takes long without being counted: patterns of strings,
 * repetition and metatables are out.
 */
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

#include "tree/tree_fault.h"

#define SIM_LUA_MEMORY (UINT64_C(512) << 20)
#define SIM_LUA_COUNT  100000000 /* instructions without a pause */

struct sim_lua {
	lua_State *state;
	uint64_t memory;     /* in use */
	uint64_t memory_max; /* then it is out of memory */
	int64_t left;        /* instructions until it is stopped */
	bool closed;         /* globals cannot be set any more */
};

/*
 * In place, for it is pointed at.  Returns 0 or -ENOMEM.  Whatever values of
 * type void * are put into the extra space of a thread is left alone.
 */
int sim_lua_begin(struct sim_lua *lua, uint64_t memory_max);
void sim_lua_end(struct sim_lua *lua);

/* A function for the scripts; `self` is its first upvalue. */
void sim_lua_function(struct sim_lua *lua, const char *name,
		      lua_CFunction function, void *self);

/*
 * Runs a text, with what it returns, at most one value, on the stack.  Returns
 * 0 or, with the line in `fault`, -EINVAL.
 */
int sim_lua_run(struct sim_lua *lua, const char *name, const char *text,
		size_t size, struct tree_fault *fault);

/* Counts from the start again: there was a pause. */
void sim_lua_rest(struct sim_lua *lua);

/* The message of an error on top of a stack. */
int sim_lua_fault(lua_State *state, int status, struct tree_fault *fault);

/*
 * Of the table at `table`: a field that is a number or a text.  They raise
 * errors that name it.  Those with a default take it where there is none.
 */
double sim_lua_number(lua_State *state, int table, const char *field,
		      double otherwise, double min, double max);
const char *sim_lua_text(lua_State *state, int table, const char *field,
			 const char *otherwise);

/*
 * Raises an error if the table at `table` has a field that is none of `known`
 * (NULL ends them), or an element while `elements` is false.  The error names
 * `what` the table is, the field and the nearest known one.
 */
void sim_lua_check_fields(lua_State *state, int table, const char *what,
			  const char *const *known, bool elements);
/* The error of such a field. */
int sim_lua_unknown_field(lua_State *state, const char *what, const char *field,
			  const char *const *known);

#endif
