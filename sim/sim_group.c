/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives.  A process that only takes from the root waits for the root
 * alone.  A process that only gives to the root waits for none.  In all other
 * collectives each process waits for all.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/sim_inside.h"

static bool takes_from_root(enum sim_collective collective)
{
	return collective == SIM_BCAST || collective == SIM_SCATTER;
}

static bool gives_to_root(enum sim_collective collective)
{
	return collective == SIM_GATHER || collective == SIM_REDUCE;
}

/* Numbers the process's calls of collectives of the group, from 0. */
static int call_number(struct sim_engine *engine, struct sim_process *process,
		       uint32_t group, uint32_t *number)
{
	uint32_t *calls;

	if (group >= process->n_calls) {
		calls = realloc(process->calls,
				engine->n_groups * sizeof(*calls));
		if (!calls)
			return -ENOMEM;
		for (uint32_t i = process->n_calls; i < engine->n_groups; i++)
			calls[i] = 0;
		process->calls = calls;
		process->n_calls = engine->n_groups;
	}
	*number = process->calls[group]++;
	return 0;
}

static int ring_grow(struct sim_group *group)
{
	const uint32_t room = group->room ? 2 * group->room : 4;
	struct sim_instance *ring = calloc(room, sizeof(*ring));

	if (!ring)
		return -ENOMEM;
	for (uint32_t i = 0; i < group->n; i++)
		ring[(group->first + i) & (room - 1)] =
			group->instances[(group->first + i) &
					 (group->room - 1)];
	free(group->instances);
	group->instances = ring;
	group->room = room;
	return 0;
}

static struct sim_instance *instance_of(struct sim_group *group,
					uint32_t number)
{
	const uint32_t place = number - group->first;

	while (place >= group->room)
		if (ring_grow(group) != 0)
			return NULL;
	for (; group->n <= place; group->n++)
		group->instances[(group->first + group->n) &
				 (group->room - 1)] = (struct sim_instance){
			0
		};
	return &group->instances[number & (group->room - 1)];
}

static void drop_finished(struct sim_group *group)
{
	while (group->n &&
	       group->instances[group->first & (group->room - 1)].arrived ==
		       group->members) {
		group->first++;
		group->n--;
	}
}

static int check(struct sim_engine *engine, const struct sim_instance *instance,
		 const struct sim_process *process, struct tree_fault *fault)
{
	const struct sim_op *op = &process->op;
	const bool rooted = takes_from_root(op->collective) ||
			    gives_to_root(op->collective);

	if (rooted &&
	    (op->peer < 0 || (uint32_t)op->peer >= engine->setup.n_processes))
		return tree_fault_set(fault, -EINVAL, "it has no such root");
	if (rooted && engine->processes[op->peer].count > 1) {
		engine->culprit = (uint32_t)op->peer;
		return -EXDEV;
	}
	if (!instance->begun)
		return 0;
	if (instance->collective != op->collective)
		return tree_fault_set(
			fault, -EINVAL, "others are in %s, not in %s",
			sim_collective_names[instance->collective],
			sim_collective_names[op->collective]);
	if (rooted && instance->root != (uint32_t)op->peer)
		return tree_fault_set(fault, -EINVAL,
				      "others have another root in %s",
				      sim_collective_names[op->collective]);
	return 0;
}

static struct sim_moment end_at(const struct sim_engine *engine,
				const struct sim_arrival *arrival,
				struct sim_moment ready)
{
	const struct sim_policy *policy = &engine->setup.policy;
	struct sim_moment end = sim_moment_after(
		sim_moment_later(arrival->at, ready), 0, &arrival->path);

	end.first = sim_transfer_slot(policy, end.first, arrival->seconds);
	end.last = sim_transfer_slot(policy, end.last, arrival->seconds);
	return end;
}

/* Frees the arrival if it is of a request. */
static void go_on(struct sim_engine *engine, struct sim_arrival *arrival,
		  struct sim_moment ready)
{
	const struct sim_process *process = arrival->process;
	const double first = ready.first - arrival->at.first;
	const double last = ready.last - arrival->at.last;

	/* Some of the many must wait and others need not.  It is unknown
	 * which. */
	if (process->count > 2 &&
	    ((first > 0 && last < 0) || (first < 0 && last > 0)))
		engine->inexact = true;
	sim_message_done(engine, sim_heap_number(engine, process),
			 arrival->request, end_at(engine, arrival, ready));
	if (arrival->request != NO_REQUEST)
		free(arrival);
}

