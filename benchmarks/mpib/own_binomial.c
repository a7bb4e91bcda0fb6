/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Binomial trees.  A place is a rank counted from the root.  The parent of a
 * place is the place without its lowest bit.  Its children are the place with
 * one bit below that.  The tree of a child at `bit` covers `bit` places, from
 * the child on.
 */
#include <stdlib.h>
#include <string.h>

#include "own.h"

struct tree {
	MPI_Comm comm;
	int size;
	int root;
	int place;
	int parent; /* a rank */
	int top;    /* the lowest bit of the place; for the root, above all */
};

static int rank_at(const struct tree *tree, int place)
{
	return (place + tree->root) % tree->size;
}

static struct tree plant(int root, MPI_Comm comm)
{
	struct tree tree = { .comm = comm, .root = root, .top = 1 };
	int rank;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &tree.size);
	tree.place = (rank - root + tree.size) % tree.size;
	while (tree.top < tree.size && !(tree.place & tree.top))
		tree.top *= 2;
	tree.parent = rank_at(&tree, tree.place & ~tree.top);
	return tree;
}

/* The places of the tree of a child: the last may have fewer. */
static int width(const struct tree *tree, int place, int bit)
{
	return place + bit > tree->size ? tree->size - place : bit;
}

int own_bcast_binomial(void *buf, int count, MPI_Datatype type, int root,
		       MPI_Comm comm)
{
	struct tree tree;
	int bytes;
	int rc;

	rc = own_bytes(comm, count, type, buf, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	tree = plant(root, comm);
	if (tree.place > 0)
		own_recv(buf, bytes, tree.parent, comm);
	for (int bit = tree.top / 2; bit > 0; bit /= 2)
		if (tree.place + bit < tree.size)
			own_send(buf, bytes, rank_at(&tree, tree.place + bit),
				 comm);
	return MPI_SUCCESS;
}

/* Room for the parts of a place's whole tree, in the order of places. */
static char *tree_room(const struct tree *tree, int bytes)
{
	return malloc((size_t)width(tree, tree->place, tree->top) *
			      (size_t)bytes +
		      1);
}

/* Between the order of ranks and that of places, at the root. */
static void turn(const struct tree *tree, const char *from, char *to, int by,
		 int bytes)
{
	const size_t first = (size_t)((tree->size - by) % tree->size) *
			     (size_t)bytes;
	const size_t all = (size_t)tree->size * (size_t)bytes;

	memcpy(to + first, from, all - first);
	memcpy(to, from + all - first, first);
}

static void pass_down(const struct tree *tree, const char *parts, int bytes)
{
	for (int bit = tree->top / 2; bit > 0; bit /= 2) {
		const int child = tree->place + bit;

		if (child < tree->size)
			own_send(parts + (ptrdiff_t)bit * bytes,
				 width(tree, child, bit) * bytes,
				 rank_at(tree, child), tree->comm);
	}
}

static void pass_up(const struct tree *tree, char *parts, int bytes)
{
	for (int bit = 1; bit < tree->top; bit *= 2) {
		const int child = tree->place + bit;

		if (child < tree->size)
			own_recv(parts + (ptrdiff_t)bit * bytes,
				 width(tree, child, bit) * bytes,
				 rank_at(tree, child), tree->comm);
	}
}

int own_scatter_binomial(const void *from, int count, MPI_Datatype type,
			 void *to, int to_count, MPI_Datatype to_type, int root,
			 MPI_Comm comm)
{
	struct tree tree = plant(root, comm);
	char *parts;
	int bytes;
	int rc;

	rc = tree.place == 0 ? own_bytes(comm, count, type, to, &bytes)
			     : own_bytes(comm, to_count, to_type, to, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	parts = tree_room(&tree, bytes);
	if (!parts)
		return MPI_ERR_NO_MEM;
	if (tree.place == 0)
		turn(&tree, from, parts, root, bytes);
	else
		own_recv(parts, width(&tree, tree.place, tree.top) * bytes,
			 tree.parent, comm);
	pass_down(&tree, parts, bytes);
	memcpy(to, parts, (size_t)bytes);
	free(parts);
	return MPI_SUCCESS;
}

int own_gather_binomial(const void *from, int count, MPI_Datatype type,
			void *to, int to_count, MPI_Datatype to_type, int root,
			MPI_Comm comm)
{
	struct tree tree = plant(root, comm);
	char *parts;
	int bytes;
	int rc;

	rc = tree.place == 0 ? own_bytes(comm, to_count, to_type, from, &bytes)
			     : own_bytes(comm, count, type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	parts = tree_room(&tree, bytes);
	if (!parts)
		return MPI_ERR_NO_MEM;
	memcpy(parts, from, (size_t)bytes);
	pass_up(&tree, parts, bytes);
	if (tree.place == 0)
		turn(&tree, parts, to, tree.size - root, bytes);
	else
		own_send(parts, width(&tree, tree.place, tree.top) * bytes,
			 tree.parent, comm);
	free(parts);
	return MPI_SUCCESS;
}

static int fold(const struct tree *tree, const void *from, void *to, int count,
		MPI_Datatype type, MPI_Op op, int bytes)
{
	char *sum = malloc(2 * (size_t)bytes + 1);
	char *part;

	if (!sum)
		return MPI_ERR_NO_MEM;
	part = sum + bytes;
	memcpy(sum, from, (size_t)bytes);
	for (int bit = 1; bit < tree->top; bit *= 2) {
		if (tree->place + bit >= tree->size)
			break;
		own_recv(part, bytes, rank_at(tree, tree->place + bit),
			 tree->comm);
		MPI_Reduce_local(part, sum, count, type, op);
	}
	if (tree->place == 0)
		memcpy(to, sum, (size_t)bytes);
	else
		own_send(sum, bytes, tree->parent, tree->comm);
	free(sum);
	return MPI_SUCCESS;
}

/* A tree changes the order, which not every operation allows. */
int own_reduce_binomial(const void *from, void *to, int count,
			MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
	struct tree tree = plant(root, comm);
	int commutes;
	int bytes;
	int rc;

	MPI_Op_commutative(op, &commutes);
	if (!commutes)
		return own_reduce_linear(from, to, count, type, op, root, comm);
	rc = own_bytes(comm, count, type, from, &bytes);
	if (rc != MPI_SUCCESS)
		return rc;
	return fold(&tree, from, to, count, type, op, bytes);
}

int own_allgather_binomial(const void *from, int count, MPI_Datatype type,
			   void *to, int to_count, MPI_Datatype to_type,
			   MPI_Comm comm)
{
	int size;
	int rc;

	MPI_Comm_size(comm, &size);
	rc = own_gather_binomial(from, count, type, to, to_count, to_type, 0,
				 comm);
	if (rc != MPI_SUCCESS)
		return rc;
	return own_bcast_binomial(to, to_count * size, to_type, 0, comm);
}
