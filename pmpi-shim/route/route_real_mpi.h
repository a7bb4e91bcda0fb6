/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_REAL_MPI_H
#define SHIM_ROUTE_REAL_MPI_H

/*
 * Included before the files of libbcs that call MPI like a program: these send
 * messages between nodes.  In the preload they call MPI by the table.
 */
#include "pmpi-shim/pmpi.h"

extern struct shim_pmpi route_real;

#define MPI_Accumulate      (*route_real.MPI_Accumulate)
#define MPI_Allreduce       (*route_real.MPI_Allreduce)
#define MPI_Cancel          (*route_real.MPI_Cancel)
#define MPI_Comm_dup        (*route_real.MPI_Comm_dup)
#define MPI_Comm_free       (*route_real.MPI_Comm_free)
#define MPI_Comm_rank       (*route_real.MPI_Comm_rank)
#define MPI_Comm_size       (*route_real.MPI_Comm_size)
#define MPI_Get_count       (*route_real.MPI_Get_count)
#define MPI_Ibarrier        (*route_real.MPI_Ibarrier)
#define MPI_Iprobe          (*route_real.MPI_Iprobe)
#define MPI_Irecv           (*route_real.MPI_Irecv)
#define MPI_Isend           (*route_real.MPI_Isend)
#define MPI_Query_thread    (*route_real.MPI_Query_thread)
#define MPI_Recv            (*route_real.MPI_Recv)
#define MPI_Rget_accumulate (*route_real.MPI_Rget_accumulate)
#define MPI_Send            (*route_real.MPI_Send)
#define MPI_Test            (*route_real.MPI_Test)
#define MPI_Wait            (*route_real.MPI_Wait)
#define MPI_Win_allocate    (*route_real.MPI_Win_allocate)
#define MPI_Win_flush       (*route_real.MPI_Win_flush)
#define MPI_Win_free        (*route_real.MPI_Win_free)
#define MPI_Win_lock_all    (*route_real.MPI_Win_lock_all)
#define MPI_Win_unlock_all  (*route_real.MPI_Win_unlock_all)

#endif
