/* Written by gen_buffers.py; do not edit. */
#include "pmpi-shim/record/buffer_calls.h"

static struct shim_pmpi below;

static int Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
	const void *const fp = BUFFER_CALLER;
	const int rc = (*below.MPI_Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
	const struct buffer_blocks b = buffer_blocks(rc, comm, 0);

	buffer_parts_look(BUFFER_SENT, fp, sendbuf, sendcounts, sdispls, b.each, sendtype);
	buffer_parts_look(BUFFER_RECEIVED, fp, recvbuf, recvcounts, rdispls, b.each, recvtype);
	return rc;
}

static int Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(source, count);
	int rc;

	buffer_before(BUFFER_RECEIVED, fp, buf, n0, datatype);
	rc = (*below.MPI_Irecv_c)(buf, count, datatype, source, tag, comm, request);
	buffer_behind(rc, BUFFER_RECEIVED, fp, buf, n0, datatype);
	return rc;
}

static int Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(source, count);
	int rc;

	buffer_before(BUFFER_RECEIVED, fp, buf, n0, datatype);
	rc = (*below.MPI_Recv)(buf, count, datatype, source, tag, comm, status);
	buffer_behind(rc, BUFFER_RECEIVED, fp, buf, n0, datatype);
	return rc;
}

static int Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	const void *const fp = BUFFER_CALLER;
	const int rc = (*below.MPI_Reduce_init)(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
	const struct buffer_blocks b = buffer_blocks(rc, comm, root);

	buffers_look(BUFFER_SENT, fp, sendbuf, count * b.one, datatype);
	buffers_look(BUFFER_RECEIVED, fp, recvbuf, count * b.root, datatype);
	return rc;
}

static int Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(dest, count);
	int rc;

	buffer_before(BUFFER_SENT, fp, buf, n0, datatype);
	rc = (*below.MPI_Send)(buf, count, datatype, dest, tag, comm);
	buffer_behind(rc, BUFFER_SENT, fp, buf, n0, datatype);
	return rc;
}

static int Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(dest, count);
	int rc;

	buffer_before(BUFFER_SENT, fp, buf, n0, datatype);
	rc = (*below.MPI_Send_c)(buf, count, datatype, dest, tag, comm);
	buffer_behind(rc, BUFFER_SENT, fp, buf, n0, datatype);
	return rc;
}

void buffer_calls_install(void)
{
	below = shim_pmpi;
	shim_pmpi.MPI_Alltoallv = Alltoallv;
	shim_pmpi.MPI_Irecv_c = Irecv_c;
	shim_pmpi.MPI_Recv = Recv;
	shim_pmpi.MPI_Reduce_init = Reduce_init;
	shim_pmpi.MPI_Send = Send;
	shim_pmpi.MPI_Send_c = Send_c;
}
