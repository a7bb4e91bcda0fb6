/* Written by gen_wrappers.py; do not edit. */
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/record/findings/objects.h"
#include "pmpi-shim/record/calls/pending.h"
#include "pmpi-shim/route/route.h"
#include "pmpi-shim/shim.h"
#include "pmpi-shim/record/calls/transfer.h"

SHIM_EXPORT int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Alloc_mem);
	if (!f)
		return PMPI_Alloc_mem(size, info, baseptr);
	rc = PMPI_Alloc_mem(size, info, baseptr);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_object_made(f, FINDING_MEMORY, SHIM_MEMORY(*(void **)baseptr), NULL);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Alltoallv);
	if (!f)
		return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
	shim_about(f, comm, MPI_PROC_NULL, MPI_ANY_TAG);
	rc = PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_alltoallv(f, comm, sendbuf, shim_counts(sendcounts), sendtype, shim_counts(recvcounts), recvtype);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Comm_call_errhandler);
	if (!f)
		return PMPI_Comm_call_errhandler(comm, errorcode);
	fatal_expect(errorcode);
	rc = PMPI_Comm_call_errhandler(comm, errorcode);
	shim_stop(f);
	fatal_went_on();
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Comm_dup);
	if (!f)
		return PMPI_Comm_dup(comm, newcomm);
	rc = PMPI_Comm_dup(comm, newcomm);
	shim_stop(f);
	if (rc == MPI_SUCCESS) {
		shim_comm_made(*newcomm);
		shim_object_made(f, FINDING_COMM, SHIM_OBJECT(newcomm), newcomm);
	}
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Comm_free(MPI_Comm *comm)
{
	struct mmds_frame *f;
	const uint64_t gone = SHIM_OBJECT(comm);
	int rc;

	f = shim_enter(SHIM_MPI_Comm_free);
	if (!f) {
		rc = PMPI_Comm_free(comm);
		if (rc == MPI_SUCCESS)
			shim_object_gone(FINDING_COMM, gone, comm);
		return rc;
	}
	const MPI_Comm handle = comm ? *comm : MPI_COMM_NULL;
	struct shim_comm *const was = shim_comm_met(handle);
	rc = PMPI_Comm_free(comm);
	if (rc == MPI_SUCCESS)
		shim_object_gone(FINDING_COMM, gone, comm);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_comm_gone(handle, was);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Comm_get_errhandler);
	if (!f)
		return PMPI_Comm_get_errhandler(comm, errhandler);
	rc = PMPI_Comm_get_errhandler(comm, errhandler);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_object_made(f, FINDING_ERRHANDLER, SHIM_OBJECT(errhandler), errhandler);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Comm_set_errhandler);
	if (!f) {
		rc = PMPI_Comm_set_errhandler(comm, errhandler);
		if (rc == MPI_SUCCESS)
			fatal_handled(errhandler);
		return rc;
	}
	rc = PMPI_Comm_set_errhandler(comm, errhandler);
	if (rc == MPI_SUCCESS)
		fatal_handled(errhandler);
	shim_stop(f);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Comm_size(MPI_Comm comm, int *size)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Comm_size);
	if (!f)
		return PMPI_Comm_size(comm, size);
	rc = PMPI_Comm_size(comm, size);
	shim_stop(f);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status)
{
	struct mmds_frame *f;
	MPI_Status own;
	int rc;

	f = shim_enter(SHIM_MPI_File_read);
	if (!f) {
		route_native++;
		rc = PMPI_File_read(fh, buf, count, datatype, status);
		route_native--;
		return rc;
	}
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	route_native++;
	rc = PMPI_File_read(fh, buf, count, datatype, status);
	route_native--;
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_file(f, status, 0);
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Get);
	if (!f)
		return PMPI_Get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
	shim_about_win(f, win, target_rank);
	rc = PMPI_Get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_one_sided(f, win, target_rank, 0, shim_bytes(origin_count, origin_datatype));
	shim_leave(f, true);
	return rc;
}

SHIM_EXPORT int MPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter_post(SHIM_MPI_Irecv_c);
	if (!f)
		return PMPI_Irecv_c(buf, count, datatype, source, tag, comm, request);
	shim_about(f, comm, source, tag);
	rc = PMPI_Irecv_c(buf, count, datatype, source, tag, comm, request);
	shim_stop_post(f);
	if (rc == MPI_SUCCESS)
		shim_track(f, *request, comm, source, tag);
	shim_leave_post(f);
	return rc;
}

SHIM_EXPORT int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct mmds_frame *f;
	MPI_Status own;
	int rc;

	f = shim_enter(SHIM_MPI_Recv);
	if (!f)
		return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	shim_about(f, comm, source, tag);
	rc = PMPI_Recv(buf, count, datatype, source, tag, comm, status);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_received(f, comm, status);
	shim_leave(f, true);
	return rc;
}

SHIM_EXPORT int MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Reduce_init);
	if (!f)
		return PMPI_Reduce_init(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
	shim_about(f, comm, root, MPI_ANY_TAG);
	rc = PMPI_Reduce_init(sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
	shim_stop(f);
	if (rc == MPI_SUCCESS) {
		shim_reduce(f, comm, root, count, datatype);
		shim_track_init(f, *request);
	}
	shim_leave(f, false);
	return rc;
}

SHIM_EXPORT int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Send);
	if (!f)
		return PMPI_Send(buf, count, datatype, dest, tag, comm);
	shim_about(f, comm, dest, tag);
	rc = PMPI_Send(buf, count, datatype, dest, tag, comm);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_sent(f, comm, dest, shim_bytes(count, datatype));
	shim_leave(f, true);
	return rc;
}

SHIM_EXPORT int MPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Send_c);
	if (!f)
		return PMPI_Send_c(buf, count, datatype, dest, tag, comm);
	shim_about(f, comm, dest, tag);
	rc = PMPI_Send_c(buf, count, datatype, dest, tag, comm);
	shim_stop(f);
	if (rc == MPI_SUCCESS)
		shim_sent(f, comm, dest, shim_bytes(count, datatype));
	shim_leave(f, true);
	return rc;
}
