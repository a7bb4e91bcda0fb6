/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_APP_H
#define BCS_SIM_APP_H

/*
 * An application in Lua: labels, each with a function that its processes run.
 *
 *	label("master", 1, function(me) send{ to = "slave", bytes = 1e6 } end)
 *	label("slave", 64, function(me) recv{ from = "master" } end)
 *
 * `send` and `recv` are blocks.  A block becomes operations of the engine.
 * Each process is a coroutine, resumed when the operations of its block are
 * done.
 */
#include "sim/sim_engine.h"
#include "sim/sim_place.h"

struct sim_app;

/* A number that the command line sets. */
struct sim_app_setting {
	const char *name;
	double value;
};

struct sim_app_choice {
	/* Numbers of processes, by label. */
	const struct sim_app_setting *counts;
	unsigned n_counts;
	const struct sim_app_setting *parameters;
	unsigned n_parameters;
	uint64_t memory; /* most bytes that Lua may use */
};

/*
 * Runs the text, which defines the labels.  `choice` must outlive the
 * application.  Returns 0; -EINVAL with the reason in `fault`; or -ENOMEM.
 */
int sim_app_new(struct sim_app **app, const struct sim_text *text,
		const struct sim_app_choice *choice, struct tree_fault *fault);
void sim_app_free(struct sim_app *app);

/* The labels, for sim_place.  The caller may set `exact` in them before. */
struct sim_label *sim_app_labels(struct sim_app *app, uint32_t *n);

/*
 * Makes the placement's processes sources of the engine.  Calls `group` for
 * each new group of labels that a collective is called with.  Returns 0 or
 * -ENOMEM.
 */
int sim_app_start(struct sim_app *app, const struct sim_placement *placement,
		  struct sim_engine *engine,
		  int (*group)(void *self, uint32_t group, uint64_t labels),
		  void *self);

/* The reason, after a source failed with -EPROTO. */
const char *sim_app_fault(const struct sim_app *app);

/*
 * The label that cannot be simulated as one process, after -EXDEV.  UINT32_MAX
 * if the engine found that, not the application.
 */
uint32_t sim_app_culprit(const struct sim_app *app);

/* Writes the place of a process that is blocked or has failed, such as "slave 3
 * at app.lua:12". */
void sim_app_where(const struct sim_app *app, uint32_t process, char *text,
		   size_t size);
/* Writes the name of a process: "slave 3", or "slave" if it stands for many. */
void sim_app_name(const struct sim_app *app, uint32_t process, char *text,
		  size_t size);

#endif
