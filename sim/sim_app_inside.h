/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_APP_INSIDE_H
#define BCS_SIM_APP_INSIDE_H

#include "sim/sim_app.h"

#define SIM_APP_LABELS 64 /* one bit each in a mask */

struct sim_app_process {
	struct sim_app *app;
	uint32_t number;
	lua_State *thread;
	/* Reference that keeps the coroutine from being collected. */
	int anchor;
	bool started;
	int given;            /* number of values to resume with */
	struct sim_op *queue; /* operations of the current block */
	uint32_t n;
	uint32_t at;
	uint32_t room;
	uint32_t *spare; /* numbers of finished requests, to be used again */
	uint32_t n_spare;
	uint32_t room_spare;
	uint32_t n_requests;
};

struct sim_app {
	struct sim_lua lua;
	struct tree_fault fault;
	const struct sim_app_choice *choice;
	struct sim_label labels[SIM_APP_LABELS];
	int functions[SIM_APP_LABELS];
	uint32_t n_labels;
	bool used[64]; /* parameters that the text has read */
	const struct sim_placement *placement;
	struct sim_engine *engine;
	struct sim_app_process *processes;
	uint32_t n_processes;
	uint64_t groups[SIM_APP_LABELS];
	uint32_t n_groups;
	int (*group)(void *self, uint32_t group, uint64_t labels);
	void *self;
	uint32_t culprit;
};

/* The application of a function of ours: its first upvalue. */
struct sim_app *sim_app_of(lua_State *state);

/* The process whose coroutine calls a block; raises an error elsewhere. */
struct sim_app_process *sim_app_caller(lua_State *thread);

/* Appends an operation to the current block's queue. */
struct sim_op *sim_app_push(lua_State *thread, struct sim_app_process *process);

/* Looks up a label; UINT32_MAX if there is none of that name. */
uint32_t sim_app_label(const struct sim_app *app, const char *name);

/* Ends the run, since the label must be simulated exactly. */
int sim_app_refuse(lua_State *thread, struct sim_app *app, uint32_t label);

/* Defines the blocks as globals. */
void sim_block_open(struct sim_app *app);

#endif
