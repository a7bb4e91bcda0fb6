/* SPDX-License-Identifier: BSD-3-Clause */

/* The engine's machine: each operation costs what the system's formulas say. */
#include "sim/sim_cluster.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim_compose.h"

#define US    1e-6
#define CACHE 1024 /* messages whose cost is cached; a power of two */

struct span {
	const struct sim_hardware *hardware;
	double processes; /* P of the formulas */
};

struct cached {
	const struct sim_hardware *hardware;
	uint64_t bytes;
	double seconds;
};

struct sim_cluster {
	const struct sim_system *system;
	const struct sim_placement *placement;
	struct sim_power *power;
	struct span *spans; /* by group */
	uint32_t n_spans;
	struct cached cache[CACHE];
	char lacking[96];
};

struct sim_cluster *sim_cluster_new(const struct sim_system *system,
				    const struct sim_placement *placement)
{
	struct sim_cluster *cluster = calloc(1, sizeof(*cluster));

	if (!cluster)
		return NULL;
	cluster->system = system;
	cluster->placement = placement;
	cluster->power = sim_power_new(system, placement);
	if (cluster->power && sim_cluster_group(cluster, 0, UINT64_MAX) == 0)
		return cluster;
	sim_cluster_free(cluster);
	return NULL;
}

void sim_cluster_free(struct sim_cluster *cluster)
{
	if (cluster) {
		free(cluster->spans);
		sim_power_free(cluster->power);
	}
	free(cluster);
}

/* An unknown operation takes no time; the caller reports it at the end. */
static double seconds_of(struct sim_cluster *cluster,
			 const struct sim_hardware *hardware,
			 enum formula_operation operation,
			 const struct formula_input *input)
{
	enum formula_param lacking = FORMULA_PARAMS;
	struct formula_value value = { 0 };

	if (formula_eval(&hardware->model, operation, input, &value,
			 &lacking) != 0) {
		snprintf(cluster->lacking, sizeof(cluster->lacking),
			 "%s knows no %s of %s", hardware->model.name,
			 lacking == FORMULA_PARAMS
				 ? "value"
				 : formula_param_name(lacking),
			 formulas[operation].name);
		return 0;
	}
	return value.value * US;
}

static const struct sim_class *class_of(const struct sim_cluster *cluster,
					uint32_t process)
{
	return &cluster->placement->classes[process];
}

static const struct sim_node_kind *kind_of(const struct sim_cluster *cluster,
					   uint32_t process)
{
	const struct sim_system *system = cluster->system;

	return &system->kinds[system->nodes[class_of(cluster, process)->node]
				      .kind];
}

static const struct sim_hardware *network_of(const struct sim_cluster *cluster,
					     uint32_t network)
{
	return &cluster->system
			->hardware[cluster->system->networks[network].hardware];
}

/* The innermost network that contains both networks. */
static uint32_t network_over(const struct sim_system *system, uint32_t a,
			     uint32_t b)
{
	const struct sim_network *networks = system->networks;

	while (a != b)
		if (networks[a].depth >= networks[b].depth)
			a = networks[a].parent;
		else
			b = networks[b].parent;
	return a;
}

static const struct sim_hardware *
hardware_between(const struct sim_cluster *cluster, uint32_t from, uint32_t to)
{
	const struct sim_system *system = cluster->system;
	const struct sim_class *a = class_of(cluster, from);
	const struct sim_class *b = class_of(cluster, to);

	if (a->node == b->node && a->nodes == 1 && b->nodes == 1)
		return &system->hardware[kind_of(cluster, from)->inside];
	return network_of(cluster,
			  network_over(system, system->nodes[a->node].network,
				       system->nodes[b->node].network));
}

static double compute(struct sim_cluster *cluster, uint32_t process,
		      const struct sim_op *op, double when)
{
	const struct formula_input input = {
		.instructions = op->amount,
		.threads = (double)class_of(cluster, process)->beside *
			   op->threads,
	};
	const struct sim_hardware *cpu =
		&cluster->system->hardware[kind_of(cluster, process)->cpu];
	const double seconds = seconds_of(cluster, cpu, FORMULA_COMPUTE,
					  &input);

	sim_power_compute(cluster->power, process, op->threads, when, seconds);
	return seconds;
}

