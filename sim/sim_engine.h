/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_ENGINE_H
#define BCS_SIM_ENGINE_H

/*
 * Simulates processes that compute and communicate.  Each has a source of what
 * it does; a machine says what that costs and a policy when communication is
 * done.  A process can stand for many that do the same: it talks to single ones
 * then, with one message for each of its own, or takes part in collectives.
 */
#include <stddef.h>

#include "sim/sim_transfer.h"
#include "tree/tree_fault.h"

struct sim_engine;

struct sim_setup {
	struct sim_machine machine;
	struct sim_policy policy;
	uint32_t n_processes;
	uint64_t events_max; /* then it ends with -EOVERFLOW; 0: never */
	/* Asked every so often; anything but 0 ends the run with -EINTR. */
	int (*pause)(void *self, uint64_t events, double seconds);
	void *self; /* of `pause` */
};

/* What is known of a process. */
struct sim_account {
	struct sim_moment now; /* the end, if it has ended */
	double computing;      /* seconds of one, with disks */
	uint64_t sent_bytes;   /* of all that it stands for */
	uint64_t messages;     /* likewise */
	bool ended;
};

/* NULL: no memory. */
struct sim_engine *sim_engine_new(const struct sim_setup *setup);
void sim_engine_free(struct sim_engine *engine);

/* The source is kept by value.  `count`: for how many it stands. */
void sim_engine_process(struct sim_engine *engine, uint32_t process,
			const struct sim_source *source, uint32_t count);

/*
 * A group for collectives of so many of the engine's processes.  0, the first,
 * is all of them and is there.  Returns its number or -ENOMEM.
 */
int sim_engine_group(struct sim_engine *engine, uint32_t members);

/*
 * Until all have ended.  Returns 0; -EDEADLK: nobody can go on; -EXDEV: the
 * process sim_engine_culprit cannot stand for many; -EINVAL: it does what makes
 * no sense, as `fault` says; -EINTR, -EOVERFLOW: see above; -ENOMEM; or what a
 * source returned.  What is known so far can be asked for after any of them.
 */
int sim_engine_run(struct sim_engine *engine, struct tree_fault *fault);

uint32_t sim_engine_culprit(const struct sim_engine *engine);
void sim_engine_account(const struct sim_engine *engine, uint32_t process,
			struct sim_account *account);
/* What it is blocked in; NULL if it is not. */
const struct sim_op *sim_engine_blocked(const struct sim_engine *engine,
					uint32_t process);
uint64_t sim_engine_events(const struct sim_engine *engine);
/* Messages that nobody has received. */
uint64_t sim_engine_lost(const struct sim_engine *engine);
/* Whether all times of those that stand for many are exact. */
bool sim_engine_exact(const struct sim_engine *engine);

#endif