static void wait_in(struct sim_instance *instance, struct sim_arrival *arrival)
{
	arrival->process->blocked = arrival->request == NO_REQUEST;
	arrival->next = instance->waiting;
	instance->waiting = arrival;
}

static void release(struct sim_engine *engine, struct sim_instance *instance,
		    struct sim_moment ready)
{
	struct sim_arrival *next;

	for (struct sim_arrival *a = instance->waiting; a; a = next) {
		next = a->next;
		go_on(engine, a, ready);
	}
	instance->waiting = NULL;
}

static void arrive(struct sim_engine *engine, struct sim_instance *instance,
		   struct sim_arrival *arrival, uint32_t members)
{
	const enum sim_collective collective = instance->collective;
	const bool is_root = sim_heap_number(engine, arrival->process) ==
			     instance->root;
	const bool all = instance->arrived == members;
	struct sim_moment latest = instance->latest;

	latest.first = latest.last;
	if (takes_from_root(collective)) {
		if (is_root) {
			go_on(engine, arrival, arrival->at);
			release(engine, instance, instance->at_root);
		} else if (instance->has_root) {
			go_on(engine, arrival, instance->at_root);
		} else {
			wait_in(instance, arrival);
		}
	} else if (gives_to_root(collective) && !is_root) {
		go_on(engine, arrival, arrival->at);
		if (all)
			release(engine, instance, latest);
	} else if (all) {
		go_on(engine, arrival, latest);
		release(engine, instance, latest);
	} else {
		wait_in(instance, arrival);
	}
}

/* The arrival of the process's operation; NULL if there is no memory. */
static struct sim_arrival *arrival_of(const struct sim_engine *engine,
				      struct sim_process *process)
{
	const struct sim_machine *machine = &engine->setup.machine;
	const struct sim_op *op = &process->op;
	const bool blocks = op->kind == SIM_COLLECTIVE;
	struct sim_arrival *arrival = blocks ? &process->arrival
					     : malloc(sizeof(*arrival));

	if (arrival)
		*arrival = (struct sim_arrival){
			.process = process,
			.request = blocks ? NO_REQUEST : op->request,
			.at = process->now,
		};
	if (arrival)
		arrival->seconds = machine->collective(
			machine->self, op->group, op->collective, op->bytes,
			&arrival->path);
	return arrival;
}

void sim_group_clear(struct sim_group *group)
{
	struct sim_arrival *next;

	for (uint32_t i = 0; i < group->n; i++)
		for (struct sim_arrival *a =
			     group->instances[(group->first + i) &
					      (group->room - 1)]
				     .waiting;
		     a; a = next) {
			next = a->next;
			if (a->request != NO_REQUEST)
				free(a);
		}
	free(group->instances);
}

int sim_group_enter(struct sim_engine *engine, struct sim_process *process,
		    struct tree_fault *fault)
{
	const struct sim_op *op = &process->op;
	struct sim_instance *instance;
	struct sim_arrival *arrival;
	struct sim_group *group;
	uint32_t number;
	int rc;

	if (op->group >= engine->n_groups)
		return tree_fault_set(fault, -EINVAL, "there is no such group");
	group = &engine->groups[op->group];
	rc = call_number(engine, process, op->group, &number);
	if (rc != 0)
		return rc;
	instance = instance_of(group, number);
	if (!instance)
		return -ENOMEM;
	rc = check(engine, instance, process, fault);
	if (rc == 0 && op->kind == SIM_ICOLLECTIVE &&
	    op->request != SIM_NO_REQUEST)
		rc = sim_message_request(process, op->request, fault);
	if (rc != 0)
		return rc;
	arrival = arrival_of(engine, process);
	if (!arrival)
		return -ENOMEM;
	instance->begun = true;
	instance->collective = op->collective;
	instance->root = (uint32_t)op->peer;
	if (sim_heap_number(engine, process) == instance->root) {
		instance->has_root = true;
		instance->at_root = process->now;
	}
	instance->latest = sim_moment_later(instance->latest, process->now);
	instance->arrived++;
	arrive(engine, instance, arrival, group->members);
	drop_finished(group);
	if (process->blocked)
		sim_message_progress(engine, process);
	return 0;
}
