/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NET_MPI_H
#define BCS_NET_MPI_H

#include <mpi.h>

#include "libbcs/demand/base/op.h"
#include "libbcs/demand/net/net.h"

/*
 * What the engine on demand asks of MPI between nodes: the leaders' exchange of
 * blocks, and pieces of large messages.  One engine of a process has it.
 */
extern const struct net_ops net_mpi_ops;
extern const struct far_ops net_mpi_far_ops;

/* In a leader: its receives are posted.  Returns 0 or -ENOMEM. */
int net_mpi_start(MPI_Comm leaders);
/* Nobody sends any more.  Without a start it does nothing. */
void net_mpi_stop(void);

/* In all processes: `far` has their numbers in the world as ranks.  Only large
 * messages use it, with tags from 1 on. */
void net_mpi_far(MPI_Comm far);

#endif