static double local(void *self, uint32_t process, const struct sim_op *op,
		    double when)
{
	struct sim_cluster *cluster = self;
	const struct sim_class *class = class_of(cluster, process);
	const uint32_t network = cluster->system->nodes[class->node].network;
	const struct formula_input input = { .bytes = (double)op->bytes };

	if (op->kind == SIM_COMPUTE)
		return compute(cluster, process, op, when);
	return seconds_of(cluster, network_of(cluster, network),
			  op->kind == SIM_READ ? FORMULA_READ : FORMULA_WRITE,
			  &input);
}

/* A message keeps both sides busy for its whole time, as in the paper. */
static void message(void *self, uint32_t from, uint32_t to, uint64_t bytes,
		    struct sim_cost *cost)
{
	struct sim_cluster *cluster = self;
	const struct sim_hardware *hardware = hardware_between(cluster, from,
							       to);
	const struct formula_input input = { .bytes = (double)bytes };
	const uint64_t place = (bytes * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
	struct cached
		*cached = &cluster->cache[(place ^ (uintptr_t)hardware >> 4) &
					  (CACHE - 1)];

	if (cached->hardware != hardware || cached->bytes != bytes) {
		cached->hardware = hardware;
		cached->bytes = bytes;
		cached->seconds = seconds_of(cluster, hardware, FORMULA_P2P,
					     &input);
	}
	cost->send = cost->wire = cost->receive = cached->seconds;
	cost->path = (struct sim_path){ 0 };
}

static double formula(struct sim_cluster *cluster, const struct span *span,
		      enum formula_operation operation, double bytes)
{
	const struct formula_input input = { .bytes = bytes,
					     .processes = span->processes };

	return seconds_of(cluster, span->hardware, operation, &input);
}

static bool knows(const struct sim_hardware *hardware,
		  enum formula_operation operation)
{
	const struct formula_system *model = &hardware->model;

	return model->curves[operation] ||
	       !isnan(model->params[formulas[operation].t]);
}

struct asked {
	struct sim_cluster *cluster;
	const struct span *span;
};

static double one_message(void *self, double bytes)
{
	const struct asked *asked = self;

	return formula(asked->cluster, asked->span, FORMULA_P2P, bytes);
}

/* The operation that stands for a collective. */
static enum formula_operation operation_of(enum sim_collective which)
{
	switch (which) {
	case SIM_BARRIER:
		return FORMULA_BARRIER;
	case SIM_SCATTER:
		return FORMULA_SCATTER;
	case SIM_GATHER:
	case SIM_ALLGATHER:
		return FORMULA_GATHER;
	case SIM_ALLTOALL:
		return FORMULA_ALLTOALL;
	default:
		return FORMULA_BCAST;
	}
}

/*
 * Collectives without a formula in the paper are composed of others; those
 * that the hardware knows nothing of, of messages.
 */
static double collective(void *self, uint32_t group, enum sim_collective which,
			 uint64_t n, struct sim_path *path)
{
	struct asked asked = { self, NULL };
	const struct sim_composed composed = { one_message, &asked };
	const enum formula_operation operation = operation_of(which);
	struct sim_cluster *cluster = self;
	const struct span *span = &cluster->spans[group];
	const double bytes = (double)n;

	(void)path;
	asked.span = span;
	if (!knows(span->hardware, operation))
		return sim_compose(&composed, which, span->processes, bytes);
	switch (which) {
	case SIM_ALLREDUCE:
		return 2 * formula(cluster, span, FORMULA_BCAST, bytes);
	case SIM_ALLGATHER:
		return formula(cluster, span, FORMULA_GATHER, bytes) +
		       formula(cluster, span, FORMULA_BCAST,
			       bytes * span->processes);
	default:
		return formula(cluster, span, operation, bytes);
	}
}

static void end(void *self, uint32_t process, double when)
{
	struct sim_cluster *cluster = self;

	sim_power_end(cluster->power, process, when);
}

struct sim_machine sim_cluster_machine(struct sim_cluster *cluster)
{
	const struct sim_system *system = cluster->system;
	const struct sim_hardware *outer = network_of(cluster, 0);

