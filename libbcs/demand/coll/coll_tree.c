/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Trees for a broadcast or reduce.  Nodes are ranks counted from the root,
 * which is node 0.
 */
#include "libbcs/demand/coll/coll.h"

static int lowest_bit(int node)
{
	return node & -node;
}

int coll_tree_parent(enum coll_algorithm algorithm, int node, int size)
{
	(void)size;
	if (node == 0)
		return -1;
	switch (algorithm) {
	case COLL_BINARY:
	case COLL_SPLIT_BINARY:
		return (node - 1) / 2;
	case COLL_BINOMIAL:
		return node - lowest_bit(node);
	case COLL_PIPELINE:
		return node - 1;
	default:
		return 0;
	}
}

/* The largest part of the tree first, which takes longest. */
static int binomial_child(int node, int size, int i)
{
	int bit = node ? lowest_bit(node) : 1;

	while (node == 0 && bit < size)
		bit <<= 1;
	for (bit >>= 1; bit; bit >>= 1)
		if (node + bit < size && i-- == 0)
			return node + bit;
	return -1;
}

int coll_tree_child(enum coll_algorithm algorithm, int node, int size, int i)
{
	int child = -1;

	switch (algorithm) {
	case COLL_BINARY:
	case COLL_SPLIT_BINARY:
		child = i < 2 ? 2 * node + 1 + i : -1;
		break;
	case COLL_BINOMIAL:
		child = binomial_child(node, size, i);
		break;
	case COLL_PIPELINE:
		child = i == 0 ? node + 1 : -1;
		break;
	default:
		child = node == 0 ? i + 1 : -1;
		break;
	}
	return child < size ? child : -1;
}

/* The first of the node's level: 1, 3, 7, ... */
static int level_begin(int node)
{
	int begin = 1;

	while (2 * begin + 1 <= node)
		begin = 2 * begin + 1;
	return begin;
}

/* Its level's nodes are half below the root's first child. */
int coll_split_half(int node)
{
	const int begin = level_begin(node);

	return node >= begin + (begin + 1) / 2;
}

int coll_split_mate(int node, int size)
{
	const int half = (level_begin(node) + 1) / 2;
	const int mate = coll_split_half(node) ? node - half : node + half;

	return mate < size ? mate : -1;
}
