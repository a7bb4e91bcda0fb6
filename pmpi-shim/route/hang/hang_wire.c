/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages between the leaders' threads, on a communicator of their own: one at
 * a time to each node.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/hang/hang_wire.h"

#define TAG 0

int hang_node;
int hang_n_nodes;

static MPI_Comm leaders = MPI_COMM_NULL;

/* The message under way to each node, if any. */
static struct out {
	MPI_Request request;
	void *bytes;
} * outs;

bool hang_wire_start(void)
{
	if (route_net_leaders() == MPI_COMM_NULL)
		return false;
	REAL(Comm_dup)(route_net_leaders(), &leaders);
	REAL(Comm_set_errhandler)(leaders, MPI_ERRORS_RETURN);
	fatal_not_for(leaders);
	hang_n_nodes = route_net_nodes(&hang_node);
	outs = calloc((size_t)hang_n_nodes, sizeof(*outs));
	if (hang_wire_all(outs != NULL))
		return true;
	hang_wire_stop();
	return false;
}

bool hang_wire_all(bool can)
{
	int mine = can;
	int all;

	REAL(Allreduce)(&mine, &all, 1, MPI_INT, MPI_MIN, leaders);
	return all;
}

void hang_wire_stop(void)
{
	free(outs);
	outs = NULL;
	REAL(Comm_free)(&leaders);
}

static bool is_sent(struct out *out)
{
	int flag = 1;

	if (!out->bytes)
		return true;
	REAL(Test)(&out->request, &flag, MPI_STATUS_IGNORE);
	if (flag) {
		free(out->bytes);
		out->bytes = NULL;
	}
	return flag;
}

bool hang_wire_send(int node, const void *bytes, size_t n)
{
	struct out *out = &outs[node];

	if (!is_sent(out))
		return false;
	out->bytes = malloc(n);
	if (!out->bytes)
		return false;
	memcpy(out->bytes, bytes, n);
	REAL(Isend)
	(out->bytes, (int)n, MPI_BYTE, node, TAG, leaders, &out->request);
	return true;
}

void *hang_wire_come(void)
{
	MPI_Status status;
	void *bytes;
	int flag;
	int n;

	REAL(Iprobe)(MPI_ANY_SOURCE, TAG, leaders, &flag, &status);
	if (!flag)
		return NULL;
	PMPI_Get_count(&status, MPI_BYTE, &n);
	bytes = malloc((size_t)n);
	if (bytes)
		REAL(Recv)
	(bytes, n, MPI_BYTE, status.MPI_SOURCE, TAG, leaders,
	 MPI_STATUS_IGNORE);
	return bytes;
}

bool hang_wire_is_quiet(void)
{
	bool quiet = true;

	for (int node = 0; node < hang_n_nodes; node++)
		quiet &= is_sent(&outs[node]);
	return quiet;
}
