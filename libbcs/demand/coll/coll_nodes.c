/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/demand/coll/coll.h"

/* Nodes are counted as they come; where each begins, or NULL. */
static uint32_t *nodes_count(uint32_t *node_of, uint32_t size, uint32_t *n)
{
	uint32_t *first = malloc(size * sizeof(*first));
	uint32_t *number;
	uint32_t most = 0;

	for (uint32_t i = 0; i < size; i++)
		most = node_of[i] > most ? node_of[i] : most;
	number = calloc((size_t)most + 1, sizeof(*number)); /* from 1 */
	*n = 0;
	for (uint32_t i = 0; first && number && i < size; i++) {
		if (!number[node_of[i]]) {
			first[*n] = i;
			number[node_of[i]] = ++*n;
		}
		node_of[i] = number[node_of[i]] - 1;
	}
	if (!number) {
		free(first);
		first = NULL;
	}
	free(number);
	return first;
}

static int here_find(struct coll_nodes *nodes, const uint32_t *node_of,
		     uint32_t size, uint32_t rank)
{
	uint32_t *here = malloc(size * sizeof(*here));
	uint32_t n = 0;
	int rc;

	if (!here)
		return -ENOMEM;
	for (uint32_t i = 0; i < size; i++) {
		if (i == rank)
			nodes->at = n;
		if (node_of[i] == node_of[rank])
			here[n++] = i;
	}
	rc = rank_map_keep(&nodes->here, here, n);
	free(here);
	return rc;
}

/* Ranks by node, by counting. */
static int members_find(struct coll_nodes *nodes, const uint32_t *node_of,
			uint32_t size, uint32_t n)
{
	uint32_t *begin = calloc(n + 1, sizeof(*begin));
	uint32_t *members = malloc(size * sizeof(*members));
	int rc = -ENOMEM;

	nodes->in_rows = true;
	for (uint32_t i = 0; begin && members && i < size; i++)
		begin[node_of[i]]++;
	for (uint32_t i = 0, at = 0; begin && members && i <= n; i++) {
		const uint32_t count = begin[i];

		begin[i] = at;
		at += count;
	}
	for (uint32_t i = 0; begin && members && i < size; i++) {
		members[begin[node_of[i]]++] = i;
		if (i && node_of[i] < node_of[i - 1])
			nodes->in_rows = false;
	}
	for (uint32_t i = n; begin && members && i > 0; i--)
		begin[i] = begin[i - 1];
	if (begin && members) {
		begin[0] = 0;
		rc = rank_map_keep(&nodes->members, members, size);
	}
	if (rc == 0)
		rc = rank_map_keep(&nodes->begin, begin, n + 1);
	free(begin);
	free(members);
	return rc;
}

int coll_nodes_make(struct coll_nodes *nodes, uint32_t *node_of, uint32_t size,
		    uint32_t rank)
{
	uint32_t n;
	uint32_t *first = nodes_count(node_of, size, &n);
	int rc;

	*nodes = (struct coll_nodes){ .n = 0 };
	if (!first)
		return -ENOMEM;
	if (n == 1) {
		free(first);
		return 0;
	}
	rc = here_find(nodes, node_of, size, rank);
	if (rc == 0)
		rc = rank_map_keep(&nodes->node_of, node_of, size);
	if (rc == 0)
		rc = rank_map_keep(&nodes->first, first, n);
	if (rc == 0)
		rc = members_find(nodes, node_of, size, n);
	free(first);
	nodes->n = n;
	if (rc != 0)
		coll_nodes_free(nodes);
	return rc;
}

int coll_nodes_copy(struct coll_nodes *to, const struct coll_nodes *from)
{
	int rc;

	*to = (struct coll_nodes){ .n = from->n,
				   .at = from->at,
				   .in_rows = from->in_rows,
				   .made_up = from->made_up,
				   .apart = from->apart };
	if (from->n == 0)
		return 0;
	rc = rank_map_copy(&to->here, &from->here);
	if (rc == 0)
		rc = rank_map_copy(&to->node_of, &from->node_of);
	if (rc == 0)
		rc = rank_map_copy(&to->first, &from->first);
	if (rc == 0)
		rc = rank_map_copy(&to->members, &from->members);
	if (rc == 0)
		rc = rank_map_copy(&to->begin, &from->begin);
	if (rc != 0)
		coll_nodes_free(to);
	return rc;
}