	if (system->n_nodes == 1)
		outer = &system->hardware[system->kinds[0].inside];
	return (struct sim_machine){
		.self = cluster,
		.local = local,
		.message = message,
		.collective = collective,
		.eager = outer->eager < 0x1p63 ? (uint64_t)outer->eager
					       : UINT64_MAX,
		.overlap = outer->overlap,
		.end = end,
	};
}

/* Adds the nodes of a class to a span.  A node that several classes share
 * counts once. */
static void span_add(const struct sim_cluster *cluster, uint32_t class,
		     struct span *span, uint32_t *network, uint32_t *nodes,
		     uint8_t *seen)
{
	const struct sim_system *system = cluster->system;
	const struct sim_class *of = class_of(cluster, class);

	for (uint32_t i = of->node; i < of->node + of->nodes; i++) {
		*network = *network == UINT32_MAX
				   ? system->nodes[i].network
				   : network_over(system, *network,
						  system->nodes[i].network);
		*nodes += !seen[i];
		seen[i] = 1;
	}
	span->processes += of->count;
	span->hardware = &system->hardware[kind_of(cluster, class)->inside];
}

/* Processes of the engine: those listed, or those of labels. */
struct members {
	const uint32_t *list; /* or NULL */
	uint32_t n;
	uint64_t labels;
};

static int span_make(const struct sim_cluster *cluster,
		     const struct members *members, struct span *span)
{
	uint8_t *seen = calloc(cluster->system->n_nodes, 1);
	uint32_t network = UINT32_MAX;
	uint32_t nodes = 0;
	uint32_t class;

	if (!seen)
		return -ENOMEM;
	*span = (struct span){ 0 };
	for (uint32_t i = 0; i < members->n; i++) {
		class = members->list ? members->list[i] : i;
		if (members->list ||
		    members->labels >> class_of(cluster, class)->label & 1)
			span_add(cluster, class, span, &network, &nodes, seen);
	}
	if (nodes > 1) {
		span->hardware = network_of(cluster, network);
		if (!span->hardware->by_processes)
			span->processes = nodes;
	}
	free(seen);
	return 0;
}

static int add_span(struct sim_cluster *cluster, uint32_t group,
		    const struct members *members)
{
	struct span *grown;

	if (group >= cluster->n_spans) {
		grown = realloc(cluster->spans, (group + 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		cluster->spans = grown;
		cluster->n_spans = group + 1;
	}
	return span_make(cluster, members, &cluster->spans[group]);
}

int sim_cluster_group(struct sim_cluster *cluster, uint32_t group,
		      uint64_t labels)
{
	const struct members members = {
		.n = cluster->placement->n_classes,
		.labels = labels,
	};

	return add_span(cluster, group, &members);
}

int sim_cluster_group_of(struct sim_cluster *cluster, uint32_t group,
			 const uint32_t *processes, uint32_t n)
{
	const struct members members = { .list = processes, .n = n };

	return add_span(cluster, group, &members);
}

const char *sim_cluster_lacking(const struct sim_cluster *cluster)
{
	return *cluster->lacking ? cluster->lacking : NULL;
}

struct sim_power *sim_cluster_power(struct sim_cluster *cluster)
{
	return cluster->power;
}

double sim_cluster_failures(const struct sim_cluster *cluster)
{
	const struct sim_system *system = cluster->system;
	double rate = 0;

	for (uint32_t i = 0; i < system->n_nodes; i++)
		if (cluster->placement->on_node[i])
			rate += system->hardware
					[system->kinds[system->nodes[i].kind]
						 .cpu]
						.model.params[FORMULA_LAMBDA];
	return rate;
}
