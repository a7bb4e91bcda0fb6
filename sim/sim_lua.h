/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_LUA_H
#define BCS_SIM_LUA_H

/*
 * A Lua state for untrusted descriptions: no files, no system calls, no loading
 * of code.  Memory is limited, and so is the number of instructions between two
 * pauses.  Functions that take long within one instruction are left out: string
 * patterns, repetition, metatables.
 */
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

#include "tree/tree_fault.h"

#define SIM_LUA_MEMORY (UINT64_C(512) << 20)
#define SIM_LUA_COUNT  100000000 /* most instructions between two pauses */

struct sim_lua {
	lua_State *state;
	uint64_t memory;     /* bytes in use */
	uint64_t memory_max; /* limit of `memory` */
	int64_t left;        /* instructions left until the state is stopped */
	bool closed;         /* globals are read-only now */
};

/*
 * Initializes `lua`, which must not move afterwards.  Returns 0 or -ENOMEM.
 * The extra space of a Lua thread is the caller's: it may hold a void *.
 */
int sim_lua_begin(struct sim_lua *lua, uint64_t memory_max);
void sim_lua_end(struct sim_lua *lua);

/* Defines a global C function.  Its first upvalue is `self`. */
void sim_lua_function(struct sim_lua *lua, const char *name,
		      lua_CFunction function, void *self);

/*
 * Runs a text.  Leaves its result, at most one value, on the stack.  Returns 0,
 * or -EINVAL with the line in `fault`.
 */
int sim_lua_run(struct sim_lua *lua, const char *name, const char *text,
		size_t size, struct tree_fault *fault);

/* Marks a pause: the count of instructions starts again. */
void sim_lua_rest(struct sim_lua *lua);

/* Takes the error message from the top of a stack into `fault`; returns the
 * error. */
int sim_lua_fault(lua_State *state, int status, struct tree_fault *fault);

/*
 * Read a field of the table at index `table`, a number or a text.  They raise
 * an error that names the field.  `otherwise` is the default of a missing
 * field.
 */
double sim_lua_number(lua_State *state, int table, const char *field,
		      double otherwise, double min, double max);
const char *sim_lua_text(lua_State *state, int table, const char *field,
			 const char *otherwise);

/*
 * Raises an error if the table at index `table` has a field not in `known`
 * (which NULL ends).  Elements are an error too, unless `elements`.  The error
 * names the table (`what`), the field and the nearest known field.
 */
void sim_lua_check_fields(lua_State *state, int table, const char *what,
			  const char *const *known, bool elements);
/* Raises the error for an unknown field. */
int sim_lua_unknown_field(lua_State *state, const char *what, const char *field,
			  const char *const *known);

#endif