void coll_nodes_free(struct coll_nodes *nodes)
{
	rank_map_free(&nodes->node_of);
	rank_map_free(&nodes->first);
	rank_map_free(&nodes->here);
	rank_map_free(&nodes->members);
	rank_map_free(&nodes->begin);
	nodes->n = 0;
}

int coll_nodes_node(const struct coll_nodes *nodes, int rank)
{
	return (int)rank_map_at(&nodes->node_of, (uint32_t)rank);
}

int coll_nodes_members(const struct coll_nodes *nodes, int node)
{
	return (int)(rank_map_at(&nodes->begin, (uint32_t)node + 1) -
		     rank_map_at(&nodes->begin, (uint32_t)node));
}

int coll_nodes_member(const struct coll_nodes *nodes, int node, int i)
{
	return (int)rank_map_at(&nodes->members,
				rank_map_at(&nodes->begin, (uint32_t)node) +
					(uint32_t)i);
}

int coll_nodes_place_in(const struct coll_nodes *nodes, int rank)
{
	const int node = coll_nodes_node(nodes, rank);
	int i = 0;

	while (coll_nodes_member(nodes, node, i) != rank)
		i++;
	return i;
}

bool coll_nodes_all_apart(const struct coll *coll)
{
	return coll->nodes &&
	       (coll->nodes->apart || (!coll->nodes->made_up &&
				       coll->nodes->n == (uint32_t)coll->size));
}

static int node_of(const struct coll *coll, int rank)
{
	return coll_nodes_node(coll->nodes, rank);
}

static int head_of(const struct coll *coll, int node)
{
	return node == node_of(coll, coll->root)
		       ? coll->root
		       : (int)rank_map_at(&coll->nodes->first, (uint32_t)node);
}

int coll_nodes_head(const struct coll *coll)
{
	return head_of(coll, node_of(coll, coll->rank));
}

int coll_nodes_place(const struct coll *coll)
{
	const int n = (int)coll->nodes->n;

	return (node_of(coll, coll->rank) - node_of(coll, coll->root) + n) % n;
}

int coll_nodes_head_at(const struct coll *coll, int place)
{
	const int n = (int)coll->nodes->n;

	return head_of(coll, (place + node_of(coll, coll->root)) % n);
}

int coll_nodes_other(const struct coll *coll, uint32_t i)
{
	const struct coll_nodes *nodes = coll->nodes;

	if (i + 1 >= nodes->here.n)
		return -1;
	return (int)rank_map_at(&nodes->here, i < nodes->at ? i : i + 1);
}

int coll_nodes_parent(const struct coll *coll)
{
	const int head = coll_nodes_head(coll);
	int place;

	if (coll->rank != head)
		return head;
	place = coll_tree_parent(COLL_BINOMIAL, coll_nodes_place(coll),
				 (int)coll->nodes->n);
	return place < 0 ? -1 : coll_nodes_head_at(coll, place);
}

/* Other nodes first, which take longest. */
int coll_nodes_child(const struct coll *coll, int i)
{
	const int n = (int)coll->nodes->n;
	const int place = coll_nodes_place(coll);
	int heads = 0;
	int child;

	if (coll->rank != coll_nodes_head(coll))
		return -1;
	child = coll_tree_child(COLL_BINOMIAL, place, n, i);
	if (child >= 0)
		return coll_nodes_head_at(coll, child);
	while (coll_tree_child(COLL_BINOMIAL, place, n, heads) >= 0)
		heads++;
	return coll_nodes_other(coll, (uint32_t)(i - heads));
}

int coll_parent(const struct coll *coll)
{
	int node;

	if (coll->method.algorithm == COLL_NODES)
		return coll_nodes_parent(coll);
	node = coll_tree_parent(coll->method.algorithm, coll_node(coll),
				coll->size);
	return node < 0 ? -1 : coll_rank_of(coll, node);
}

int coll_child(const struct coll *coll, int i)
{
	int node;

	if (coll->method.algorithm == COLL_NODES)
		return coll_nodes_child(coll, i);
	node = coll_tree_child(coll->method.algorithm, coll_node(coll),
			       coll->size, i);
	return node < 0 ? -1 : coll_rank_of(coll, node);
}
