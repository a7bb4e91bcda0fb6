/* Written by gen_buffers.py; do not edit. */
#include "pmpi-shim/record/buffers/buffer_calls.h"
#include "pmpi-shim/record/buffers/reuse.h"

static struct shim_pmpi below;

static int Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
	const void *const fp = BUFFER_CALLER;
	struct buffer_blocks b;
	int rc;

	buffer_given(sendbuf, recvbuf);
	rc = (*below.MPI_Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
	b = buffer_blocks(rc, comm, 0);
	buffer_parts_found(true, BUFFER_SENT, fp, sendbuf, sendcounts, sdispls, b.each, sendtype);
	buffer_parts_found(true, BUFFER_RECEIVED, fp, recvbuf, recvcounts, rdispls, b.each, recvtype);
	return rc;
}

static int Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(source, count);
	int rc;

	buffer_before(BUFFER_RECEIVED, fp, buf, n0, datatype);
	rc = (*below.MPI_Irecv_c)(buf, count, datatype, source, tag, comm, request);
	buffer_behind(rc, false, BUFFER_RECEIVED, fp, buf, n0, datatype);
	return rc;
}

static int Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(source, count);
	int rc;

	buffer_before(BUFFER_RECEIVED, fp, buf, n0, datatype);
	rc = (*below.MPI_Recv)(buf, count, datatype, source, tag, comm, status);
	buffer_behind(rc, true, BUFFER_RECEIVED, fp, buf, n0, datatype);
	return rc;
}

static int Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	const void *const fp = BUFFER_CALLER;
	struct buffer_blocks b;
	int rc;

	buffer_given(sendbuf, recvbuf);
	rc = (*below.MPI_Reduce_init)(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
	b = buffer_blocks(rc, comm, root);
	buffer_found(false, BUFFER_SENT, fp, sendbuf, count * b.one, datatype);
	buffer_found(false, BUFFER_RECEIVED, fp, recvbuf, count * b.root, datatype);
	return rc;
}

static int Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(dest, count);
	int rc;

	buffer_before(BUFFER_SENT, fp, buf, n0, datatype);
	rc = (*below.MPI_Send)(buf, count, datatype, dest, tag, comm);
	buffer_behind(rc, true, BUFFER_SENT, fp, buf, n0, datatype);
	return rc;
}

static int Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	const void *const fp = BUFFER_CALLER;
	const MPI_Count n0 = buffer_of_peer(dest, count);
	int rc;

	buffer_before(BUFFER_SENT, fp, buf, n0, datatype);
	rc = (*below.MPI_Send_c)(buf, count, datatype, dest, tag, comm);
	buffer_behind(rc, true, BUFFER_SENT, fp, buf, n0, datatype);
	return rc;
}

static int File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
	buffer_given(buf, NULL);
	return (*below.MPI_File_read)(fh, buf, count, datatype, status);
}

static int Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
	buffer_given(origin_addr, NULL);
	return (*below.MPI_Get)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
}

void buffer_calls_install(void)
{
	below.MPI_Alltoallv = shim_pmpi.MPI_Alltoallv;
	shim_pmpi.MPI_Alltoallv = Alltoallv;
	below.MPI_Irecv_c = shim_pmpi.MPI_Irecv_c;
	shim_pmpi.MPI_Irecv_c = Irecv_c;
	below.MPI_Recv = shim_pmpi.MPI_Recv;
	shim_pmpi.MPI_Recv = Recv;
	below.MPI_Reduce_init = shim_pmpi.MPI_Reduce_init;
	shim_pmpi.MPI_Reduce_init = Reduce_init;
	below.MPI_Send = shim_pmpi.MPI_Send;
	shim_pmpi.MPI_Send = Send;
	below.MPI_Send_c = shim_pmpi.MPI_Send_c;
	shim_pmpi.MPI_Send_c = Send_c;
}

void buffer_calls_install_others(void)
{
	below.MPI_File_read = shim_pmpi.MPI_File_read;
	shim_pmpi.MPI_File_read = File_read;
	below.MPI_Get = shim_pmpi.MPI_Get;
	shim_pmpi.MPI_Get = Get;
}
