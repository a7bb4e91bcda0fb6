/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/coll.h"

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
	rc = numbers_keep(&nodes->here, here, n);
	free(here);
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
		rc = numbers_keep(&nodes->node_of, node_of, size);
	if (rc == 0)
		rc = numbers_keep(&nodes->first, first, n);
	free(first);
	nodes->n = n;
	if (rc != 0)
		coll_nodes_free(nodes);
	return rc;
}

int coll_nodes_copy(struct coll_nodes *to, const struct coll_nodes *from)
{
	int rc;

	*to = (struct coll_nodes){ .n = from->n, .at = from->at };
	if (from->n == 0)
		return 0;
	rc = numbers_copy(&to->here, &from->here);
	if (rc == 0)
		rc = numbers_copy(&to->node_of, &from->node_of);
	if (rc == 0)
		rc = numbers_copy(&to->first, &from->first);
	if (rc != 0)
		coll_nodes_free(to);
	return rc;
}

void coll_nodes_free(struct coll_nodes *nodes)
{
	numbers_free(&nodes->node_of);
	numbers_free(&nodes->first);
	numbers_free(&nodes->here);
	nodes->n = 0;
}

static int node_of(const struct coll *coll, int rank)
{
	return (int)numbers_at(&coll->nodes->node_of, (uint32_t)rank);
}

static int head_of(const struct coll *coll, int node)
{
	return node == node_of(coll, coll->root)
		       ? coll->root
		       : (int)numbers_at(&coll->nodes->first, (uint32_t)node);
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
	return (int)numbers_at(&nodes->here, i < nodes->at ? i : i + 1);
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
