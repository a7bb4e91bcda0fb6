/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_SOURCE_H
#define BCS_REPLAY_SOURCE_H

#include "analyzer/replay/replay.h"
#include "analyzer/replay/replay_calls.h"
#include "analyzer/replay/replay_events.h"
#include "analyzer/replay/replay_requests.h"
#include "analyzer/replay/replay_sites.h"

/* A process of the run as a source of the simulator. */
struct replay_source {
	struct replay_events events;
	struct replay_requests requests;
	struct replay_calls calls;
	struct replay_sites sites;
	const struct replay_choice *choice;
	double eager;         /* largest eager message */
	struct sim_op *queue; /* operations of the current call */
	size_t n;
	size_t at;
	size_t room;
	uint32_t *temporary; /* requests that end with the call */
	size_t n_temporary;
	size_t temporary_room;
	uint64_t start;   /* ns; the end of MPI_Init */
	uint64_t zero;    /* of the first process of the host */
	uint64_t last;    /* the end of the last call */
	double recorded;  /* seconds to its end, from the first of the host */
	uint32_t pending; /* a collective until the next call; REPLAY_NONE */
	uint64_t as_recorded;
	uint64_t met; /* calls of sites that were named */
};

/* Skips what is before the end of MPI_Init; `start` is set.  Returns false if
 * the trace is empty. */
bool replay_source_begin(struct replay_source *source);
/* `zero`: the `start` of the first process of the host. */
void replay_source_offset(struct replay_source *source, uint64_t zero);
/* Is a struct sim_source's `next`.  Returns -ENOTSUP if several threads call
 * MPI. */
int replay_source_next(void *self, struct sim_op *op);
void replay_source_clear(struct replay_source *source);

#endif
