/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPICH_LATER_H
#define MPICH_LATER_H

/*
 * Functions of MPI 4.1 that concern scheduled messages, for a build with an
 * older mpi.h.  A preload that was built with MPICH 4.0 then serves programs of
 * MPICH 4.2.  gen_wrappers.py reads these declarations after those of mpi.h.
 */
#include <mpi.h>

#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1)

int MPI_Buffer_flush(void);
int MPI_Buffer_iflush(MPI_Request *request);
int MPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size);
int MPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size);
int MPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size);
int MPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size);
int MPI_Comm_flush_buffer(MPI_Comm comm);
int MPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request);
int MPI_Request_get_status_all(int count, MPI_Request array_of_requests[],
			       int *flag, MPI_Status *array_of_statuses);
int MPI_Request_get_status_any(int count, MPI_Request array_of_requests[],
			       int *indx, int *flag, MPI_Status *status);
int MPI_Request_get_status_some(int incount, MPI_Request array_of_requests[],
				int *outcount, int array_of_indices[],
				MPI_Status *array_of_statuses);

#endif

#endif
