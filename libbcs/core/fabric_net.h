/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_NET_H
#define BCS_FABRIC_NET_H

#include <mpi.h>
#include <stdint.h>

/*
 * The fabric between nodes: one-sided communication of MPI's in a window of its
 * own, and a tree of messages.  Its members are processes, wherever they are,
 * numbered by their rank.
 *
 * Progress.  What others do to a member is served while the member is in the
 * fabric: in fabric_net_poke, and in whatever waits, which gives up the core.
 *
 * With MPI_THREAD_MULTIPLE a thread of the fabric's own sees to it, too, which
 * looks every 16 us to 1 ms, less often where nothing comes.  It need not be
 * helped; who pokes more often is reached sooner.
 *
 * Without, each member that an operation reaches has to come to the fabric for
 * the operation to end, and so has member 0, which keeps the order.  Who
 * computes has to poke every now and then: how often that is, is how long
 * operations take, at each level of the tree.  To be in MPI is not enough: who
 * waits in MPI_Barrier, say, for a member whose operation waits for it, waits
 * for ever.  Whoever waits for anything but the fabric has to poke meanwhile.
 *
 * Threads.  As MPI was initialized: any thread with MPI_THREAD_MULTIPLE.  A
 * transfer may shut out other threads of its member from MPI for about a round
 * trip; for what members take to poke they wait without that.
 *
 * A transfer is complete when core_xfer_and_signal returns.  An event is to be
 * looked at by core_test_event alone, and not to be overwritten.  A process
 * that dies takes the others along, as MPI has it, and so does an error of MPI:
 * no operation returns -ENOTRECOVERABLE.
 */
struct fabric;

/*
 * A fabric of all processes of `comm`, each with so many bytes of global
 * memory: collective, with the same number everywhere.  Returns 0; -EINVAL if
 * there are no bytes, or 16 GiB and more; -ENOMEM, at all of them if at one.
 * *fabric_p is set on success only.
 */
int fabric_net_start(struct fabric **fabric_p, MPI_Comm comm, uint64_t bytes);

/* Serves what others do to this member.  By any thread that may call MPI. */
void fabric_net_poke(struct fabric *fabric);

/*
 * From here on others find this member gone, and write nothing to its memory
 * any more; nor can it start an operation.  It does not come back.  It has to
 * poke all the same as long as others go on.
 */
void fabric_net_leave(struct fabric *fabric);

/*
 * Collective, before MPI_Finalize, when no thread uses the fabric any more:
 * waits for all members, and serves them meanwhile.  NULL is fine.
 */
void fabric_net_stop(struct fabric *fabric);

#endif
