/* SPDX-License-Identifier: BSD-3-Clause */

/* How a replay ended: its result, or why there is none. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/replay/replay_inside.h"

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
	say_error("%s: waits for ever in a %s: the traces do not fit "
		  "together, or messages were eager that are not now (--eager)",
		  path_of(replay, i < replay->n ? i : 0),
		  op ? sim_kind_names[op->kind] : "call");
	return -EDEADLK;
}

int replay_say_why(const struct replay *replay, int rc)
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
		say_error("there is no memory left");
		return rc;
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

void replay_take(const struct replay *replay, struct replay_result *result)
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

void replay_clear(struct replay_result *result)
{
	free(result->ranks);
	*result = (struct replay_result){ 0 };
}
