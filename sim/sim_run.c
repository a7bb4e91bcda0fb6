/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Runs a simulation.  At first each label is one process of the engine.  If its
 * processes turn out to differ, the simulation starts again with that label
 * exact.
 */
#include "sim/sim_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct running {
	const struct sim_system *system;
	const struct sim_run_choice *choice;
	uint64_t exact; /* labels to simulate exactly, a bit each */
	struct sim_app *app;
	struct sim_label *labels;
	uint32_t n_labels;
	struct sim_placement placement;
	struct sim_cluster *cluster;
	struct sim_engine *engine;
};

static int add_group(void *self, uint32_t group, uint64_t labels)
{
	return sim_cluster_group(self, group, labels);
}

static int place(struct running *run, struct tree_fault *fault)
{
	run->labels = sim_app_labels(run->app, &run->n_labels);
	for (uint32_t i = 0; i < run->n_labels; i++)
		run->labels[i].exact = run->choice->exact ||
				       run->exact >> i & 1;
	return sim_place(&run->placement, run->system, run->labels,
			 run->n_labels, fault);
}

static int prepare(struct running *run, struct tree_fault *fault)
{
	struct sim_setup setup = {
		.policy = run->choice->policy,
		.n_processes = run->placement.n_classes,
		.events_max = run->choice->events_max,
		.pause = run->choice->pause,
		.self = run->choice->self,
	};
	int rc;

	run->cluster = sim_cluster_new(run->system, &run->placement);
	if (!run->cluster)
		return -ENOMEM;
	setup.machine = sim_cluster_machine(run->cluster);
	run->engine = sim_engine_new(&setup);
	if (!run->engine)
		return -ENOMEM;
	rc = sim_app_start(run->app, &run->placement, run->engine, add_group,
			   run->cluster);
	if (rc == -ENOMEM)
		tree_fault_set(fault, rc,
			       "%u processes take more memory than "
			       "is given",
			       run->placement.n_classes);
	return rc;
}

static void tell_where(const struct running *run, struct tree_fault *fault)
{
	struct tree_fault told = *fault;
	char where[128];

	sim_app_where(run->app, sim_engine_culprit(run->engine), where,
		      sizeof(where));
	tree_fault_set(fault, 0, "%s: %.100s", where, told.text);
}

/* Marks one more label as exact.  Returns false if it already is. */
static bool more_exact(struct running *run)
{
	uint32_t label = sim_app_culprit(run->app);

	if (label == UINT32_MAX)
		label = run->placement.classes[sim_engine_culprit(run->engine)]
				.label;
	if (run->exact >> label & 1)
		return false;
	run->exact |= UINT64_C(1) << label;
	return true;
}

static void take_class(const struct running *run, uint32_t process,
		       struct sim_run_label *label)
{
	const struct sim_class *class = &run->placement.classes[process];
	struct sim_account account;

	sim_engine_account(run->engine, process, &account);
	label->simulated++;
	label->ended += account.ended ? class->count : 0;
	label->seconds = fmax(label->seconds, account.now.last);
	label->first = fmin(label->first, account.now.first);
	label->computing += account.computing * class->count;
	label->joules += sim_power_end(sim_cluster_power(run->cluster), process,
				       sim_moment_mean(account.now)) *
			 class->count;
	label->messages += account.messages;
	label->bytes += account.sent_bytes;
}

static void take_label(const struct running *run, uint32_t number,
		       struct sim_run_label *label)
{
	const struct sim_label *of = &run->labels[number];

	*label = (struct sim_run_label){ .processes = of->count,
					 .first = INFINITY };
	strcpy(label->name, of->name);
	for (uint32_t i = of->first; i < of->first + of->n; i++)
		take_class(run, i, label);
	label->computing /= of->count;
}

