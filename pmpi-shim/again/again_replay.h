/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_AGAIN_REPLAY_H
#define SHIM_AGAIN_REPLAY_H

/* Functions that the files which repeat a schedule share. */
#include "pmpi-shim/again/again_parts.h"

/* The table of calls below the entries that repeat. */
extern struct shim_pmpi again_replayed;

/* again_replay_done.c: tests and waits. */
void again_replay_done_install(struct shim_pmpi *table);

/* again_persistent.c: below those two. */
void again_persistent_start(void);
void again_persistent_stop(void);

/* Outcomes and recorded sources that are a rank. */
static inline bool again_is_rank(uint64_t source)
{
	return source >= SCHEDULE_SOURCE_RANK;
}

static inline int again_rank_of(uint64_t source)
{
	return (int)(source - SCHEDULE_SOURCE_RANK);
}

/* again_source.c: the recorded source of a receive that the call posts. */
uint64_t again_replay_posted(enum shim_call call);
/* Makes a receive from any source one of that source. */
void again_replay_source(uint64_t recorded, int *source, MPI_Comm *comm);
void again_source_stop(void);

#endif
