/* SPDX-License-Identifier: BSD-3-Clause */

/* Gives receives their recorded sources. */
#include "pmpi-shim/again/again_replay.h"

#define REAL(name) (*again_replayed.MPI_##name)

struct shim_pmpi again_replayed;

/* A communicator of this process alone, on which nothing is ever sent. */
static MPI_Comm nowhere = MPI_COMM_NULL;

uint64_t again_replay_posted(enum shim_call call)
{
	struct schedule_outcome o;

	return again_told(call, &o) ? again_told_source()
				    : SCHEDULE_SOURCE_UNKNOWN;
}

void again_replay_source(uint64_t recorded, int *source, MPI_Comm *comm)
{
	if (again_is_rank(recorded))
		*source = again_rank_of(recorded);
	if (recorded != SCHEDULE_SOURCE_NONE)
		return;
	if (nowhere == MPI_COMM_NULL)
		REAL(Comm_dup)(MPI_COMM_SELF, &nowhere);
	*source = 0;
	*comm = nowhere;
}

void again_source_stop(void)
{
	if (nowhere != MPI_COMM_NULL)
		REAL(Comm_free)(&nowhere);
}
