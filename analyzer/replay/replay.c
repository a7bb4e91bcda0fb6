/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Puts a replay together: the traces as sources, the system as the machine, the
 * communicators as groups.  The traces are read while the simulation runs, so
 * memory grows with ranks and open messages, not with events.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/replay/replay_inside.h"

static int no_memory(void)
{
	say_error("there is no memory left");
	return -ENOMEM;
}

static int place(struct replay *replay)
{
	struct sim_system system = *replay->choice->system;
	struct sim_node_kind kind = system.kinds[0];
	int rc;

	if (replay->choice->spread) {
		kind.any = (replay->n + system.n_nodes - 1) / system.n_nodes;
		system.kinds = &kind;
	}

	replay->label = (struct sim_label){ .name = "rank",
					    .count = replay->n,
					    .exact = true };
	rc = sim_place(&replay->placement, &system, &replay->label, 1,
		       &replay->fault);
	if (rc != 0)
		say_error("%s", replay->fault.text);
	return rc;
}

static void share_cores(struct replay *replay)
{
	const struct replay_choice *choice = replay->choice;
	struct sim_cores *cores = &replay->cores;

	cores->quantum = choice->quantum;
	cores->nodes = mem_alloc(replay->n, sizeof(*cores->nodes));
	cores->free_at = mem_alloc((size_t)choice->system->n_nodes * cores->n,
				   sizeof(*cores->free_at));
	for (uint32_t i = 0; i < replay->n; i++)
		cores->nodes[i] = replay->placement.classes[i].node;
}

/* Group 0 of the engine is all processes; that of a communicator has its
 * number and 1. */
static int add_groups(struct replay *replay)
{
	const size_t n = replay->comms.ids.n;
	const struct replay_comm *comm;
	int rc = 0;

	replay->machine.members = mem_alloc(n + 1,
					    sizeof(*replay->machine.members));
	for (size_t i = 0; rc >= 0 && i < n; i++) {
		comm = &replay->comms.comms[i];
		replay->machine.members[i + 1] = comm->size;
		rc = sim_engine_group(replay->engine, comm->size);
		if (rc >= 0 &&
		    replay_comms_is_whole(&replay->comms, (uint32_t)i))
			rc = sim_cluster_group_of(replay->cluster,
						  (uint32_t)i + 1,
						  comm->members, comm->size);
	}
	return rc < 0 ? no_memory() : 0;
}

/* As many as are asked for, else those of the run; 0 if there are as many as
 * ranks. */
static uint32_t cores_of(const struct replay *replay)
{
	const struct sim_placement *placement = &replay->placement;
	const uint32_t n = replay->choice->cores
				   ? replay->choice->cores
				   : traces_shared_cores(
					     &replay->sources[0].events.of);

	for (uint32_t i = 0; i < replay->choice->system->n_nodes; i++)
		if (placement->on_node[i] > n)
			return n;
	return 0;
}

static int make_engine(struct replay *replay)
{
	const struct replay_choice *choice = replay->choice;
	struct sim_setup setup = {
		.policy = choice->policy,
		.n_processes = replay->n,
		.pause = choice->pause,
		.self = choice->self,
	};

	replay->cluster = sim_cluster_new(choice->system, &replay->placement);
	if (!replay->cluster)
		return no_memory();
	replay->machine.of = sim_cluster_machine(replay->cluster);
	replay->machine.choice = choice;
	setup.machine = replay_machine(&replay->machine);
	if (!isnan(choice->eager))
		setup.machine.eager = (uint64_t)choice->eager;
	for (uint32_t i = 0; i < replay->n; i++)
		replay->sources[i].eager = setup.machine.eager;
	replay->cores.n = cores_of(replay);
	if (replay->cores.n) {
		share_cores(replay);
		setup.cores = &replay->cores;
	}
	replay->engine = sim_engine_new(&setup);
	return replay->engine ? add_groups(replay) : no_memory();
}

static void add_sources(struct replay *replay)
{
	struct sim_source source = { .next = replay_source_next };

	for (uint32_t i = 0; i < replay->n; i++) {
		source.self = &replay->sources[i];
		sim_engine_process(replay->engine, i, &source, 1);
	}
}

static int play(struct replay *replay, struct replay_result *result)
{
	int rc = place(replay);

	if (rc == 0)
		rc = make_engine(replay);
	if (rc != 0)
		return rc;
	add_sources(replay);
	rc = sim_engine_run(replay->engine, &replay->fault);
	if (rc != 0)
		return replay_say_why(replay, rc);
	replay_take(replay, result);
	return 0;
}

static void end(struct replay *replay, struct replay_result *result)
{
	for (uint32_t i = 0; i < replay->n_open; i++)
		traces_end(&replay->traces, &replay->sources[i].events.of);
	if (result)
		result->lost = replay->traces.lost;
	for (uint32_t i = 0; i < replay->n; i++)
		replay_source_clear(&replay->sources[i]);
	free(replay->sources);
	sim_engine_free(replay->engine);
	sim_cluster_free(replay->cluster);
	sim_place_clear(&replay->placement);
	free(replay->machine.members);
	free(replay->cores.nodes);
	free(replay->cores.free_at);
	replay_comms_clear(&replay->comms);
	traces_close(&replay->traces);
}

int replay_run(const char *path, const struct replay_choice *choice,
	       struct replay_result *result)
{
	struct replay replay = { .path = path, .choice = choice };
	int rc;

	rc = replay_open(&replay);
	if (rc == 0)
		rc = play(&replay, result);
	end(&replay, rc == 0 ? result : NULL);
	return rc;
}
