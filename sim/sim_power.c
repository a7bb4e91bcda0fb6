/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Integrates the power of nodes.  Each node has a clock of its own, which goes
 * on when a process of it begins a block of more than one thread or ends.  On
 * the way it stops at each end of such a block.
 */
#include "sim/sim_power.h"

#include <math.h>
#include <stdlib.h>

/* A process of the engine, on each of its nodes. */
struct user {
	uint32_t next; /* of the node; UINT32_MAX: none */
	uint32_t each; /* processes on a node; 0: they have ended */
	double extra;  /* threads of them beyond one, now */
	double until;  /* end of the block they are of */
	double joules; /* of a process */
};

struct node {
	uint32_t first; /* user; UINT32_MAX: none */
	double now;
	double most; /* watts */
};

/* What happens on a node at a moment. */
struct busy {
	double one;   /* threads that are one of a process */
	double extra; /* threads beyond them */
	double until; /* end of the block that ends first */
};

struct sim_power {
	const struct sim_system *system;
	const struct sim_placement *placement;
	struct user *users; /* by process of the engine */
	struct node *nodes; /* those on which a class begins count */
};

static double watts_of(const struct sim_power *power, uint32_t node,
		       double threads)
{
	const struct sim_system *system = power->system;
	const uint32_t cpu = system->kinds[system->nodes[node].kind].cpu;
	const struct formula_input input = { .threads = threads };
	struct formula_value value;
	enum formula_param lacking;

	if (formula_eval(&system->hardware[cpu].model, FORMULA_POWER, &input,
			 &value, &lacking) != 0)
		return NAN;
	return value.value;
}

static void link_users(struct sim_power *power)
{
	const struct sim_placement *placement = power->placement;

	for (uint32_t i = 0; i < power->system->n_nodes; i++) {
		power->nodes[i].first = UINT32_MAX;
		power->nodes[i].most = watts_of(power, i,
						placement->on_node[i]);
	}
	for (uint32_t i = placement->n_classes; i-- > 0;) {
		const struct sim_class *class = &placement->classes[i];
		struct node *node = &power->nodes[class->node];

		power->users[i].next = node->first;
		power->users[i].each = class->count / class->nodes;
		node->first = i;
	}
}

struct sim_power *sim_power_new(const struct sim_system *system,
				const struct sim_placement *placement)
{
	struct sim_power *power = calloc(1, sizeof(*power));

	if (!power)
		return NULL;
	power->system = system;
	power->placement = placement;
	power->users = calloc(placement->n_classes, sizeof(*power->users));
	power->nodes = calloc(system->n_nodes, sizeof(*power->nodes));
	if (power->users && power->nodes) {
		link_users(power);
		return power;
	}
	sim_power_free(power);
	return NULL;
}

void sim_power_free(struct sim_power *power)
{
	if (power) {
		free(power->users);
		free(power->nodes);
	}
	free(power);
}

static bool computes(const struct user *user, const struct node *node)
{
	return user->until > node->now;
}

static struct busy busy_now(const struct sim_power *power,
			    const struct node *node)
{
	struct busy busy = { 0, 0, INFINITY };

	for (uint32_t i = node->first; i != UINT32_MAX;
	     i = power->users[i].next) {
		const struct user *user = &power->users[i];

		busy.one += user->each;
		if (computes(user, node)) {
			busy.extra += user->extra;
			busy.until = fmin(busy.until, user->until);
		}
	}
	return busy;
}

/* One thread each is shared alike; those beyond are of their processes. */
static void share(struct sim_power *power, uint32_t number,
		  const struct busy *busy, double seconds)
{
	const struct node *node = &power->nodes[number];
	const double base = watts_of(power, number, busy->one);
	const double more = watts_of(power, number, busy->one + busy->extra) -
			    base;

	for (uint32_t i = node->first; i != UINT32_MAX;
	     i = power->users[i].next) {
		struct user *user = &power->users[i];

		if (user->each == 0)
			continue;
		user->joules += base / busy->one * seconds;
		if (computes(user, node))
			user->joules += more * user->extra / busy->extra /
					user->each * seconds;
	}
}

static void go_on(struct sim_power *power, uint32_t number, double to)
{
	struct node *node = &power->nodes[number];

	while (node->now < to) {
		const struct busy busy = busy_now(power, node);
		const double until = fmin(busy.until, to);

		share(power, number, &busy, until - node->now);
		node->now = until;
	}
}

void sim_power_compute(struct sim_power *power, uint32_t process,
		       uint32_t threads, double when, double seconds)
{
	const uint32_t number = power->placement->classes[process].node;
	struct node *node = &power->nodes[number];
	struct user *user = &power->users[process];
	struct busy busy;

	if (threads < 2)
		return;
	go_on(power, number, when);
	user->extra = (double)user->each * (threads - 1);
	user->until = node->now + seconds;
	busy = busy_now(power, node);
	node->most = fmax(node->most,
			  watts_of(power, number, busy.one + busy.extra));
}

double sim_power_end(struct sim_power *power, uint32_t process, double when)
{
	struct user *user = &power->users[process];

	if (user->each > 0)
		go_on(power, power->placement->classes[process].node, when);
	user->each = 0;
	user->until = 0;
	return user->joules;
}

double sim_power_most(const struct sim_power *power)
{
	const struct sim_placement *placement = power->placement;
	double watts = 0;

	for (uint32_t i = 0; i < power->system->n_nodes; i++) {
		const uint32_t first = power->nodes[i].first;

		if (first != UINT32_MAX)
			watts += power->nodes[i].most *
				 placement->classes[first].nodes;
	}
	return watts;
}
