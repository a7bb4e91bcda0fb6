/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_NET_H
#define BCS_FABRIC_NET_H

#include <mpi.h>
#include <stdint.h>

/*
 * The fabric between nodes:  MPI's one-sided communication in a window of its
 * own, and a tree of messages.  Its members are processes on any nodes,
 * numbered by their rank.
 *
 * Progress.  A member serves the operations of others in fabric_net_poke and in
 * every function of the fabric that waits.  Waiting yields the core.
 *
 * With MPI_THREAD_MULTIPLE a thread of the fabric serves them as well.  It
 * looks every 16 us to 1 ms, less often while idle.  Poking is optional then,
 * and makes operations faster.
 *
 * Without MPI_THREAD_MULTIPLE an operation ends only when each of its members,
 * and member 0, which keeps the order, has entered the fabric.  A member that
 * computes must poke: the interval between pokes is the latency of an operation
 * at each level of the tree.  Being in MPI does not count.  A member that waits
 * in MPI_Barrier for one whose operation waits for it deadlocks.  So while
 * waiting for anything outside of the fabric, poke.
 *
 * Threads.  The thread level of MPI holds: any thread with MPI_THREAD_MULTIPLE.
 * A transfer may lock other threads of its member out of MPI for about one
 * round trip.  It does not while it waits for other members to poke.
 *
 * A transfer is complete when core_xfer_and_signal returns.  Read events by
 * core_test_event alone, and never overwrite them.  The death of a process or
 * an error of MPI ends all processes, as in MPI, so no operation returns
 * -ENOTRECOVERABLE.
 */
struct fabric;

/*
 * Collective: makes a fabric of all processes of `comm`, each with `bytes` of
 * global memory, the same number everywhere.  Returns 0; -EINVAL for 0 bytes,
 * or 16 GiB and more; -ENOMEM, at all processes if at one.  *fabric_p is set on
 * success only.
 */
int fabric_net_start(struct fabric **fabric_p, MPI_Comm comm, uint64_t bytes);

/* Serves other members' operations.  By any thread that may call MPI. */
void fabric_net_poke(struct fabric *fabric);

/*
 * Leaves for good.  Others find this member gone and no longer write to its
 * memory; it can start no operation.  It must still poke until
 * fabric_net_stop, for it is a part of others' trees.
 */
void fabric_net_leave(struct fabric *fabric);

/*
 * Collective: waits for all members, serving them, and frees the fabric.  Call
 * it before MPI_Finalize, when no other thread uses the fabric.  NULL is fine.
 */
void fabric_net_stop(struct fabric *fabric);

#endif
