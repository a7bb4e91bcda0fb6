/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_APP_H
#define BCS_SIM_APP_H

/*
 * An application in Lua: labels, each with a function that its processes run.
 *
 *	label("master", 1, function(me) send{ to = "slave", bytes = 1e6 } end)
 *	label("slave", 64, function(me) recv{ from = "master" } end)
 *
 * The blocks it calls become operations of the engine, for which each process
 * is a coroutine that is resumed when all before it are done.
 */
#include "sim/sim_engine.h"
#include "sim/sim_place.h"

struct sim_app;

/* What is set from outside. */
struct sim_app_setting {
	const char *name;
	double value;
};

struct sim_app_choice {
	const struct sim_app_setting *counts; /* processes, by label */
	unsigned n_counts;
	const struct sim_app_setting *parameters;
	unsigned n_parameters;
	uint64_t memory; /* of Lua, at most */
};

/*
 * Runs the text, which defines the labels.  `choice` is kept by reference.
 * Returns 0 or, with the reason in `fault`, -EINVAL; or -ENOMEM.
 */
int sim_app_new(struct sim_app **app, const struct sim_text *text,
		const struct sim_app_choice *choice, struct tree_fault *fault);
void sim_app_free(struct sim_app *app);

/* Its labels, for sim_place; which are exact can be set before. */
struct sim_label *sim_app_labels(struct sim_app *app, uint32_t *n);

/*
 * What the processes of the placement do, in this engine.  A group that is new
 * is told to `group`.  0 or -ENOMEM.
 */
int sim_app_start(struct sim_app *app, const struct sim_placement *placement,
		  struct sim_engine *engine,
		  int (*group)(void *self, uint32_t group, uint64_t labels),
		  void *self);

/* After a source failed with -EPROTO: why. */
const char *sim_app_fault(const struct sim_app *app);

/*
 * After -EXDEV: a label that cannot be simulated as one process; UINT32_MAX if
 * it was the engine that said so.
 */
uint32_t sim_app_culprit(const struct sim_app *app);

/* "slave 3 at app.lua:12", of a process that is blocked or has failed. */
void sim_app_where(const struct sim_app *app, uint32_t process, char *text,
		   size_t size);
/* "slave 3", or "slave", of one that stands for many. */
void sim_app_name(const struct sim_app *app, uint32_t process, char *text,
		  size_t size);

#endif
