/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Leaders exchange blocks by MPI_Isend and MPI_Irecv.  MPI_Put takes three
 * times as long between nodes, because MPICH answers each put.  Pieces of large
 * messages go from process to process.
 */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/base/tuning.h"
#include "libbcs/demand/net_mpi.h"

static MPI_Comm leaders;
static MPI_Comm remote;

/* Sends of blocks, by buffer. */
static MPI_Request sends[NET_BUFFERS];
/* Receives, of which `first` is the oldest. */
static struct {
	MPI_Request request;
	unsigned char *block;
} receives[NET_RECEIVES];
static unsigned first;

static void send_block(unsigned buffer, uint32_t node, const void *block,
		       uint64_t bytes)
{
	MPI_Isend(block, (int)bytes, MPI_BYTE, (int)node, 0, leaders,
		  &sends[buffer]);
}

static bool is_sent(unsigned buffer)
{
	int flag;

	MPI_Test(&sends[buffer], &flag, MPI_STATUS_IGNORE);
	return flag;
}

static void receive(unsigned i)
{
	MPI_Irecv(receives[i].block, NET_BLOCK, MPI_BYTE, MPI_ANY_SOURCE, 0,
		  leaders, &receives[i].request);
}

static const void *come(uint64_t *bytes)
{
	MPI_Status status;
	int flag;
	int n;

	MPI_Test(&receives[first].request, &flag, &status);
	if (!flag)
		return NULL;
	MPI_Get_count(&status, MPI_BYTE, &n);
	*bytes = (uint64_t)n;
	return receives[first].block;
}

static void taken(void)
{
	receive(first);
	first = (first + 1) % NET_RECEIVES;
}

const struct net_ops net_mpi_ops = { send_block, is_sent, come, taken };

static int remote_begin(struct remote_piece *piece, enum op_kind kind, void *at,
			uint32_t world)
{
	const int n = (int)piece->bytes;
	MPI_Request request;
	int rc;

	if (kind == OP_SEND)
		rc = MPI_Isend(at, n, MPI_BYTE, (int)world, piece->tag, remote,
			       &request);
	else
		rc = MPI_Irecv(at, n, MPI_BYTE, (int)world, piece->tag, remote,
			       &request);
	piece->handle = request;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

static int remote_test(struct remote_piece *piece, bool *is_done)
{
	MPI_Request request = (MPI_Request)piece->handle;
	int flag = 0;
	const int rc = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);

	*is_done = flag;
	return rc == MPI_SUCCESS ? 0 : -EIO;
}

const struct remote_ops net_mpi_remote_ops = { remote_begin, remote_test };

void net_mpi_remote(MPI_Comm comm)
{
	remote = comm;
}

int net_mpi_start(MPI_Comm comm)
{
	unsigned char *memory = malloc((size_t)NET_RECEIVES * NET_BLOCK);

	if (!memory)
		return -ENOMEM;
	leaders = comm;
	first = 0;
	for (unsigned i = 0; i < NET_BUFFERS; i++)
		sends[i] = MPI_REQUEST_NULL;
	for (unsigned i = 0; i < NET_RECEIVES; i++) {
		receives[i].block = memory + (size_t)i * NET_BLOCK;
		receive(i);
	}
	return 0;
}

void net_mpi_stop(void)
{
	unsigned char *memory = receives[0].block;

	for (unsigned i = 0; memory && i < NET_RECEIVES; i++) {
		MPI_Cancel(&receives[i].request);
		MPI_Wait(&receives[i].request, MPI_STATUS_IGNORE);
		receives[i].block = NULL;
	}
	free(memory);
}
