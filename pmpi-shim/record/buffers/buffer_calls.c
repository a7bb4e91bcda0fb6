/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The calls whose buffers are looked at, in the place of MPI's in the table.
 * They are the wrappers' own callees: a wrapper's frame pointer is what they
 * find saved.  gen_buffers.py writes these calls.
 */
#include "pmpi-shim/record/buffers/buffer_calls.h"

#include "abi.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/buffers/reuse.h"
#include "pmpi-shim/record/calls/comms.h"

static bool checks(void)
{
	return process.settings.strict & SETTINGS_STRICT_BUFFERS;
}

void buffer_before(enum buffer_use use, const void *fp, const void *at,
		   MPI_Count count, MPI_Datatype type)
{
	if (!abi_type_is_builtin(type)) {
		buffer_given(at, NULL);
		return;
	}
	if (checks())
		buffers_look(use, fp, at, count, type);
	if (reuse_is_looked_for)
		reuse_given(use, at, count, type);
}

void buffer_behind(int rc, bool ends, enum buffer_use use, const void *fp,
		   const void *at, MPI_Count count, MPI_Datatype type)
{
	if (rc != MPI_SUCCESS)
		return;
	if (checks() && !abi_type_is_builtin(type))
		buffers_look(use, fp, at, count, type);
	if (reuse_is_looked_for && ends)
		reuse_look(use, at, count, type);
}

static bool is_root(MPI_Comm comm, int root)
{
	const struct shim_comm *known = shim_comm_get(comm);

	return known->remote_size > 0 ? root == MPI_ROOT : root == known->rank;
}

void buffer_behind_bcast(int rc, MPI_Comm comm, int root, const void *fp,
			 const void *at, MPI_Count count, MPI_Datatype type)
{
	buffer_behind(rc, false, BUFFER_RECEIVED, fp, at, count, type);
	if (rc == MPI_SUCCESS && reuse_is_looked_for)
		reuse_look(is_root(comm, root) ? BUFFER_SENT : BUFFER_RECEIVED,
			   at, count, type);
}

void buffer_given(const void *one, const void *other)
{
	if (reuse_is_looked_for)
		reuse_given_at(one, other);
}

void buffer_found(bool ends, enum buffer_use use, const void *fp,
		  const void *at, MPI_Count count, MPI_Datatype type)
{
	if (checks())
		buffers_look(use, fp, at, count, type);
	if (reuse_is_looked_for && ends)
		reuse_look(use, at, count, type);
}

MPI_Count buffer_of_message(const MPI_Message *message, MPI_Count count)
{
	return message && *message != MPI_MESSAGE_NO_PROC ? count : 0;
}

struct buffer_blocks buffer_blocks(int rc, MPI_Comm comm, int root)
{
	const struct shim_comm *known;
	bool is_root;

	if (rc != MPI_SUCCESS)
		return (struct buffer_blocks){ 0 };
	known = shim_comm_get(comm);
	if (known->remote_size > 0)
		return (struct buffer_blocks){ 0 };
	is_root = known->rank == root;
	return (struct buffer_blocks){
		.one = 1,
		.each = known->size,
		.root = is_root,
		.at_root = is_root ? known->size : 0,
		.later = known->rank > 0,
		.rank = known->rank,
	};
}

/* Elements of all blocks that are not empty, from the first to the last. */
struct part {
	MPI_Count from;
	MPI_Count to; /* `from`: none */
};

static struct part part_add(struct part part, MPI_Count displ, MPI_Count count)
{
	const MPI_Count to = displ + count;

	if (count <= 0)
		return part;
	if (part.from == part.to)
		return (struct part){ displ, to };
	return (struct part){ displ < part.from ? displ : part.from,
			      to > part.to ? to : part.to };
}

static void part_found(bool ends, enum buffer_use use, const void *fp,
		       const void *at, struct part part, MPI_Datatype type)
{
	MPI_Aint lb;
	MPI_Aint extent;

	if (!at || part.from == part.to ||
	    PMPI_Type_get_extent(type, &lb, &extent) != MPI_SUCCESS)
		return;
	buffer_found(ends, use, fp, (const char *)at + part.from * extent,
		     part.to - part.from, type);
}

void buffer_parts_found(bool ends, enum buffer_use use, const void *fp,
			const void *at, const int *counts, const int *displs,
			MPI_Count n, MPI_Datatype type)
{
	struct part part = { 0 };

	for (MPI_Count i = 0; at != MPI_IN_PLACE && i < n; i++)
		part = part_add(part, displs[i], counts[i]);
	part_found(ends, use, fp, at, part, type);
}

void buffer_parts_found_c(bool ends, enum buffer_use use, const void *fp,
			  const void *at, const MPI_Count *counts,
			  const MPI_Aint *displs, MPI_Count n,
			  MPI_Datatype type)
{
	struct part part = { 0 };

	for (MPI_Count i = 0; at != MPI_IN_PLACE && i < n; i++)
		part = part_add(part, displs[i], counts[i]);
	part_found(ends, use, fp, at, part, type);
}

MPI_Count buffer_sum(const int *counts, MPI_Count n)
{
	MPI_Count sum = 0;

	for (MPI_Count i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

MPI_Count buffer_sum_c(const MPI_Count *counts, MPI_Count n)
{
	MPI_Count sum = 0;

	for (MPI_Count i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

void buffers_start(void)
{
	reuse_start();
	if (reuse_is_looked_for)
		buffer_calls_install_others();
	if (reuse_is_looked_for || checks())
		buffer_calls_install();
}
