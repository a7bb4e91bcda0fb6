/* SPDX-License-Identifier: BSD-3-Clause */

#include "pmpi-shim/route/coll/route_meet.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route.h"

static bool is_to_meet(const struct route_comm *members)
{
	return members && members->size > 1 && !route_native &&
	       process.settings.deadlock != SETTINGS_DEADLOCK_OFF;
}

int route_meet_members(enum shim_call name, struct route_comm *members,
		       bool is_right)
{
	const struct route_call call = { .name = name,
					 .kind = ROUTE_BARRIER,
					 .comm = members ? members->handle
							 : MPI_COMM_NULL,
					 .op = MPI_OP_NULL,
					 .out.type = MPI_DATATYPE_NULL,
					 .in.type = MPI_DATATYPE_NULL,
					 .members = members,
					 .meets = true };

	return is_right && is_to_meet(members) ? route_coll_run(&call)
					       : MPI_SUCCESS;
}

int route_meet(enum shim_call name, MPI_Comm comm, bool is_right)
{
	return route_meet_members(name, route_comm_find(comm), is_right);
}

int route_meet_begin(enum shim_call name, MPI_Comm comm, bool is_right,
		     struct route_comm **twin)
{
	struct route_comm *members = route_comm_find(comm);
	const int rc = route_meet_members(name, members, is_right);

	*twin = rc == MPI_SUCCESS && is_right && is_to_meet(members)
			? route_comm_twin(members)
			: NULL;
	return rc;
}

bool route_meet_is_done(struct route_companion *also)
{
	struct route_meet_request *request = (struct route_meet_request *)also;
	int flag = 1;

	if (request->mpi != MPI_REQUEST_NULL)
		request->rc = REAL(Test)(&request->mpi, &flag,
					 MPI_STATUS_IGNORE);
	return flag;
}
