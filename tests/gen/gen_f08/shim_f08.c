/* Written by gen_f08.py; do not edit. */
#include <stdlib.h>

#include "shim_f08.h"
#include "pmpi-shim/record/calls/comms.h"

_Static_assert(sizeof(MPI_Comm) == 1 * sizeof(int), "MPI_Comm");
_Static_assert(sizeof(MPI_Request) == 1 * sizeof(int), "MPI_Request");
_Static_assert(sizeof(MPI_Status) == 5 * sizeof(int), "MPI_Status");

void mpi_alloc_mem_f08_(const MPI_Aint *size, const int *info, void *baseptr, int *ierror)
{
	const int rc = MPI_Alloc_mem(*size, *info, baseptr);

	f08_error(ierror, rc);
}

void mpi_cart_get_f08_(const MPI_Comm *comm, const int *maxdims, int dims[], int periods[], int coords[], int *ierror)
{
	const int rc = MPI_Cart_get(*comm, *maxdims, dims, periods, coords);

	f08_logicals(periods, *maxdims);
	f08_error(ierror, rc);
}

void mpi_comm_get_name_f08_(void *comm, char *comm_name, int *resultlen, int *ierror, size_t comm_name_len)
{
	static _Atomic(f08_fn *) found;
	__typeof__(mpi_comm_get_name_f08_) *const real =
		(__typeof__(mpi_comm_get_name_f08_) *)f08_real(&found, __func__);
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Comm_get_name);
	if (!f) {
		real(comm, comm_name, resultlen, ierror, comm_name_len);
		return;
	}
	real(comm, comm_name, resultlen, &rc, comm_name_len);
	shim_stop(f);
	shim_leave(f, false);
	f08_error(ierror, rc);
}

void mpi_comm_test_inter_f08_(const MPI_Comm *comm, int *flag, int *ierror)
{
	const int rc = MPI_Comm_test_inter(*comm, flag);

	f08_logicals(flag, 1);
	f08_error(ierror, rc);
}

void mpi_dist_graph_neighbors_f08_(const MPI_Comm *comm, const int *maxindegree, int sources[], int sourceweights[], const int *maxoutdegree, int destinations[], int destweights[], int *ierror)
{
	const int rc = MPI_Dist_graph_neighbors(*comm, *maxindegree, sources, f08_weights(sourceweights), *maxoutdegree, destinations, f08_weights(destweights));

	f08_error(ierror, rc);
}

void mpi_file_close_f08_(int *fh, int *ierror)
{
	MPI_File c_fh = f08_file_f2c(*fh);
	const int rc = MPI_File_close(&c_fh);

	*fh = f08_file_c2f(c_fh);
	f08_error(ierror, rc);
}

void mpi_file_open_f08_(const MPI_Comm *comm, const char *filename, const int *amode, const int *info, int *fh, int *ierror, size_t filename_len)
{
	char *c_filename = f08_string(filename, filename_len);
	MPI_File c_fh = MPI_FILE_NULL;
	const int rc = MPI_File_open(*comm, c_filename, *amode, *info, &c_fh);

	free(c_filename);
	*fh = f08_file_c2f(c_fh);
	f08_error(ierror, rc);
}

void mpi_get_count_f08_large_(const MPI_Status *status, const int *datatype, MPI_Count *count, int *ierror)
{
	const int rc = MPI_Get_count_c(status, *datatype, count);

	f08_error(ierror, rc);
}

void mpi_init_f08_(int *ierror)
{
	const int rc = MPI_Init(NULL, NULL);

	f08_error(ierror, rc);
}

void mpi_op_create_f08_(f08_fn *user_fn, void *commute, int *op, int *ierror)
{
	static _Atomic(f08_fn *) found;
	__typeof__(mpi_op_create_f08_) *const real =
		(__typeof__(mpi_op_create_f08_) *)f08_real(&found, __func__);
	struct mmds_frame *f;
	int rc;

	f = shim_enter(SHIM_MPI_Op_create);
	if (!f) {
		real(user_fn, commute, op, ierror);
		return;
	}
	real(user_fn, commute, op, &rc);
	shim_stop(f);
	shim_leave(f, true);
	f08_error(ierror, rc);
}

void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, int *ierror)
{
	const int rc = MPI_Wait(request, f08_status(status));

	f08_error(ierror, rc);
}

void mpi_waitall_f08_(const int *count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[], int *ierror)
{
	const int rc = MPI_Waitall(*count, array_of_requests, f08_statuses(array_of_statuses));

	f08_error(ierror, rc);
}
