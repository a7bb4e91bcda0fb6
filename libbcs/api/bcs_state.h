/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STATE_H
#define BCS_STATE_H

/* State and functions that the calls of the BCS API share. */
#include "libbcs/api/bcs.h"
#include "libbcs/api/bcs_nodes.h"
#include "libbcs/strobe/engines.h"

#define BCS_CONTEXT       1 /* of messages, */
#define BCS_CONTEXT_COLLS 2 /* and of collectives */

struct bcs_request {
	struct op op;
	struct coll *coll; /* that it is for; or NULL */
	struct coll_fold fold;
};

struct bcs_state {
	struct engines engines;
	MPI_Comm comm;
	void *board; /* the memory of the node's processes; or NULL */
	uint64_t board_bytes;
	struct emds *emds; /* that this process writes; or NULL */
	struct bcs_nodes nodes;
	int rank;
	int size; /* 0: not started */
	uint32_t n_colls;
	struct pages *pages;
};

extern struct bcs_state bcs_state;

/* bcs_quiesce.c: the preload finds it by its name. */
BCS_EXPORT void bcs_hooks_run(const struct bcs_known *known);
/* This library's own strobe calls it in a known state: it runs the hooks. */
void bcs_known(const struct strobe_known *known);

static inline bool bcs_is_rank(int rank)
{
	return rank >= 0 && rank < bcs_state.size;
}

#endif
