/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_ENGINE_H
#define BCS_SIM_ENGINE_H

/*
 * Simulates processes that compute and communicate.  A source gives the
 * operations of a process.  The machine gives their cost, and the policy
 * decides when communication is done.
 *
 * A process can stand for many that do the same.  It can exchange messages with
 * a single process, one for each of the many, and take part in collectives.
 */
#include <stddef.h>

#include "sim/sim_cores.h"
#include "sim/sim_transfer.h"
#include "tree/tree_fault.h"

struct sim_engine;

struct sim_setup {
	struct sim_machine machine;
	struct sim_policy policy;
	struct sim_cores *cores; /* NULL: each process has its own */
	uint32_t n_processes;
	uint64_t events_max; /* ends the run with -EOVERFLOW; 0: unlimited */
	/* Called every 16384 events.  If it returns non-zero, the run ends with
	 * -EINTR. */
	int (*pause)(void *self, uint64_t events, double seconds);
	void *self; /* argument of `pause` */
};

/* The state and the totals of a process. */
struct sim_account {
	/* Its time; the time of its end, if it has ended. */
	struct sim_moment now;
	/* Seconds, disks included; if it stands for many, of one of them. */
	double computing;
	uint64_t sent_bytes; /* of all processes that it stands for */
	uint64_t messages;   /* likewise */
	bool ended;
};

/* Returns NULL if there is no memory. */
struct sim_engine *sim_engine_new(const struct sim_setup *setup);
void sim_engine_free(struct sim_engine *engine);

/* Sets the source of a process, which is copied.  `count` is the number of
 * processes that it stands for. */
void sim_engine_process(struct sim_engine *engine, uint32_t process,
			const struct sim_source *source, uint32_t count);

/*
 * Makes a group of `members` of the engine's processes, for collectives.  Group
 * 0 exists: all processes.  Returns its number or -ENOMEM.
 */
int sim_engine_group(struct sim_engine *engine, uint32_t members);

/*
 * Runs until all processes have ended.  Returns 0, what a source returned, or
 *   -EDEADLK    no process can go on
 *   -EXDEV      process sim_engine_culprit cannot stand for many
 *   -EINVAL     it asked for something impossible, see `fault`
 *   -EINTR      `pause` ended the run
 *   -EOVERFLOW  there were `events_max` events
 *   -ENOMEM
 *
 * The results so far can be read after any of them.
 */
int sim_engine_run(struct sim_engine *engine, struct tree_fault *fault);

uint32_t sim_engine_culprit(const struct sim_engine *engine);
void sim_engine_account(const struct sim_engine *engine, uint32_t process,
			struct sim_account *account);
/* The operation that the process is blocked in; NULL if it is not blocked. */
const struct sim_op *sim_engine_blocked(const struct sim_engine *engine,
					uint32_t process);
uint64_t sim_engine_events(const struct sim_engine *engine);
/* Number of messages that no process received. */
uint64_t sim_engine_lost(const struct sim_engine *engine);
/* Whether the times of all processes that stand for many are exact. */
bool sim_engine_exact(const struct sim_engine *engine);

#endif
