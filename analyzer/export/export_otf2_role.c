/* SPDX-License-Identifier: BSD-3-Clause */

/* OTF2's names for calls of MPI: collective operations, and roles of regions.
 */
#include <string.h>

#include "analyzer/export/export_otf2.h"

static const struct {
	const char *name;
	OTF2_CollectiveOp op;
	OTF2_RegionRole role;
} operations[] = {
	{ "Barrier", OTF2_COLLECTIVE_OP_BARRIER, OTF2_REGION_ROLE_BARRIER },
	{ "Bcast", OTF2_COLLECTIVE_OP_BCAST, OTF2_REGION_ROLE_COLL_ONE2ALL },
	{ "Gatherv", OTF2_COLLECTIVE_OP_GATHERV,
	  OTF2_REGION_ROLE_COLL_ALL2ONE },
	{ "Gather", OTF2_COLLECTIVE_OP_GATHER, OTF2_REGION_ROLE_COLL_ALL2ONE },
	{ "Scatterv", OTF2_COLLECTIVE_OP_SCATTERV,
	  OTF2_REGION_ROLE_COLL_ONE2ALL },
	{ "Scatter", OTF2_COLLECTIVE_OP_SCATTER,
	  OTF2_REGION_ROLE_COLL_ONE2ALL },
	{ "Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Allgather", OTF2_COLLECTIVE_OP_ALLGATHER,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
	  OTF2_REGION_ROLE_COLL_ALL2ALL },
	{ "Reduce", OTF2_COLLECTIVE_OP_REDUCE, OTF2_REGION_ROLE_COLL_ALL2ONE },
	{ "Exscan", OTF2_COLLECTIVE_OP_EXSCAN, OTF2_REGION_ROLE_COLL_OTHER },
	{ "Scan", OTF2_COLLECTIVE_OP_SCAN, OTF2_REGION_ROLE_COLL_OTHER },
};

#define N_OPERATIONS (sizeof(operations) / sizeof(operations[0]))

/* Names begin with "MPI_" or, not blocking, "MPI_I"; N_OPERATIONS: none. */
static size_t operation_of(const char *name)
{
	size_t i = 0;

	if (strncmp(name, "MPI_", 4) != 0)
		return N_OPERATIONS;
	name += name[4] == 'I' ? 5 : 4;
	for (; *name && i < N_OPERATIONS; i++)
		if (strncasecmp(operations[i].name, name,
				strlen(operations[i].name)) == 0)
			break;
	return i;
}

OTF2_CollectiveOp otf2_operation(const char *name)
{
	const size_t i = operation_of(name);

	return i < N_OPERATIONS ? operations[i].op : OTF2_COLLECTIVE_OP_BARRIER;
}

OTF2_RegionRole otf2_role(const char *name, unsigned does, bool is_phase)
{
	const size_t i = operation_of(name);

	if (is_phase)
		return OTF2_REGION_ROLE_CODE;
	if (does & TRACE_DOES_ALL && i < N_OPERATIONS)
		return operations[i].role;
	if (does & TRACE_DOES_FILE)
		return OTF2_REGION_ROLE_FILE_IO;
	if (does & TRACE_DOES_ONE_SIDED)
		return OTF2_REGION_ROLE_RMA;
	if (does & (TRACE_DOES_SEND | TRACE_DOES_RECEIVE | TRACE_DOES_POST |
		    TRACE_DOES_WAIT))
		return OTF2_REGION_ROLE_POINT2POINT;
	return OTF2_REGION_ROLE_FUNCTION;
}
