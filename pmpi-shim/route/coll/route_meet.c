/* SPDX-License-Identifier: BSD-3-Clause */

#include "pmpi-shim/route/coll/route_meet.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/route.h"

int route_meet(enum shim_call name, MPI_Comm comm, bool is_right)
{
	struct route_call call = { .name = name,
				   .kind = ROUTE_BARRIER,
				   .comm = comm,
				   .op = MPI_OP_NULL,
				   .out.type = MPI_DATATYPE_NULL,
				   .in.type = MPI_DATATYPE_NULL,
				   .members = route_comm_find(comm),
				   .meets = true };

	if (!call.members || call.members->size == 1 || route_native ||
	    !is_right || process.settings.deadlock == SETTINGS_DEADLOCK_OFF)
		return MPI_SUCCESS;
	return route_coll_run(&call);
}
