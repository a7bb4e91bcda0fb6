/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts processes on the nodes of a system. */
#include "sim/sim_place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct placing {
	struct sim_placement *placement;
	const struct sim_system *system;
	struct sim_label *labels;
	uint32_t n_labels;
	uint32_t *any; /* by node: processes on places for any label */
	bool *mixed;   /* by node: whether it has processes of several labels */
	uint32_t room; /* allocated classes */
};

static uint32_t own_places(const struct sim_node_kind *kind, const char *label)
{
	for (uint32_t i = 0; i < kind->n_places; i++)
		if (strcmp(kind->places[i].label, label) == 0)
			return kind->places[i].count;
	return 0;
}

static int class_add(struct placing *placing, const struct sim_class *add)
{
	struct sim_placement *to = placing->placement;
	struct sim_class *grown;

	if (to->n_classes == placing->room) {
		placing->room = placing->room ? 2 * placing->room : 64;
		grown = realloc(to->classes, placing->room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		to->classes = grown;
	}
	to->classes[to->n_classes++] = *add;
	return 0;
}

/* Places processes on one node as a class of its own.  Alike classes are merged
 * later. */
static int place_on(struct placing *placing, uint32_t label, uint32_t node,
		    uint32_t index, uint32_t *taken)
{
	const struct sim_label *of = &placing->labels[label];
	const struct sim_node_kind *kind =
		&placing->system->kinds[placing->system->nodes[node].kind];
	const uint32_t own = own_places(kind, of->name);
	const uint32_t places = own ? own : kind->any - placing->any[node];
	const uint32_t left = of->count - index;
	const uint32_t n = places < left ? places : left;

	*taken = n;
	if (n == 0)
		return 0;
	if (!own)
		placing->any[node] += n;
	if (placing->placement->on_node[node])
		placing->mixed[node] = true;
	else
		placing->placement->nodes_used++;
	placing->placement->on_node[node] += n;
	return class_add(placing, &(struct sim_class){ .label = label,
						       .index = index,
						       .count = n,
						       .own = n,
						       .node = node,
						       .nodes = 1 });
}

static int place_label(struct placing *placing, uint32_t label,
		       struct tree_fault *fault)
{
	const struct sim_label *of = &placing->labels[label];
	uint32_t placed = 0;
	uint32_t taken;
	int rc;

	for (uint32_t node = 0;
	     node < placing->system->n_nodes && placed < of->count; node++) {
		rc = place_on(placing, label, node, placed, &taken);
		if (rc != 0)
			return rc;
		placed += taken;
	}
	if (placed == of->count)
		return 0;
	return tree_fault_set(fault, -ENOSPC,
			      "the system has places for %u of %u processes "
			      "'%s'",
			      placed, of->count, of->name);
}

/* Whether piece b costs what class a does, whichever process it talks to. */
static bool is_alike(const struct placing *placing, const struct sim_class *a,
		     const struct sim_class *b)
{
	const struct sim_node *nodes = placing->system->nodes;
	const uint32_t *on_node = placing->placement->on_node;

	return a->label == b->label && !placing->labels[a->label].exact &&
	       a->node + a->nodes == b->node && !placing->mixed[a->node] &&
	       !placing->mixed[b->node] &&
	       nodes[a->node].kind == nodes[b->node].kind &&
	       nodes[a->node].network == nodes[b->node].network &&
	       on_node[a->node] == on_node[b->node];
}

static int merge(struct placing *placing)
{
	struct sim_placement merged = *placing->placement;
	struct placing out = { .placement = &merged };
	const struct sim_class *piece;
	struct sim_class *last;
	int rc = 0;

	merged.classes = NULL;
	merged.n_classes = 0;
	for (uint32_t i = 0; rc == 0 && i < placing->placement->n_classes;
	     i++) {
		piece = &placing->placement->classes[i];
		last = merged.n_classes ? &merged.classes[merged.n_classes - 1]
					: NULL;
		if (last && is_alike(placing, last, piece)) {
			last->count += piece->count;
			last->nodes++;
		} else {
			rc = class_add(&out, piece);
		}
	}
	free(placing->placement->classes);
	*placing->placement = merged;
	return rc;
}

/* Gives each process of an exact label a class of its own. */
static int split(struct placing *placing)
{
	struct sim_placement split = *placing->placement;
	struct placing out = { .placement = &split };
	struct sim_class piece;
	uint32_t n;
	int rc = 0;

	split.classes = NULL;
	split.n_classes = 0;
	for (uint32_t i = 0; rc == 0 && i < placing->placement->n_classes;
	     i++) {
		piece = placing->placement->classes[i];
		n = placing->labels[piece.label].exact ? piece.count : 1;
		piece.count = n > 1 ? 1 : piece.count;
		for (; rc == 0 && n > 0; n--, piece.index++)
			rc = class_add(&out, &piece);
	}
	free(placing->placement->classes);
	*placing->placement = split;
	return rc;
}

static void number(struct placing *placing)
{
	struct sim_placement *placement = placing->placement;
	struct sim_label *label;
	struct sim_class *class;

	for (uint32_t i = 0; i < placement->n_classes; i++) {
		class = &placement->classes[i];
		class->beside = placement->on_node[class->node];
		label = &placing->labels[class->label];
		if (label->n++ == 0)
			label->first = i;
	}
}

static int place_all(struct placing *placing, struct tree_fault *fault)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < placing->n_labels; i++) {
		placing->labels[i].n = 0;
		rc = place_label(placing, i, fault);
	}
	if (rc == 0)
		rc = merge(placing);
	if (rc == 0)
		rc = split(placing);
	if (rc == 0)
		number(placing);
	return rc;
}

int sim_place(struct sim_placement *placement, const struct sim_system *system,
	      struct sim_label *labels, uint32_t n_labels,
	      struct tree_fault *fault)
{
	const uint32_t n = system->n_nodes;
	struct placing placing = {
		.placement = placement,
		.system = system,
		.labels = labels,
		.n_labels = n_labels,
		.any = calloc(n, sizeof(*placing.any)),
		.mixed = calloc(n, sizeof(*placing.mixed)),
	};
	int rc = -ENOMEM;

	*placement = (struct sim_placement){
		.on_node = calloc(n, sizeof(*placement->on_node)),
	};
	if (placing.any && placing.mixed && placement->on_node)
		rc = place_all(&placing, fault);
	free(placing.mixed);
	free(placing.any);
	if (rc != 0)
		sim_place_clear(placement);
	return rc;
}

void sim_place_clear(struct sim_placement *placement)
{
	free(placement->classes);
	free(placement->on_node);
	*placement = (struct sim_placement){ 0 };
}
