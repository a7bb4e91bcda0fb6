/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Procedures of the mpi_f08 module since MPICH 4.2, which look at arrays of
 * requests.  They are here in a build with an older module, too, so that the
 * preload serves programs of both.
 */
#include "pmpi-shim/mpich/f08.h"

SHIM_EXPORT void
mpi_request_get_status_all_f08_(const int *count,
				MPI_Request array_of_requests[], int *flag,
				MPI_Status array_of_statuses[], int *ierror);
SHIM_EXPORT void
mpi_request_get_status_any_f08_(const int *count,
				MPI_Request array_of_requests[], int *indx,
				int *flag, MPI_Status *status, int *ierror);
SHIM_EXPORT void mpi_request_get_status_some_f08_(
	const int *incount, MPI_Request array_of_requests[], int *outcount,
	int array_of_indices[], MPI_Status array_of_statuses[], int *ierror);

void mpi_request_get_status_all_f08_(const int *count,
				     MPI_Request array_of_requests[], int *flag,
				     MPI_Status array_of_statuses[],
				     int *ierror)
{
	const int rc = MPI_Request_get_status_all(
		*count, array_of_requests, flag,
		f08_statuses(array_of_statuses));

	f08_logicals(flag, 1);
	f08_error(ierror, rc);
}

void mpi_request_get_status_any_f08_(const int *count,
				     MPI_Request array_of_requests[], int *indx,
				     int *flag, MPI_Status *status, int *ierror)
{
	int index = MPI_UNDEFINED;
	const int rc = MPI_Request_get_status_any(
		*count, array_of_requests, &index, flag, f08_status(status));

	*indx = f08_index(index);
	f08_logicals(flag, 1);
	f08_error(ierror, rc);
}

void mpi_request_get_status_some_f08_(const int *incount,
				      MPI_Request array_of_requests[],
				      int *outcount, int array_of_indices[],
				      MPI_Status array_of_statuses[],
				      int *ierror)
{
	int n = MPI_UNDEFINED;
	const int rc = MPI_Request_get_status_some(
		*incount, array_of_requests, &n, array_of_indices,
		f08_statuses(array_of_statuses));

	*outcount = n;
	f08_indices(n, array_of_indices);
	f08_error(ierror, rc);
}
