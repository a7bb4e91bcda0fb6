/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_APP_INSIDE_H
#define BCS_SIM_APP_INSIDE_H

#include "sim/sim_app.h"

#define SIM_APP_LABELS 64 /* a bit each */

struct sim_app_process {
	struct sim_app *app;
	uint32_t number;
	lua_State *thread;
	int anchor; /* what keeps it */
	bool started;
	int given;            /* values that the block returns */
	struct sim_op *queue; /* of the block it is in */
	uint32_t n;
	uint32_t at;
	uint32_t room;
	uint32_t *spare; /* numbers of requests that can be used again */
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
	bool used[64]; /* settings that the text asks for */
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

/* Of the function of ours that is called: its first upvalue. */
struct sim_app *sim_app_of(lua_State *state);

/* Of the coroutine that calls a block; raises an error elsewhere. */
struct sim_app_process *sim_app_caller(lua_State *thread);

/* Room in the queue of the block for one more. */
struct sim_op *sim_app_push(lua_State *thread, struct sim_app_process *process);

/* UINT32_MAX if there is none. */
uint32_t sim_app_label(const struct sim_app *app, const char *name);

/* The label has to be simulated exactly: ends the run. */
int sim_app_refuse(lua_State *thread, struct sim_app *app, uint32_t label);

/* Puts the blocks among the globals. */
void sim_block_open(struct sim_app *app);

#endif
