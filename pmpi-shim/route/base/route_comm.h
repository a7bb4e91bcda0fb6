/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_COMM_H
#define SHIM_ROUTE_COMM_H

/*
 * Scheduled communicators: those whose members are of this world, made by a
 * call that all members take part in.
 */
#include <mpi.h>
#include <stdint.h>

#include "handles.h"
#include "libbcs/base/rank_map.h"
#include "libbcs/demand/coll/coll_nodes.h"

/* Room for buffered sends: bytes of an attached buffer, 0 if there is none. */
struct route_room {
	_Atomic int64_t attached;
	_Atomic int64_t used;
	_Atomic unsigned flushes; /* requests that look at it */
};

/* A scheduled communicator. */
struct route_comm {
	MPI_Comm handle;  /* as long as MPI has it */
	uint32_t context; /* of its messages; collectives have the next */
	int rank;
	int size;
	struct rank_map peers; /* its ranks, to the engine */
	struct coll_nodes nodes;
	_Atomic unsigned users; /* MPI, and collectives under way */
	uint32_t n_colls;
	uint32_t called;            /* signature of all of them so far */
	struct coll *_Atomic spare; /* a descriptor; or NULL */
	struct route_cache *cache;  /* calls, by kind (route_call.c); or NULL */
	struct pages *pages;        /* or NULL */
	/* The communicator's own buffer (MPI 4.1), or NULL. */
	struct route_room *_Atomic room;
};

extern struct handles route_comms;

/* NULL: it is not scheduled, or a handle of another kind. */
static inline struct route_comm *route_comm_find(MPI_Comm comm)
{
	struct route_comm **entry = handles_find(&route_comms, comm);

	return entry && *entry && (*entry)->handle == comm ? *entry : NULL;
}

/* MPI_COMM_WORLD and MPI_COMM_SELF; collective over the world. */
int route_comm_start(void);
/*
 * A communicator was made: its members agree whether it is scheduled.
 * Collective over its members.  Returns rc; does nothing if rc is an error.
 */
int route_comm_made(int rc, MPI_Comm comm);
/* A copy of `from` without a context, for MPI_Comm_idup; or NULL. */
struct route_comm *route_comm_copy(const struct route_comm *from);
/*
 * A copy of `from` with a context of its own, for a window or a file that MPI
 * makes on it.  Collective over them.  All get NULL, or none
 * does.  It lasts until it is dropped, even if the program frees `from`.
 */
struct route_comm *route_comm_twin(const struct route_comm *from);
/* A context that no other communicator has; 0 if there are none left. */
uint32_t route_comm_context(void);
/* A communicator is freed when the last of its users dropped it. */
void route_comm_hold(struct route_comm *comm);
void route_comm_drop(struct route_comm *comm);

#endif
