/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_OWN_H
#define BCS_MPIB_OWN_H

#include <stddef.h>

#include "mpib.h"

/*
 * Implementations of collectives.  All begin by own_bytes: how many bytes a
 * process's part has, if we take such arguments; an MPI error class if not.
 */
int own_bytes(MPI_Comm comm, int count, MPI_Datatype type, const void *buf,
	      int *bytes);
void own_send(const void *buf, int bytes, int to, MPI_Comm comm);
void own_recv(void *buf, int bytes, int from, MPI_Comm comm);

mpib_bcast own_bcast_linear;
mpib_bcast own_bcast_binomial;
mpib_bcast own_bcast_ring;
mpib_scatter own_scatter_linear;
mpib_scatter own_scatter_binomial;
mpib_scatter own_scatter_at_once;
mpib_gather own_gather_linear;
mpib_gather own_gather_binomial;
mpib_gather own_gather_at_once;
mpib_reduce own_reduce_linear;
mpib_reduce own_reduce_binomial;
mpib_reduce own_reduce_ring;
mpib_allgather own_allgather_linear;
mpib_allgather own_allgather_binomial;
mpib_allgather own_allgather_ring;
mpib_alltoall own_alltoall_linear;
mpib_alltoall own_alltoall_binomial;
mpib_alltoall own_alltoall_ring;

#endif
