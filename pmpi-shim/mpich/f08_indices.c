/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran counts the requests in an array from 1, but the mpi_f08 module of
 * MPICH counted them from 0 before version 4.1.  A program gets what it would
 * get without us: the module itself is asked once, with a request that is
 * complete.  So it is for MPI_UNDEFINED, to which version 4.2 adds 1 as well.
 */
#include "shim_f08.h"

static int query(void *state, MPI_Status *status)
{
	(void)state;
	status->MPI_SOURCE = MPI_UNDEFINED;
	status->MPI_TAG = MPI_UNDEFINED;
	PMPI_Status_set_elements(status, MPI_BYTE, 0);
	return PMPI_Status_set_cancelled(status, 0);
}

static int release(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
	(void)state;
	(void)complete;
	return MPI_SUCCESS;
}

/* Where the module finds `request`, in an array with no other. */
static int ask(MPI_Request request)
{
	static _Atomic(f08_fn *) found;
	__typeof__(mpi_waitany_f08_) *const real =
		(__typeof__(mpi_waitany_f08_) *)f08_real(&found,
							 "mpi_waitany_f08_");
	const int count = 1;
	MPI_Status status;
	int index = 1;
	int rc;

	real(&count, &request, &index, &status, &rc);
	return index;
}

/* The index of the first request of an array; 1 if that cannot be learned. */
static int ask_first(void)
{
	MPI_Request request;

	if (PMPI_Grequest_start(query, release, cancel, NULL, &request))
		return 1;
	PMPI_Grequest_complete(request);
	return ask(request);
}

int f08_index(int index)
{
	static _Atomic int first = -1;
	int base = atomic_load_explicit(&first, memory_order_relaxed);

	if (index == MPI_UNDEFINED)
		return ask(MPI_REQUEST_NULL);
	if (base < 0) {
		base = ask_first();
		atomic_store_explicit(&first, base, memory_order_relaxed);
	}
	return index + base;
}

void f08_indices(int n, int indices[])
{
	for (int i = 0; i < n; i++)
		indices[i] = f08_index(indices[i]);
}

void mpi_waitany_f08_(const int *count, MPI_Request array_of_requests[],
		      int *indx, MPI_Status *status, int *ierror)
{
	int index = MPI_UNDEFINED;
	const int rc = MPI_Waitany(*count, array_of_requests, &index,
				   f08_status(status));

	*indx = f08_index(index);
	f08_error(ierror, rc);
}

void mpi_testany_f08_(const int *count, MPI_Request array_of_requests[],
		      int *indx, int *flag, MPI_Status *status, int *ierror)
{
	int index = MPI_UNDEFINED;
	const int rc = MPI_Testany(*count, array_of_requests, &index, flag,
				   f08_status(status));

	*indx = f08_index(index);
	f08_logicals(flag, 1);
	f08_error(ierror, rc);
}

void mpi_waitsome_f08_(const int *incount, MPI_Request array_of_requests[],
		       int *outcount, int array_of_indices[],
		       MPI_Status array_of_statuses[], int *ierror)
{
	int n = MPI_UNDEFINED;
	const int rc = MPI_Waitsome(*incount, array_of_requests, &n,
				    array_of_indices,
				    f08_statuses(array_of_statuses));

	*outcount = n;
	f08_indices(n, array_of_indices);
	f08_error(ierror, rc);
}

void mpi_testsome_f08_(const int *incount, MPI_Request array_of_requests[],
		       int *outcount, int array_of_indices[],
		       MPI_Status array_of_statuses[], int *ierror)
{
	int n = MPI_UNDEFINED;
	const int rc = MPI_Testsome(*incount, array_of_requests, &n,
				    array_of_indices,
				    f08_statuses(array_of_statuses));

	*outcount = n;
	f08_indices(n, array_of_indices);
	f08_error(ierror, rc);
}
