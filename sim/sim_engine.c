/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs operations, one after the other, of the process that is furthest behind.
 */
#include "sim/sim_engine.h"

#include <errno.h>
#include <stdlib.h>

#include "sim/sim_inside.h"

#define PAUSE 16384 /* events between two calls of `pause` */

const char *const sim_kind_names[] = { "compute",    "delay",       "read",
				       "write",      "send",        "receive",
				       "isend",      "irecv",       "wait",
				       "collective", "icollective", "end" };
const char *const sim_collective_names[] = { "barrier",   "bcast",    "scatter",
					     "gather",    "alltoall", "reduce",
					     "allreduce", "allgather" };

struct sim_engine *sim_engine_new(const struct sim_setup *setup)
{
	struct sim_engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	engine->setup = *setup;
	engine->processes = calloc(setup->n_processes,
				   sizeof(*engine->processes));
	engine->heap = calloc(setup->n_processes, sizeof(*engine->heap));
	if (engine->processes && engine->heap &&
	    sim_engine_group(engine, setup->n_processes) == 0)
		return engine;
	sim_engine_free(engine);
	return NULL;
}

void sim_engine_free(struct sim_engine *engine)
{
	if (!engine)
		return;
	for (uint32_t i = 0; engine->processes && i < engine->setup.n_processes;
	     i++) {
		free(engine->processes[i].requests);
		free(engine->processes[i].calls);
	}
	for (uint32_t i = 0; i < engine->n_groups; i++)
		sim_group_clear(&engine->groups[i]);
	sim_match_clear(&engine->match);
	free(engine->groups);
	free(engine->heap);
	free(engine->processes);
	free(engine);
}

void sim_engine_process(struct sim_engine *engine, uint32_t process,
			const struct sim_source *source, uint32_t count)
{
	engine->processes[process].source = *source;
	engine->processes[process].count = count;
}

int sim_engine_group(struct sim_engine *engine, uint32_t members)
{
	struct sim_group *groups = realloc(
		engine->groups, (engine->n_groups + 1) * sizeof(*groups));

	if (!groups)
		return -ENOMEM;
	engine->groups = groups;
	groups[engine->n_groups] = (struct sim_group){ .members = members };
	return (int)engine->n_groups++;
}

/* Computes until another process may need the core. */
static void go_on_computing(struct sim_engine *engine,
			    struct sim_process *process)
{
	const uint32_t number = sim_heap_number(engine, process);
	const double end = sim_cores_compute(engine->setup.cores, number,
					     process->now.last, &process->left);

	process->now.first = process->now.last = end;
}

static int do_local(struct sim_engine *engine, struct sim_process *process)
{
	const struct sim_machine *machine = &engine->setup.machine;
	const struct sim_op *op = &process->op;
	const double seconds = op->kind == SIM_DELAY
				       ? op->amount
				       : machine->local(
						 machine->self,
						 sim_heap_number(engine,
								 process),
						 op,
						 sim_moment_mean(process->now));

	process->computing += seconds;
	if (engine->setup.cores) {
		process->left = seconds;
		go_on_computing(engine, process);
		return 0;
	}
	process->now.first += seconds;
	process->now.last += seconds;
	return 0;
}

static int do_end(struct sim_engine *engine, struct sim_process *process)
{
	const struct sim_machine *machine = &engine->setup.machine;

	process->ended = true;
	engine->n_ended++;
	if (machine->end)
		machine->end(machine->self, sim_heap_number(engine, process),
			     sim_moment_mean(process->now));
	return 0;
}

static int do_op(struct sim_engine *engine, struct sim_process *process,
		 struct tree_fault *fault)
{
	switch (process->op.kind) {
	case SIM_SEND:
	case SIM_ISEND:
		return sim_message_send(engine, process, fault);
	case SIM_RECV:
	case SIM_IRECV:
		return sim_message_receive(engine, process, fault);
	case SIM_WAIT:
		return sim_message_wait(engine, process, fault);
	case SIM_COLLECTIVE:
	case SIM_ICOLLECTIVE:
		return sim_group_enter(engine, process, fault);
	case SIM_END:
		return do_end(engine, process);
	default:
		return do_local(engine, process);
	}
}

static int pause_now(struct sim_engine *engine)
{
	const struct sim_setup *setup = &engine->setup;

	if (setup->events_max && engine->events >= setup->events_max)
		return -EOVERFLOW;
	if (engine->events++ % PAUSE == PAUSE - 1 && setup->pause &&
	    setup->pause(setup->self, engine->events,
			 engine->current->now.last) != 0)
		return -EINTR;
	return 0;
}

static bool goes_on(const struct sim_engine *engine,
		    const struct sim_process *process)
{
	return !process->blocked && !process->ended &&
	       (engine->n_heap == 0 ||
		sim_heap_is_before(engine, sim_heap_number(engine, process),
				   engine->heap[0]));
}

static int next_op(struct sim_engine *engine, struct sim_process *process,
		   struct tree_fault *fault)
{
	int rc;

	if (process->left > 0) {
		go_on_computing(engine, process);
		return 0;
	}
	rc = process->source.next(process->source.self, &process->op);
	return rc == 0 ? do_op(engine, process, fault) : rc;
}

/* Runs a process while it is the furthest behind. */
static int advance(struct sim_engine *engine, struct sim_process *process,
		   struct tree_fault *fault)
{
	int rc;

	do {
		engine->culprit = sim_heap_number(engine, process);
		rc = pause_now(engine);
		if (rc == 0)
			rc = next_op(engine, process, fault);
	} while (rc == 0 && goes_on(engine, process));
	return rc;
}

static int step(struct sim_engine *engine, struct tree_fault *fault)
{
	const uint32_t number = sim_heap_take(engine);
	struct sim_process *process = &engine->processes[number];
	int rc;

	engine->current = process;
	rc = advance(engine, process, fault);
	if (!process->blocked && !process->ended)
		sim_heap_put(engine, number);
	return rc;
}

int sim_engine_run(struct sim_engine *engine, struct tree_fault *fault)
{
	int rc = 0;

	for (uint32_t i = 0; i < engine->setup.n_processes; i++)
		sim_heap_put(engine, i);
	while (rc == 0 && engine->n_heap)
		rc = step(engine, fault);
	if (rc == 0 && engine->n_ended < engine->setup.n_processes)
		rc = -EDEADLK;
	return rc;
}

uint32_t sim_engine_culprit(const struct sim_engine *engine)
{
	return engine->culprit;
}

void sim_engine_account(const struct sim_engine *engine, uint32_t process,
			struct sim_account *account)
{
	const struct sim_process *of = &engine->processes[process];

	*account = (struct sim_account){
		.now = of->now,
		.computing = of->computing,
		.sent_bytes = of->sent_bytes,
		.messages = of->messages,
		.ended = of->ended,
	};
}

const struct sim_op *sim_engine_blocked(const struct sim_engine *engine,
					uint32_t process)
{
	const struct sim_process *of = &engine->processes[process];

	return of->blocked ? &of->op : NULL;
}

uint64_t sim_engine_events(const struct sim_engine *engine)
{
	return engine->events;
}

uint64_t sim_engine_lost(const struct sim_engine *engine)
{
	return engine->match.waiting;
}

bool sim_engine_exact(const struct sim_engine *engine)
{
	return !engine->inexact;
}
