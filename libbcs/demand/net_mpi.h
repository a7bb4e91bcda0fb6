/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NET_MPI_H
#define BCS_NET_MPI_H

#include <mpi.h>

#include "libbcs/demand/base/op.h"
#include "libbcs/demand/net/net.h"

/*
 * MPI's part in the engine on demand between nodes: leaders exchange blocks,
 * and processes exchange pieces of large messages.  For one engine of a
 * process.
 */
extern const struct net_ops net_mpi_ops;
extern const struct remote_ops net_mpi_remote_ops;

/* In a leader: posts receives of blocks.  Returns 0 or -ENOMEM. */
int net_mpi_start(MPI_Comm leaders);
/* Cancels these receives: no other leader may send any more.  Does nothing
 * without a start. */
void net_mpi_stop(void);

/* In all processes: the communicator for pieces of large messages, which use
 * tags from 1 on.  Its ranks are the processes' numbers in the world. */
void net_mpi_remote(MPI_Comm remote);

#endif