static void take_stuck(const struct running *run, struct sim_run_result *result)
{
	const struct sim_op *op;
	char where[100];
	char peer[64] = "";

	for (uint32_t i = 0; i < run->placement.n_classes; i++) {
		op = sim_engine_blocked(run->engine, i);
		if (!op || result->n_stuck++ >= SIM_STUCK)
			continue;
		sim_app_where(run->app, i, where, sizeof(where));
		if (op->kind >= SIM_SEND && op->kind <= SIM_IRECV) {
			strcpy(peer, " with anyone");
			if (op->peer >= 0) {
				strcpy(peer, " with ");
				sim_app_name(run->app, (uint32_t)op->peer,
					     peer + 6, sizeof(peer) - 6);
			}
		} else {
			*peer = '\0';
		}
		snprintf(result->stuck[result->n_stuck - 1],
			 sizeof(result->stuck[0]), "%s: %s%s", where,
			 op->kind == SIM_COLLECTIVE
				 ? sim_collective_names[op->collective]
				 : sim_kind_names[op->kind],
			 peer);
	}
}

static void take(const struct running *run, struct sim_run_result *result)
{
	const char *lacking = sim_cluster_lacking(run->cluster);
	struct sim_run_label *label;

	*result = (struct sim_run_result){
		.n_labels = run->n_labels,
		.nodes = run->placement.nodes_used,
		.watts = sim_power_most(sim_cluster_power(run->cluster)),
		.failures = sim_cluster_failures(run->cluster),
		.events = sim_engine_events(run->engine),
		.lost = sim_engine_lost(run->engine),
		.exact = sim_engine_exact(run->engine),
	};
	for (uint32_t i = 0; i < run->n_labels; i++) {
		label = &result->labels[i];
		take_label(run, i, label);
		result->processes += label->processes;
		result->seconds = fmax(result->seconds, label->seconds);
		result->joules += label->joules;
	}
	if (lacking)
		strcpy(result->lacking, lacking);
	take_stuck(run, result);
}

static int finish(const struct running *run, int rc,
		  struct sim_run_result *result, struct tree_fault *fault)
{
	if (rc == -EPROTO)
		return tree_fault_set(fault, -EINVAL, "%s",
				      sim_app_fault(run->app));
	if (rc == -EINVAL)
		tell_where(run, fault);
	if (rc == -EDEADLK)
		tree_fault_set(fault, rc, "a deadlock: nobody can go on");
	if (rc == -EINTR)
		tree_fault_set(fault, rc, "interrupted");
	if (rc == -EOVERFLOW) {
		tree_fault_set(fault, rc,
			       "%llu operations: an endless loop? --limit "
			       "allows more",
			       (unsigned long long)run->choice->events_max);
		tell_where(run, fault);
	}
	if (rc == 0 || rc == -EDEADLK || rc == -EINTR || rc == -EOVERFLOW)
		take(run, result);
	return rc;
}

/* Runs the simulation once.  Returns -EAGAIN if it must run again with one more
 * label exact. */
static int once(struct running *run, const struct sim_text *text,
		struct sim_run_result *result, struct tree_fault *fault)
{
	int rc = sim_app_new(&run->app, text, &run->choice->app, fault);

	if (rc == 0)
		rc = place(run, fault);
	if (rc == 0)
		rc = prepare(run, fault);
	if (rc != 0)
		return rc;
	rc = sim_engine_run(run->engine, fault);
	if (rc == -EXDEV)
		return more_exact(run) ? -EAGAIN
				       : tree_fault_set(fault, -EINVAL,
							"it cannot be "
							"simulated exactly");
	return finish(run, rc, result, fault);
}

static void drop(struct running *run)
{
	sim_engine_free(run->engine);
	sim_cluster_free(run->cluster);
	sim_place_clear(&run->placement);
	sim_app_free(run->app);
	run->engine = NULL;
	run->cluster = NULL;
	run->app = NULL;
}

int sim_run(const struct sim_system *system, const struct sim_text *app,
	    const struct sim_run_choice *choice, struct sim_run_result *result,
	    struct tree_fault *fault)
{
	struct running run = { .system = system, .choice = choice };
	int rc;

	do {
		rc = once(&run, app, result, fault);
		drop(&run);
	} while (rc == -EAGAIN);
	return rc;
}
