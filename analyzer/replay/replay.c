/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Puts a replay together: the traces as sources, the system as the machine, the
 * communicators as groups.  The traces are read while the simulation runs, so
 * memory grows with ranks and open messages, not with events.
 */
#include "analyzer/replay/replay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/replay/replay_machine.h"
#include "analyzer/replay/replay_source.h"

struct replay {
	const char *path;
	const struct replay_choice *choice;
	struct traces traces;
	struct replay_comms comms;
	struct replay_source *sources;
	uint32_t n;      /* sources, and traces */
	uint32_t n_open; /* traces that are open */
	struct sim_label label;
	struct sim_placement placement;
	struct sim_cluster *cluster;
	struct sim_engine *engine;
	struct replay_machine machine;
	struct sim_cores cores;
	struct tree_fault fault;
};

static int no_memory(void)
{
	say_error("there is no memory left");
	return -ENOMEM;
}

/* A file stays open for each rank. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_traces(struct replay *replay)
{
	const struct run_filter all = { 0 };
	struct replay_source *source;
	int rc = traces_open(&replay->traces, replay->path, &all);

	if (rc != 0)
		return rc;
	replay->n = (uint32_t)replay->traces.files.n;
	rc = replay_comms_read(&replay->comms, &replay->traces);
	replay->sources = mem_alloc(replay->n, sizeof(*replay->sources));
	while (rc == 0 && replay->n_open < replay->n) {
		source = &replay->sources[replay->n_open];
		source->choice = replay->choice;
		source->events.comms = &replay->comms;
		rc = traces_begin(&replay->traces, replay->n_open,
				  &source->events.of);
		replay->n_open += rc == 0;
	}
	return rc;
}

/* The first process of each host begins at 0. */
static int begin_sources(struct replay *replay)
{
	uint64_t *zero = mem_alloc(replay->traces.n_hosts, sizeof(*zero));
	struct replay_source *source;
	int rc = 0;

	memset(zero, 0xff, replay->traces.n_hosts * sizeof(*zero));
	for (uint32_t i = 0; rc == 0 && i < replay->n; i++) {
		source = &replay->sources[i];
		if (!replay_source_begin(source)) {
			say_error("%s: has no event",
				  trace_path(source->events.of.reader));
			rc = -EINVAL;
		} else if (source->start < zero[source->events.of.host]) {
			zero[source->events.of.host] = source->start;
		}
	}
	for (uint32_t i = 0; rc == 0 && i < replay->n; i++)
		replay_source_offset(&replay->sources[i],
				     zero[replay->sources[i].events.of.host]);
	free(zero);
	return rc;
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

static const char *path_of(const struct replay *replay, uint32_t process)
{
	return trace_path(replay->sources[process].events.of.reader);
}

/* The first process that waits for ever. */
static int say_deadlock(const struct replay *replay)
{
	const struct sim_op *op = NULL;
	uint32_t i = 0;

	while (i < replay->n && !(op = sim_engine_blocked(replay->engine, i)))
		i++;
	say_error("%s: waits for ever in a %s: the traces do not fit together",
		  path_of(replay, i < replay->n ? i : 0),
		  op ? sim_kind_names[op->kind] : "call");
	return -EDEADLK;
}

static int say_why(const struct replay *replay, int rc)
{
	const uint32_t culprit = sim_engine_culprit(replay->engine);

	switch (rc) {
	case -EDEADLK:
		return say_deadlock(replay);
	case -ENOTSUP:
		say_error("%s: several threads call MPI, which cannot be "
			  "replayed",
			  path_of(replay, culprit));
		return rc;
	case -EINVAL:
		say_error("%s: %s", path_of(replay, culprit),
			  replay->fault.text);
		return rc;
	case -ENOMEM:
		return no_memory();
	default:
		say_progress(NULL);
		say_error("interrupted");
		return rc;
	}
}

static void take_rank(const struct replay *replay, uint32_t i,
		      struct replay_result *result)
{
	const struct replay_source *source = &replay->sources[i];
	struct replay_rank *rank = &result->ranks[i];
	struct sim_account account;

	sim_engine_account(replay->engine, i, &account);
	rank->rank = source->events.of.head->ranked
			     ? source->events.of.head->rank
			     : i;
	rank->recorded_end = source->recorded;
	rank->end = account.now.last;
	rank->computing = account.computing;
	rank->in_mpi = (double)source->in_mpi * 1e-9;
	result->recorded = fmax(result->recorded, rank->recorded_end);
	if (rank->end > result->seconds) {
		result->seconds = rank->end;
		result->path = account.now.path;
	}
	result->events += source->events.taken;
	result->messages += account.messages;
	result->bytes += account.sent_bytes;
	result->sites += source->met;
	result->as_recorded += source->as_recorded;
}

static void take(struct replay *replay, struct replay_result *result)
{
	const char *lacking = sim_cluster_lacking(replay->cluster);

	*result = (struct replay_result){
		.ranks = mem_alloc(replay->n, sizeof(*result->ranks)),
		.n_ranks = replay->n,
	};
	for (uint32_t i = 0; i < replay->n; i++)
		take_rank(replay, i, result);
	result->cores = replay->cores.n;
	if (replay->cores.n || replay->choice->policy.strobe == SIM_FIXED)
		result->path = (struct sim_path){ 0 };
	if (lacking)
		strcpy(result->lacking, lacking);
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
		return say_why(replay, rc);
	take(replay, result);
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

	allow_files();
	rc = open_traces(&replay);
	if (rc == 0)
		rc = begin_sources(&replay);
	if (rc == 0)
		rc = play(&replay, result);
	end(&replay, rc == 0 ? result : NULL);
	return rc;
}

void replay_clear(struct replay_result *result)
{
	free(result->ranks);
	*result = (struct replay_result){ 0 };
}
